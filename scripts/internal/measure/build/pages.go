package build

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/measure/process"
)

// builtFile, in the built pages, has the hash of their sources.
const builtFile = ".sources"

// notPages lists the directories of gh-pages/ that are not sources of pages.
var notPages = []string{"node_modules", "dist", "accepted", "e2e", "gates", "test", "test-results"}

// Pages builds the site's pages when their sources changed. That needs Node.js, and the network the first
// time.
func Pages(ctx context.Context, root string, say Say) (fs.FS, error) {
	dir := filepath.Join(root, "gh-pages")
	dist := filepath.Join(dir, "dist")
	sources, err := sourceHash(dir)
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	unlock, err := files.WaitLock(ctx, dir, func() { say("pages: waiting for another that builds them: " + files.LockHolder(dir)) })
	if err != nil {
		return nil, err
	}
	defer unlock() // the end of this process unlocks it too
	if have, err := os.ReadFile(filepath.Join(dist, builtFile)); err == nil && string(have) == sources {
		return os.DirFS(dist), nil
	}
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil, fmt.Errorf("pages: %s: not found, but the pages are built with it; install Node.js, which brings npm: https://nodejs.org/en/download", program)
		}
	}
	for _, args := range [][]string{{"npm", "ci", "--no-audit", "--no-fund", "--prefer-offline"}, {"npm", "run", "build"}} {
		say("pages: " + strings.Join(args, " "))
		if _, err := process.Output(ctx, process.Command{Args: args, Dir: dir}); err != nil {
			return nil, fmt.Errorf("pages: %s: %w", strings.Join(args, " "), err)
		}
	}
	if _, err := os.Stat(dist); err != nil {
		return nil, fmt.Errorf("pages: npm run build made nothing: %w", err)
	}
	return os.DirFS(dist), os.WriteFile(filepath.Join(dist, builtFile), []byte(sources), 0o644)
}

// sourceHash is the hash of all sources of the pages.
func sourceHash(dir string) (string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name, err := filepath.Rel(dir, path); err != nil {
			return err
		} else if d.IsDir() && slices.Contains(notPages, name) {
			return fs.SkipDir
		} else if d.Type().IsRegular() {
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return Hash(dir, files)
}
