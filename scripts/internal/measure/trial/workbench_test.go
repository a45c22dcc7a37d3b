package trial

import (
	"fmt"
	"testing"

	"fairstream/scripts/internal/judge/prove"
)

// Trials without a change take the servers in turn. Only an edit changes a copy.
func TestTrialsWithoutAChangeTakeServersInTurn(t *testing.T) {
	w := workbench{root: "../../../..", code: t.TempDir()}
	for kind, want := range map[prove.Kind][]string{
		prove.Same:   {injectedName, "rust-axum", "bun-hono", injectedName},
		prove.Edited: {"go-http", "rust-axum", "bun-hono", "go-http"},
	} {
		for i, name := range want {
			var trial prove.Trial
			targets, err := w.targets(prove.Task{ID: fmt.Sprintf("%s-%d", kind, i+1), Kind: kind, Seed: 1}, &trial, 0)
			if err != nil {
				t.Fatal(err)
			}
			if len(targets) != 2 || targets[0].Name() != name+"@base" || targets[1].Name() != name+"@head" || (trial.Change != nil) != (kind == prove.Edited) {
				t.Errorf("%s %d: %s and %s, change %+v; want two of %s", kind, i+1, targets[0].Name(), targets[1].Name(), trial.Change, name)
			}
		}
	}
}
