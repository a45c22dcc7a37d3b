package verify

import (
	"os"
	"path/filepath"
	"slices"
)

// moved makes a directory with links to everything in dir, and copies of some files. The directories around dir up to
// whole get links too, since a package of a monorepo may start a program such as ../../node_modules/.bin/bun.
func moved(dir, whole, to string, files []string) (string, error) {
	if dir != whole {
		around, err := moved(filepath.Dir(dir), whole, to, nil)
		if err != nil {
			return "", err
		}
		to = filepath.Join(around, filepath.Base(dir))
		if err := os.Remove(to); err != nil { // the link to dir
			return "", err
		}
	}
	entries, err := os.ReadDir(dir)
	if err == nil {
		err = os.Mkdir(to, 0o755)
	}
	for _, entry := range entries {
		from, name := filepath.Join(dir, entry.Name()), filepath.Join(to, entry.Name())
		switch {
		case err != nil:
		case slices.Contains(files, entry.Name()):
			var content []byte
			if content, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(name, content, 0o644)
			}
		default:
			err = os.Symlink(from, name)
		}
	}
	return to, err
}

// repository is the directory around dir that has .git, or dir without one.
func repository(dir string) string {
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
	}
	return dir
}
