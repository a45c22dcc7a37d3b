package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/process"
)

// shareScripts gives each server its k6 script and its variables. Head gets base's, which a change of head cannot excuse, and head's
// own are noted where they differ. Files that a script imports or opens lie beside it, and are base's too. They are not compared.
func shareScripts(targets []load.Target) {
	for i := range targets {
		t := &targets[i]
		if d := t.Server.Declared; d != nil && d.Script != "" {
			t.Script, t.ScriptEnv = ownScript(*t), d.Env
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
		if !maps.Equal(base.ScriptEnv, head.ScriptEnv) {
			head.Changed = append(head.Changed, "env")
		}
		head.Script, head.ScriptEnv = base.Script, base.ScriptEnv
	}
}

// ownScript is the path of a server's own script.
func ownScript(t load.Target) string { return filepath.Join(t.Server.Dir, t.Server.Declared.Script) }

// sameFile reports whether two files have the same content. A file that cannot be read differs.
func sameFile(a, b string) bool {
	one, err := os.ReadFile(a)
	two, also := os.ReadFile(b)
	return err == nil && also == nil && bytes.Equal(one, two)
}

// tryBaseScripts tries base's script on head where head has another one. If it no longer works there, and head's own does, nothing is
// compared, and the server is not at fault. If neither works, the comparison says what fails.
func (s *Session) tryBaseScripts(ctx context.Context, targets []load.Target) error {
	for i := range targets {
		base, head := &targets[i], headOf(targets, i)
		if head == nil || base.Script == "" || base.Broken != nil || head.Broken != nil || len(head.Changed) == 0 {
			continue
		}
		err, unable := s.tryScript(ctx, *head)
		if err != nil && unable == nil {
			own := *head
			own.Script, own.ScriptEnv = ownScript(own), own.Server.Declared.Env
			var itself error
			if itself, unable = s.tryScript(ctx, own); itself != nil {
				err = nil
			}
		}
		if unable != nil || ctx.Err() != nil {
			return cmp.Or(ctx.Err(), unable)
		}
		if err != nil {
			base.Broken = fmt.Errorf("verify: base's %s does not work on head, and head's own does, so they have no load in common: %w; change the script in one commit, and the server in the next",
				base.Server.Declared.Script, err)
		}
	}
	return nil
}

// tryScript tries the script of a target on its server. It returns the fault of the script, and why it could not be tried.
func (s *Session) tryScript(ctx context.Context, t load.Target) (fault, unable error) {
	dir, remove, err := files.MkdirTemp("", "fairstream-try-")
	if err != nil {
		return nil, err
	}
	defer remove() // best effort: a temporary directory
	port, stop, err := started(ctx, s.root, dir, t.Server)
	if none, ok := errors.AsType[process.Unable](err); ok {
		return nil, none
	}
	if err != nil {
		return nil, nil // it started before, and the load reports if it does not
	}
	defer stop()
	did, err := load.Script{K6: filepath.Join(s.root, "k6"), Path: t.Script, BaseURL: t.Server.Declared.URL(port), Env: t.ScriptEnv}.Try(ctx, dir)
	if none, ok := errors.AsType[process.Unable](err); ok {
		return nil, none
	}
	if err != nil {
		return err, nil
	}
	for _, c := range did.Checks {
		if c.Passed == 0 && c.Failed > 0 {
			return fmt.Errorf("its check %q fails", c.Name), nil
		}
	}
	return nil, nil
}
