package load

import (
	"path/filepath"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
)

func TestRoundsWithinATime(t *testing.T) {
	for _, c := range []struct {
		limit, first time.Duration
		want         int
	}{
		{4 * time.Minute, 20 * time.Second, 12},
		{4 * time.Minute, 25 * time.Second, 9},
		{time.Minute, 20 * time.Second, 4}, // the first look needs as many
		{time.Hour, 20 * time.Second, 24},
	} {
		if got := roundsWithin(c.limit, c.first, 24); got != c.want {
			t.Errorf("%v, and %v for a round: %d rounds, want %d", c.limit, c.first, got, c.want)
		}
		const longer = "-within is 1m0s, but the least of 4 rounds takes about 1m20s"
		if got := longerThan(c.limit, c.first); (got == longer) != (c.limit == time.Minute) || got != "" && got != longer {
			t.Errorf("%v, and %v for a round: %q", c.limit, c.first, got)
		}
	}
}

// A run that goes on keeps the number of rounds that its first round chose.
func TestALimitedRunKeepsItsRounds(t *testing.T) {
	o := Options{Root: ".", Dir: t.TempDir(), Asked: raw.Asked{Rounds: 24, Seed: 1}, Within: 4 * time.Minute, Resume: true, Placement: "shared"}
	began, err := prepare(t.Context(), o, nil)
	if err != nil || began.Rounds != 24 || began.WithinMS != 240_000 {
		t.Fatalf("%d rounds within %d ms, %v", began.Rounds, began.WithinMS, err)
	}
	began.Rounds = 9
	if err := raw.WriteJSON(filepath.Join(o.Dir, raw.RunFile), began); err != nil {
		t.Fatal(err)
	}
	if again, err := prepare(t.Context(), o, nil); err != nil || again.Rounds != 9 {
		t.Errorf("%d rounds, %v; want 9", again.Rounds, err)
	}
	o.Within = 2 * time.Minute
	if _, err := prepare(t.Context(), o, nil); err == nil {
		t.Error("a run with another limit goes on")
	}
}
