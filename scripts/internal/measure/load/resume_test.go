package load

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
)

// A run is gone on with on the machine where it began, with the same rig and tools.
func TestARunOfAnotherMachineIsNotContinued(t *testing.T) {
	o := Options{Root: ".", Dir: t.TempDir(), Asked: raw.Asked{Rounds: 2, SharedBy: 8, Seed: 1}, Resume: true, Rig: "a", Tools: map[string]string{"k6": "1"}, Placement: "shared"}
	if _, err := prepare(t.Context(), o, nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(o.Dir, raw.RunFile)
	var started raw.Run
	if err := raw.ReadJSON(path, &started); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		edit func(*raw.Run)
		want string
	}{
		"the same":                {func(*raw.Run) {}, ""},
		"some pages more or less": {func(r *raw.Run) { more := *r.Host.MemoryBytes + 4096; r.Host.MemoryBytes = &more }, ""},
		"a core more":             {func(r *raw.Run) { r.Host.Cores++ }, "host"},
		"another CPU":             {func(r *raw.Run) { r.Host.CPU = new("another") }, "host"},
		"another kernel":          {func(r *raw.Run) { r.Host.Kernel = new("another") }, "host"},
		"another rig":             {func(r *raw.Run) { r.Rig = "b" }, "rig"},
		"another k6":              {func(r *raw.Run) { r.Tools = map[string]string{"k6": "2"} }, "tools"},
		"a rate for fewer servers": {func(r *raw.Run) {
			if r.SharedBy != 8 {
				t.Errorf("the rate is shared by %d servers, want 8", r.SharedBy)
			}
			r.SharedBy = 2
		}, "shared_by"},
		"more rounds": {func(r *raw.Run) { r.Rounds++ }, "rounds"},
	} {
		other := started
		c.edit(&other)
		if err := raw.WriteJSON(path, other); err != nil {
			t.Fatal(err)
		}
		_, err := prepare(t.Context(), o, nil)
		if c.want == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if want := o.Dir + ": holds another run, whose run.json differs in \"" + c.want + "\", so it cannot be continued; name another directory with -o"; c.want != "" && (!errors.Is(err, ErrAnother) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}
