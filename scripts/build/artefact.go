package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fairstream/scripts/manifest"
)

// made are the directories that a build fills, where it has them.
var made = []string{"bin", "node_modules"}

// Artefact is the hash of what was built: all files that the build made and
// those that the run command names, such as a script. Servers with equal
// artefacts are the same program.
func Artefact(s manifest.Server) (*string, error) {
	var files []string
	for _, dir := range made {
		err := filepath.WalkDir(filepath.Join(s.Dir, dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			name, err := filepath.Rel(s.Dir, path)
			files = append(files, name)
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			return nil, fmt.Errorf("build: %s: artefact: %w", s.Name, err)
		}
	}
	for _, arg := range s.Run {
		info, err := os.Stat(filepath.Join(s.Dir, arg))
		if err == nil && info.Mode().IsRegular() && filepath.IsLocal(arg) {
			files = append(files, arg)
		}
	}
	hash, err := Hash(s.Dir, files)
	if err != nil {
		return nil, fmt.Errorf("build: %s: artefact: %w", s.Name, err)
	}
	return &hash, nil
}

// Hash is the SHA-256, in hex, of files' names and contents, whatever the order
// in which they are named.
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
		f.Close()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%x %s\n", content.Sum(nil), name)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
