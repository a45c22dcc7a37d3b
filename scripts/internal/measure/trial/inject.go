package trial

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/measure/server"
)

// injections has a directory for each language. Its files turn command line flags into a size. Those for Go fit any
// server in package main that calls its upstream through a package variable client. Those of other languages have a
// patch, by which a server uses them.
//
//go:embed testdata/inject
var injections embed.FS

// Inject copies the server in from to dir, and adds the size. Only the run command holds the size, so the program is the
// same for all sizes. It keeps built files of dir.
func Inject(ctx context.Context, from, dir string, size prove.Flags) (server.Server, error) {
	s, err := Renew(from, dir)
	if err != nil {
		return s, fmt.Errorf("inject: %w", err)
	}
	files, err := fs.Sub(injections, "testdata/inject/"+s.Language)
	if err == nil {
		err = os.CopyFS(dir, files)
	}
	if err == nil && s.Language != "go" {
		err = ApplyPatch(ctx, s, filepath.Join(dir, "server"+patchSuffix))
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
	if err := os.WriteFile(filepath.Join(dir, server.File), append(data, '\n'), 0o644); err != nil {
		return s, fmt.Errorf("inject: %w", err)
	}
	return s, nil
}

// built lists directories that the build of a server makes.
var built = []string{"bin", "target", "node_modules"}

// Copy copies the sources of the server in from to dir, which has none.
func Copy(from, dir string) (server.Server, error) {
	if err := os.CopyFS(dir, sources{os.DirFS(from)}); err != nil {
		return server.Server{}, err
	}
	return server.Load(dir)
}

// Renew copies the sources again and keeps the built files, so that the next build is short.
func Renew(from, dir string) (server.Server, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return server.Server{}, err
	}
	for _, e := range entries {
		if !slices.Contains(built, e.Name()) {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return server.Server{}, err
			}
		}
	}
	return Copy(from, dir)
}
