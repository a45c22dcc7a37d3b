package session

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fairstream/scripts/internal/measure/build"
)

// A pageBuild builds the parts of a run's report. A run goes on without them.
type pageBuild struct {
	pages fs.FS
	err   error
}

// jobs is empty in a workflow, where nobody opens the report, and in a project without pages.
func (b *pageBuild) jobs(root string) []build.Job {
	if os.Getenv("CI") != "" || !exists(filepath.Join(root, "gh-pages", "package.json")) {
		return nil
	}
	return []build.Job{{Name: PageFile, Do: func(ctx context.Context) error {
		b.pages, b.err = build.Pages(ctx, root, func(string) {}) // the progress of jobs names it
		return nil
	}}}
}

// result returns the pages. When something is missing, it prints the reason and returns nil.
func (b *pageBuild) result() fs.FS {
	if b.err != nil {
		fmt.Fprintf(os.Stderr, "no %s is written after runs: %v\n", PageFile, b.err)
	}
	return b.pages
}
