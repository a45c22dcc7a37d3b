package site

import "strconv"

// Many is "1 commit" or "2 commits".
func Many(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}
