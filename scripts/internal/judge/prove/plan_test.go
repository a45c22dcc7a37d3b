package prove

import (
	"slices"
	"testing"
)

func TestAPlanGoesOnWhereItStopped(t *testing.T) {
	whole := Plan(7, 5, 3, 4, Combinations, 0, nil)
	if len(whole) != 5+3+len(Combinations)*4 {
		t.Fatalf("%d tasks", len(whole))
	}
	var done []Trial
	for _, task := range whole[:6] {
		if err := task.check(); err != nil {
			t.Error(err)
		}
		done = append(done, Trial{Task: task})
	}
	rest := Plan(7, 5, 3, 4, Combinations, 0, done)
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
	if other := Plan(8, 5, 3, 4, Combinations, 0, nil); slices.Equal(ids(other), ids(whole)) {
		t.Error("another seed gives the same order")
	}
	more := Plan(7, 6, 3, 4, Combinations, 0, nil)
	for _, task := range whole {
		if !slices.ContainsFunc(more, func(m Task) bool { return m.ID == task.ID && m.Seed == task.Seed }) {
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
	quiet := Plan(7, 2, 1, 1, Combinations[:1], 0, nil)
	var done []Trial
	for _, task := range quiet {
		done = append(done, Trial{Task: task})
	}
	noisy := Plan(7, 2, 1, 1, Combinations[:1], 0.5, done)
	if len(noisy) != len(quiet) {
		t.Fatalf("%d tasks beside a neighbour, want %d", len(noisy), len(quiet))
	}
	for _, task := range noisy {
		if task.Neighbour != 0.5 || task.check() != nil || task.Number() == 0 || slices.ContainsFunc(quiet, func(q Task) bool { return q.ID == task.ID || q.Seed == task.Seed }) {
			t.Errorf("%+v, number %d: %v", task, task.Number(), task.check())
		}
	}
	for _, share := range []float64{-0.1, 1} {
		if task := (Task{ID: "same-1", Kind: Same, Neighbour: share}); task.check() == nil {
			t.Errorf("a neighbour that takes %g of the machine", share)
		}
	}
}
