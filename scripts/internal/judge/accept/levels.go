package accept

import (
	"path/filepath"
	"time"
)

// Levels are the commits, by server, from which on somebody accepted that it got
// worse, and that have not expired. The error names the files that cannot be read; the others count.
func Levels(root string, now time.Time) (map[string][]string, error) {
	all, unread := Read(filepath.Join(root, Dir))
	since := map[string][]string{}
	for _, a := range all {
		for _, a := range Valid([]Ack{a}, a.Server, now) {
			since[a.Server] = append(since[a.Server], a.Since)
		}
	}
	return since, unread
}
