package build

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fairstream/scripts/internal/measure/server"
)

// Artefact hashes the run command and the built files. A command that is a program needs only its own file. A
// command that runs a script needs the whole directory, since a script may read any file: s.Whole, if it is known.
// So does a server that declares its requests: its program may read any file, and its server.json has what it is
// started with. Servers with equal artefacts are the same program. It is nil without anything to hash.
func Artefact(s server.Server) (*string, error) {
	whole := cmp.Or(s.Whole, s.Dir)
	var files []string
	var err error
	if s.Declared != nil {
		files, err = filesIn(s, whole)
	} else {
		files, err = programFiles(s, whole)
	}
	if err != nil {
		return nil, fmt.Errorf("build: %s: artefact: %w", s.Name, err)
	}
	if len(files) == 0 {
		return nil, nil
	}
	hash, err := Hash(s.Dir, files)
	if err != nil {
		return nil, fmt.Errorf("build: %s: artefact: %w", s.Name, err)
	}
	hash = fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(append(s.Run, hash), "\x00"))))
	return &hash, nil
}

// programFiles lists the files that the run command needs, as seen from the server's directory. A script needs all
// files of the directory whole.
func programFiles(s server.Server, whole string) (files []string, err error) {
	for i, arg := range s.Run {
		info, err := os.Stat(filepath.Join(s.Dir, arg))
		if err != nil || !info.Mode().IsRegular() || !filepath.IsLocal(arg) {
			continue
		}
		files = append(files, arg)
		script, err := isScript(filepath.Join(s.Dir, arg))
		if err != nil {
			return nil, err
		}
		if i == 0 && !script {
			continue
		}
		all, err := filesIn(s, whole)
		if err != nil {
			return nil, err
		}
		files = append(files, all...)
	}
	return files, nil
}

// filesIn lists all files of a directory, as seen from the server's.
func filesIn(s server.Server, whole string) (files []string, err error) {
	err = filepath.WalkDir(whole, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(s.Dir, path)
		files = append(files, name)
		return err
	})
	return files, err
}

// isScript reports whether a file names the program that reads it: its first line begins with "#!".
func isScript(name string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close() // read only
	begin := make([]byte, 2)
	_, err = io.ReadFull(f, begin)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return false, nil
	}
	return string(begin) == "#!", err
}

// Hash is the SHA-256, in hex, of the names and contents of files. Their order does not matter.
func Hash(dir string, files []string) (string, error) {
	slices.Sort(files)
	sum := sha256.New()
	for _, name := range slices.Compact(files) {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		content := sha256.New()
		_, err = io.Copy(content, f)
		f.Close() // read only
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%x %s\n", content.Sum(nil), name) // a hash never fails
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
