package run

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/manifest"
)

// renew puts a copy in the place of a server's program. Where a program lies in memory
// is drawn when its file is written, or read from the disk, and holds for each
// process that is started of it later: of one program, one draw costs up to 2.3 % more
// CPU time than another, in all rounds, which looks like a change. A fresh copy is a fresh
// draw. Of the copy nothing is left to be written when the load begins. A program from
// outside of the server's directory stays as it is.
func renew(s manifest.Server) error {
	if !strings.Contains(s.Run[0], "/") {
		return nil // it is looked for in PATH
	}
	dir, err := filepath.EvalSymlinks(s.Dir)
	if err != nil {
		return err
	}
	name, err := filepath.EvalSymlinks(filepath.Join(dir, s.Run[0]))
	if errors.Is(err, os.ErrNotExist) {
		return nil // its start says so
	} else if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || !strings.HasPrefix(name, dir+"/") {
		return err
	}
	old, err := os.Open(name)
	if err != nil {
		return err
	}
	defer old.Close() // it is only read
	return raw.WriteFile(name, func(w io.Writer) error {
		_, err := io.Copy(w, old)
		return err
	})
}
