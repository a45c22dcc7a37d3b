package trial

import (
	"path"
	"testing"

	"fairstream/scripts/internal/judge/prove"
)

// Only an edit changes a copy.
func TestBothSidesAreCopies(t *testing.T) {
	w := workbench{root: "../../../..", code: t.TempDir(), recent: map[string][]Figures{}}
	for _, server := range Servers {
		w.recent[server] = []Figures{pilot()}
	}
	for kind, suffix := range map[prove.Kind]string{prove.Same: "", prove.Edited: "", prove.Injected: prove.InjectedSuffix} {
		for _, server := range Servers {
			name := path.Base(server) + suffix
			trial := prove.Trial{Task: prove.Task{Kind: kind, Server: server, Size: prove.Size{prove.CPU: 3}, Seed: 1}}
			targets, err := w.targets(t.Context(), &trial, 0)
			if err != nil {
				t.Fatal(err)
			}
			if len(targets) != 2 || targets[0].Name() != name+"@base" || targets[1].Name() != name+"@head" || (trial.Change != nil) != (kind == prove.Edited) {
				t.Errorf("%s: %s and %s, change %+v; want two of %s", kind, targets[0].Name(), targets[1].Name(), trial.Change, name)
			}
		}
	}
}
