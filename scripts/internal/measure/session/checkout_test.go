package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/testrepo"
	"fairstream/scripts/internal/workload"
)

// A checkout that cannot be finished says why, and leaves no copy.
func TestAnUnfinishedCheckoutLeavesNothing(t *testing.T) {
	top := t.TempDir()
	server := filepath.Join("servers", workload.Names()[0], "one")
	for name, text := range map[string]string{server + "/server.json": "{}", server + "/big": strings.Repeat("x", 4<<20)} {
		testfile.Write(t, filepath.Join(top, name), text)
	}
	testrepo.Git(t, top, "init", "-q")
	testrepo.Commit(t, top)
	id := workload.Server{Workload: workload.Names()[0], Name: "one"}
	e := Elsewhere{Top: top, Head: "HEAD", Paths: map[workload.Server]string{id: server}}
	servers, sides := []workload.Server{id}, []Side{{Name: "base", Ref: "HEAD"}}
	for name, checkout := range map[string]func(context.Context) error{
		"a repository": func(ctx context.Context) error { _, _, err := e.Checkout(ctx, servers, sides); return err },
		"this project": func(ctx context.Context) error { _, _, err := Checkout(ctx, top, servers, sides); return err },
	} {
		t.Run(name+", interrupted", func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := checkout(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("%v; want the interruption", err)
			}
			empty(t, os.TempDir())
		})
		t.Run(name+", on a full disk", func(t *testing.T) {
			small := t.TempDir()
			if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=3m"); err != nil {
				t.Skip("only root may make a small disk: ", err)
			}
			defer syscall.Unmount(small, syscall.MNT_DETACH) // the directory cannot be removed before
			t.Setenv("TMPDIR", small)
			err := checkout(t.Context())
			if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "free some space, or set TMPDIR") {
				t.Errorf("%v; want the full disk", err)
			}
			empty(t, small)
		})
	}
}

// empty fails the test if a directory has anything.
func empty(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
