package session

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
)

// Pages builds the parts of a run's report. A run does so after its load, which a build would disturb. It returns nil
// in a workflow, where nobody opens the report, and in a project without pages. A run goes on without them, so it
// prints what is missing.
func Pages(ctx context.Context, root string) fs.FS {
	if os.Getenv("CI") != "" || !exists(filepath.Join(root, "gh-pages", "package.json")) {
		return nil
	}
	began := time.Now()
	bar := cli.NewBar(os.Stderr, 0)
	pages, err := build.Pages(ctx, root, func(step string) { bar.Step(step, 0) })
	bar.End()
	if err != nil {
		if ctx.Err() == nil {
			fmt.Fprintf(os.Stderr, "no %s is written after runs: %v\n", PageFile, err)
		}
		return nil
	}
	if took := time.Since(began); took > 2*time.Second {
		fmt.Fprintf(os.Stderr, "%s: its parts were built in %.1f s\n", PageFile, took.Seconds())
	}
	return pages
}
