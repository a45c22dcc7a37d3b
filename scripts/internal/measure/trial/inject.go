package trial

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/measure/manifest"
)

// injectFiles make a size out of command line flags, in any server of Go's
// package main that asks its upstream through a package variable client.
//
//go:embed testdata/inject/*.go
var injectFiles embed.FS

// Inject writes a copy of the server in from to dir, which does not exist yet,
// with the size. It is a server like any other, and its program is the same
// whatever the size, which is in the run command alone.
func Inject(from, dir string, size prove.Flags) (manifest.Server, error) {
	s, err := Copy(from, dir)
	if err != nil {
		return s, fmt.Errorf("inject: %w", err)
	}
	files, err := fs.Glob(injectFiles, "testdata/inject/*.go")
	for i := 0; err == nil && i < len(files); i++ {
		var code []byte
		if code, err = injectFiles.ReadFile(files[i]); err == nil {
			err = os.WriteFile(filepath.Join(dir, "inject_"+filepath.Base(files[i])), code, 0o644)
		}
	}
	if err != nil {
		return s, fmt.Errorf("inject: %w", err)
	}
	s.Run = append(s.Run, size.Args()...)
	data, err := json.MarshalIndent(map[string]any{
		"workload": s.Workload, "language": s.Language, "framework": s.Framework, "build": s.Build, "run": s.Run, "versions": s.Versions,
	}, "", "  ")
	if err != nil {
		return s, fmt.Errorf("inject: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, manifest.File), append(data, '\n'), 0o644); err != nil {
		return s, fmt.Errorf("inject: %w", err)
	}
	return s, nil
}

// built are directories of a server that its build makes again.
var built = []string{"bin", "target", "node_modules"}

// Copy writes the sources of the server in from to dir, which has none yet.
func Copy(from, dir string) (manifest.Server, error) {
	if err := os.CopyFS(dir, sources{os.DirFS(from)}); err != nil {
		return manifest.Server{}, err
	}
	return manifest.Load(dir)
}

// Renew makes dir such a copy again, and leaves what was built there: a build of
// the next copy is then short.
func Renew(from, dir string) (manifest.Server, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return manifest.Server{}, err
	}
	for _, e := range entries {
		if !slices.Contains(built, e.Name()) {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return manifest.Server{}, err
			}
		}
	}
	return Copy(from, dir)
}
