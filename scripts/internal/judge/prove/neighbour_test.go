package prove

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
)

// noisy are trials beside a neighbour, whose rounds are the noisier. The guard discards all rounds of the first.
func noisy(share float64) (all []Trial) {
	for i, trial := range many()[:12] {
		trial.Task = Task{ID: fmt.Sprintf("same,neighbour=%g-%d", share, i+1), Kind: Same, Server: goHTTP[0], Seed: uint64(i), Neighbour: share}
		trial.Change, trial.Delivered, trial.Comparison.Identical, trial.NeighbourTookPct = nil, nil, false, 100*share
		random := rand.New(rand.NewPCG(uint64(i), 2))
		rounds := made(trial.Task, verdict.Rounds, 0.1, nil).Comparison.Rounds
		if i == 0 {
			rounds = rounds[:verdict.MostDiscarded(verdict.Rounds)+1]
		}
		for j := range rounds {
			rounds[j].Others = map[string]verdict.At{"stress-100": {30 + random.Float64(), 40 + random.Float64()}}
			if i == 0 {
				rounds[j].Discarded = []string{"other programs used 35 % of the machine in the target's slices; want at most 25 %"}
			}
		}
		trial.Comparison.Rounds = rounds
		all = append(all, trial)
	}
	return all
}

// The tables of quiet trials are the same, whatever trials beside neighbours there are.
func TestTrialsBesideANeighbourHaveTablesOfTheirOwn(t *testing.T) {
	quiet := Tables(many())[1:] // the first counts all
	mixed := many()
	for i, trial := range noisy(0.5) {
		mixed = append(mixed[:2*i], append([]Trial{trial}, mixed[2*i:]...)...)
	}
	mixed = append(mixed, noisy(0.25)...)
	all := Tables(mixed)
	if row := strings.Join(all[0].Rows[1], " | "); !strings.HasPrefix(row, "the same program, beside a neighbour | 24 | ") {
		t.Errorf("false alarms: %s", row)
	}
	all = all[1:]
	if len(all) <= len(quiet) || !reflect.DeepEqual(all[:len(quiet)], quiet) {
		t.Fatalf("%d tables; want the %d of the quiet trials first, unchanged", len(all), len(quiet))
	}
	rest := all[len(quiet):]
	for i, of := range rest {
		want := ", beside a neighbour that takes 25 % of the machine"
		if i >= len(rest)/2 {
			want = strings.Replace(want, "25", "50", 1)
		}
		if !strings.HasSuffix(of.Title, want) {
			t.Errorf("table %d: %q; want the end %q", i, of.Title, want)
		}
		for _, row := range of.Rows {
			if len(row) != len(of.Head) {
				t.Errorf("%s: %d cells of %d: %q", of.Title, len(row), len(of.Head), row)
			}
		}
	}
	if row := strings.Join(rest[len(rest)/2].Rows[0], " | "); !strings.HasPrefix(row, "same | 12 | 277 | 13 | 4.7 | ") || !strings.Contains(row, " | 1 | 50.0 | 3") {
		t.Errorf("discarded rounds: %s", row)
	}
	only := Tables(noisy(0.5))[1:]
	if len(only) != len(rest)/2 || !strings.HasPrefix(only[0].Title, "Discarded rounds, beside") {
		t.Errorf("%d tables of trials beside a neighbour alone, from %q", len(only), only[0].Title)
	}
}

func TestATrialBesideANeighbourMayBeTooNoisy(t *testing.T) {
	alone := noisy(0.5)
	if a := alone[0].Answer(); !strings.HasPrefix(a.Why, verdict.TooNoisy) {
		t.Errorf("%s: %s; want %s", a.Verdict, a.Why, verdict.TooNoisy)
	}
}
