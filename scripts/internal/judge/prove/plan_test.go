package prove

import (
	"slices"
	"testing"
)

// trio are servers of a plan.
var trio = []string{"relay/a", "relay/b", "relay/c"}

func TestAPlanGoesOnWhereItStopped(t *testing.T) {
	plan := Plan{Seed: 7, Servers: trio, Same: 5, Edits: 3, Each: 4, Sizes: Combinations, Patches: []Patch{cpuPatch()}}
	whole := plan.Tasks(nil)
	if len(whole) != 5+3+len(Combinations)*4+4 {
		t.Fatalf("%d tasks", len(whole))
	}
	var done []Trial
	for _, task := range whole[:6] {
		if err := task.check(); err != nil {
			t.Error(err)
		}
		done = append(done, Trial{Task: task})
	}
	rest := plan.Tasks(done)
	for i, task := range whole[6:] {
		if i >= len(rest) || rest[i].ID != task.ID || rest[i].Seed != task.Seed {
			t.Fatalf("%+v\nwant the tail of\n%+v", rest, whole)
		}
	}
	ids := func(tasks []Task) (ids []string) {
		for _, task := range tasks {
			ids = append(ids, task.ID)
		}
		return ids
	}
	other := plan
	other.Seed = 8
	if slices.Equal(ids(other.Tasks(nil)), ids(whole)) {
		t.Error("another seed gives the same order")
	}
	more := plan
	more.Same = 6
	for _, task := range whole {
		if !slices.ContainsFunc(more.Tasks(nil), func(m Task) bool { return m.ID == task.ID && m.Seed == task.Seed }) {
			t.Errorf("%s is another one when more are planned", task.ID)
		}
	}
	sorted := slices.Clone(ids(whole))
	slices.Sort(sorted)
	if slices.Equal(sorted, ids(whole)) || len(slices.Compact(sorted)) != len(whole) {
		t.Errorf("not shuffled, or an id twice: %q", ids(whole))
	}
}

func TestParseSize(t *testing.T) {
	for _, text := range []string{"cpu=3,ttft=10,rss=5", "tail=0.5"} {
		if d, err := ParseSize(text); err != nil || d.String() != text {
			t.Errorf("%q: %q, %v", text, d, err)
		}
	}
	for _, text := range []string{"", "cpu", "cpu=0", "cpu=-1", "cpu=NaN", "cpu=101", "cpu=3,cpu=4", "gpu=3", "cpu=3,"} {
		if d, err := ParseSize(text); err == nil {
			t.Errorf("%q: %v; want an error", text, d)
		}
	}
}

// Trials beside a neighbour and those without one are different trials, so one directory may have both.
func TestAPlanBesideANeighbourIsAnother(t *testing.T) {
	plan := Plan{Seed: 7, Servers: trio, Same: 2, Edits: 1, Each: 1, Sizes: Combinations[:1]}
	quiet := plan.Tasks(nil)
	var done []Trial
	for _, task := range quiet {
		done = append(done, Trial{Task: task})
	}
	plan.Neighbour = 0.5
	noisy := plan.Tasks(done)
	if len(noisy) != len(quiet) {
		t.Fatalf("%d tasks beside a neighbour, want %d", len(noisy), len(quiet))
	}
	for _, task := range noisy {
		if task.Neighbour != 0.5 || task.check() != nil || slices.ContainsFunc(quiet, func(q Task) bool { return q.ID == task.ID || q.Seed == task.Seed }) {
			t.Errorf("%+v: %v", task, task.check())
		}
	}
	for _, share := range []float64{-0.1, 1} {
		if task := (Task{ID: "same-1", Kind: Same, Server: "relay/a", Neighbour: share}); task.check() == nil {
			t.Errorf("a neighbour that takes %g of the machine", share)
		}
	}
}

// Trials of a kind have the servers in turn, so that a plan that is not finished has all of them.
func TestServersTakeTurns(t *testing.T) {
	counts := map[string]int{}
	for _, task := range (Plan{Servers: trio, Same: 5}).Tasks(nil) {
		counts[task.Server]++
	}
	if counts["relay/a"] != 2 || counts["relay/b"] != 2 || counts["relay/c"] != 1 {
		t.Errorf("%v; want 2, 2 and 1 of %q", counts, trio)
	}
}
