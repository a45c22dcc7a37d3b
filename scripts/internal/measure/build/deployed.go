package build

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/server"
)

// Deployed is the size of the files that a deployment copies, in bytes: the program that its run command
// names, and every file of its directory if the command also names a script there, as for Artefact. So it is
// the binary of Go or Rust. It is the runtime's program, the code and node_modules of Bun or Node. A file with
// several names counts once. Shared libraries do not count, and neither does a runtime's library elsewhere,
// such as that of Python. It is nil for an unknown program, and for a reference, whose program the machine has.
func Deployed(s server.Server) (*int64, error) {
	if s.Reference {
		return nil, nil
	}
	files, err := programFiles(s, s.Dir)
	if err != nil {
		return nil, fmt.Errorf("build: %s: size: %w", s.Name, err)
	}
	program := s.Run[0]
	if strings.Contains(program, "/") && !filepath.IsAbs(program) {
		program = filepath.Join(s.Dir, program)
	}
	if program, err = exec.LookPath(program); err != nil {
		return nil, nil // the start reports the error
	}
	paths := []string{program}
	for _, name := range files {
		paths = append(paths, filepath.Join(s.Dir, name))
	}
	var sum int64
	type file struct{ device, inode uint64 }
	seen := map[file]bool{}
	for _, path := range paths {
		var stat unix.Stat_t
		if err := unix.Stat(path, &stat); err != nil {
			return nil, fmt.Errorf("build: %s: size: %s: %w", s.Name, path, err)
		}
		if is := (file{stat.Dev, stat.Ino}); !seen[is] {
			seen[is] = true
			sum += stat.Size
		}
	}
	return &sum, nil
}
