package trial

import (
	"io/fs"
	"slices"
)

// sources is a server's directory without what its build made.
type sources struct{ fs.FS }

// ReadDir leaves those out, so that nobody walks into them.
func (s sources) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return name == "." && slices.Contains(built, e.Name()) }), err
}
