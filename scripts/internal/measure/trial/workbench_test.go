package trial

import (
	"fmt"
	"testing"

	"fairstream/scripts/internal/judge/prove"
)

// Trials take the servers in turn. Only an edit changes a copy.
func TestTrialsTakeServersInTurn(t *testing.T) {
	w := workbench{root: "../../../..", code: t.TempDir(), recent: map[string][]Figures{}}
	for _, server := range Servers {
		w.recent[server] = []Figures{pilot()}
	}
	for kind, want := range map[prove.Kind][]string{
		prove.Same:     {"go-http", "rust-axum", "bun-hono", "go-http"},
		prove.Edited:   {"go-http", "rust-axum", "bun-hono", "go-http"},
		prove.Injected: {"go-http-injected", "rust-axum-injected", "bun-hono-injected", "go-http-injected"},
	} {
		for i, name := range want {
			var trial prove.Trial
			targets, err := w.targets(t.Context(), prove.Task{ID: fmt.Sprintf("%s-%d", kind, i+1), Kind: kind, Size: prove.Size{prove.CPU: 3}, Seed: 1}, &trial, 0)
			if err != nil {
				t.Fatal(err)
			}
			if len(targets) != 2 || targets[0].Name() != name+"@base" || targets[1].Name() != name+"@head" || (trial.Change != nil) != (kind == prove.Edited) {
				t.Errorf("%s %d: %s and %s, change %+v; want two of %s", kind, i+1, targets[0].Name(), targets[1].Name(), trial.Change, name)
			}
		}
	}
}
