package record

import (
	"fmt"
	"strconv"
	"strings"
)

// EditionPath is the path of the file that names a branch's edition. The first published run writes it.
const EditionPath = "edition"

// Edition is the version of the branch as a whole, of its paths and of the schemas of its files. Branches
// before the third edition have no such file.
const Edition = 4

// CheckEdition refuses a branch with records of another edition. text is its file at EditionPath.
func CheckEdition(branch string, text []byte) error {
	seen := strings.TrimSpace(string(text))
	n, err := strconv.Atoi(seen)
	switch {
	case n == Edition:
		return nil
	case n > Edition, err != nil && seen != "":
		return fmt.Errorf("%s has records of edition %.20q; this Fairstream reads and writes edition %d; update it", branch, seen, Edition)
	}
	return fmt.Errorf("%[1]s has records of an earlier edition; this Fairstream reads and writes edition %[2]d, and changed nothing on it; "+
		"git push --atomic origin refs/remotes/origin/%[1]s:refs/heads/%[1]s-before-%[2]d :refs/heads/%[1]s keeps it under another name, and the next run begins a new one",
		branch, Edition)
}
