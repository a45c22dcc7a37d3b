package trial

import (
	"io/fs"
	"slices"
)

// sources is a server's directory without built files.
type sources struct{ fs.FS }

// ReadDir leaves built directories out, so that nothing walks into them.
func (s sources) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return name == "." && slices.Contains(built, e.Name()) }), err
}
