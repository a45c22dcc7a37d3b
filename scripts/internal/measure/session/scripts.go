package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/process"
)

// shareScripts gives each server its k6 script. Head gets base's, which a change of head cannot excuse, and head's own is noted
// where it differs. What a script imports or opens lies beside it, and is base's too.
func shareScripts(targets []load.Target) {
	for i := range targets {
		t := &targets[i]
		if d := t.Server.Declared; d != nil && d.Script != "" {
			t.Script = filepath.Join(t.Server.Dir, d.Script)
		}
	}
	for i := range targets {
		base, head := &targets[i], headOf(targets, i)
		if head == nil || base.Script == "" || head.Script == "" {
			continue
		}
		if !sameFile(base.Script, head.Script) {
			head.Changed = []string{"script " + head.Server.Declared.Script}
		}
		head.Script = base.Script
	}
}

// sameFile reports whether two files have the same content. A file that cannot be read differs.
func sameFile(a, b string) bool {
	one, err := os.ReadFile(a)
	two, also := os.ReadFile(b)
	return err == nil && also == nil && bytes.Equal(one, two)
}

// tryBaseScripts tries base's script on head where head has another one. Head's own passed before. A script that no longer works
// compares nothing, and is no fault of the server.
func (s *Session) tryBaseScripts(ctx context.Context, targets []load.Target) error {
	for i := range targets {
		base, head := &targets[i], headOf(targets, i)
		if head == nil || base.Script == "" || base.Broken != nil || head.Broken != nil || len(head.Changed) == 0 {
			continue
		}
		err := s.tryScript(ctx, *head)
		if unable, ok := errors.AsType[process.Unable](err); ok || ctx.Err() != nil {
			return errors.Join(ctx.Err(), unable.Err)
		}
		if err != nil {
			base.Broken = fmt.Errorf("verify: base's %s does not work on head, and head's own does, so they have no load in common: %w; change the script in one commit, and the server in the next",
				base.Server.Declared.Script, err)
		}
	}
	return nil
}

// tryScript tries the script of a target on its server.
func (s *Session) tryScript(ctx context.Context, t load.Target) error {
	dir, remove, err := files.MkdirTemp("", "fairstream-try-")
	if err != nil {
		return process.Unable{Err: err}
	}
	defer remove() // best effort: a temporary directory
	port, stop, err := started(ctx, s.root, dir, t.Server)
	if err != nil {
		return err
	}
	defer stop()
	d := t.Server.Declared
	did, err := load.Script{K6: filepath.Join(s.root, "k6"), Path: t.Script, BaseURL: d.URL(port), Env: d.Env}.Try(ctx, dir)
	if err != nil {
		return err
	}
	for _, c := range did.Checks {
		if c.Passed == 0 && c.Failed > 0 {
			return fmt.Errorf("its check %q fails", c.Name)
		}
	}
	return nil
}
