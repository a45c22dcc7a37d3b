package cusum

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// The simulated histories. A drift is ten commits of 0.5 % CPU time each. Every third commit is a
// release, and every fifth is followed by the weekly comparison.
const (
	histories    = 100
	before       = 12 // commits without a change
	after        = 20 // commits from the first of the drift on
	quiet        = 2000
	releaseEvery = 3
	weekEvery    = 5
	servers      = 8
	mainRule     = "both, as on main"
)

// level is the logarithm of CPU time at a commit, from 1, of a drift.
func level(commit int) float64 { return 0.005 * float64(min(10, max(0, commit-before))) }

var deciding = func() (all []Cell) {
	for _, c := range workload.Named("relay").Criteria {
		if c.Decides != "" {
			all = append(all, Cell{c.Scenario, c.Metric, c.Floor})
		}
	}
	return all
}()

// A machine is the counting rounds of trials in which nothing changed.
type machine struct {
	name   string
	like   verdict.Comparison
	trials [][]verdict.Round
}

// machines reads the published trials of relay, by epoch.
func machines(t *testing.T) (all []*machine) {
	trials := testfile.Read(t, "../prove/trials/2026-12.jsonl", prove.ReadTrials)
	for _, trial := range trials {
		counting := trial.Comparison.Counting()
		if trial.Kind == prove.Injected || trial.Comparison.Workload != "relay" || trial.Neighbour > 0 || len(counting) < 8 {
			continue
		}
		i := slices.IndexFunc(all, func(m *machine) bool { return m.like.Epoch == trial.Comparison.Epoch })
		if i < 0 {
			m := &machine{name: trial.Comparison.Epoch, like: trial.Comparison}
			m.like.Rounds, m.like.Planned, m.like.Once = nil, verdict.OnceRounds, true
			i, all = len(all), append(all, m)
		}
		all[i].trials = append(all[i].trials, counting)
	}
	return all
}

// compare judges a comparison of rounds of one trial, in which the CPU time of head is changed.
// Each round has its sides swapped or not, so that nothing else has changed in the mean.
func (m *machine) compare(random *rand.Rand, change float64) verdict.Answer {
	c := m.like
	trial := m.trials[random.IntN(len(m.trials))]
	for i := range c.Planned {
		r := trial[random.IntN(len(trial))]
		swap, from := random.IntN(2) == 1, r.Cells
		r.Round, r.Cells = i+1, make(map[string]verdict.At, len(from))
		for name, at := range from {
			if swap {
				at = verdict.At{at[1], at[0]}
			}
			if name == "steady server_cpu_us_per_stream" {
				at[1] *= 1 + change
			}
			r.Cells[name] = at
		}
		c.Rounds = append(c.Rounds, r)
	}
	return verdict.Judge(c)
}

// confirmed is the answer of a comparison on main: a regression needs a second comparison.
func (m *machine) confirmed(random *rand.Rand, change float64) verdict.Answer {
	a := m.compare(random, change)
	if a.Verdict == verdict.Regressed {
		second := m.compare(random, change)
		a = verdict.Confirm(a, &second)
	}
	return a
}

// A rule says which base a commit of main is compared with, if not with the commit before. asked
// is false where the commit has no such comparison.
type rule func(commit int, steps []Step) (base int, asked bool)

func byRelease(commit int, _ []Step) (int, bool) {
	return max(1, commit-commit%releaseEvery), commit%weekEvery == 0
}

func byOldest(commit int, _ []Step) (int, bool) { return 1, commit%weekEvery == 0 }

func bySum(_ int, steps []Step) (int, bool) {
	climb, ok := Find(steps[max(0, len(steps)-100):], deciding)
	base, err := strconv.Atoi(climb.Base)
	return base, ok && err == nil
}

// asOnMain is what the plan of main does: a sum that climbs comes before the weekly comparison.
func asOnMain(commit int, steps []Step) (int, bool) {
	if base, asked := bySum(commit, steps); asked {
		return base, true
	}
	return byOldest(commit, steps)
}

// An outcome is what a rule did in a history.
type outcome struct{ found, asked, falsely int }

// run plays a history of commits. Each is compared with the one before, or as the rule says. found
// is the commit of the drift, from 1, at which a far base found it.
func (m *machine) run(random *rand.Rand, ask rule, commits int, level func(int) float64) (o outcome) {
	var steps []Step
	for commit := 2; commit <= commits; commit++ {
		base, asked := ask(commit, steps)
		if !asked {
			base = commit - 1
		} else if o.asked++; base == commit {
			continue
		}
		truth := level(commit) - level(base)
		a := m.confirmed(random, truth)
		var e verdict.Event
		e.Base = fmt.Sprint(base)
		e.Add(a)
		steps = append(steps, Step{base, commit, e})
		if !asked || a.Verdict != verdict.Regressed {
			continue
		}
		if truth == 0 {
			o.falsely++
		} else if o.found == 0 {
			o.found = commit - before
		}
	}
	return o
}

// The table of the page on workflows says what each rule achieves on the machines of the trials.
// -update writes it anew.
func TestADriftIsFound(t *testing.T) {
	table := prove.Table{
		Title: "Ten commits that each cost 0.5 % more CPU time, with a release every three commits",
		Head:  []string{"base of the comparison", "machine", "found within 8 commits, %", "within 20, %", "false, of 1000 commits and series", "comparisons, of 1000 commits"},
		Note: fmt.Sprintf("%d simulated histories for each row, with the noise of [the trials](../../scripts/internal/judge/prove/trials/README.md). "+
			"False events and comparisons come from %d more commits without a change. There are %d series: the %d deciding cells of %d servers. "+
			"The last column adds up all series, as if each commit changed all servers. Such a comparison replaces the one with the commit before.",
			histories, quiet, servers*len(deciding), len(deciding), servers),
	}
	var found, drifts int // within 8 commits, over all machines
	for _, m := range machines(t) {
		for _, r := range []struct {
			name string
			ask  rule
		}{{"weekly: the newest release", byRelease}, {"weekly: the oldest commit", byOldest}, {"where a sum of changes began", bySum}, {mainRule, asOnMain}} {
			random := rand.New(rand.NewPCG(1, 0))
			var within8, within20 int
			for range histories {
				if found := m.run(random, r.ask, before+after, level).found; found > 0 {
					within20++
					if found <= 8 {
						within8++
					}
				}
			}
			none := m.run(random, r.ask, quiet, func(int) float64 { return 0 })
			falsely := float64(none.falsely) * 1000 / quiet / float64(len(deciding))
			table.Rows = append(table.Rows, []string{
				r.name, m.name, fmt.Sprint(100 * within8 / histories), fmt.Sprint(100 * within20 / histories),
				fmt.Sprintf("%.2f", falsely), fmt.Sprint(none.asked * servers * 1000 / quiet),
			})
			if falsely > 1 {
				t.Errorf("%s on %s: %.2f false events; want at most 1", r.name, m.name, falsely)
			}
			if r.name == mainRule {
				found, drifts = found+within8, drifts+histories
			}
		}
	}
	if found*100 < 90*drifts {
		t.Errorf("main found %d of %d drifts within 8 commits; want 90 %%", found, drifts)
	}
	slices.SortStableFunc(table.Rows, func(a, b []string) int { return strings.Compare(a[1], b[1]) })
	var text strings.Builder
	if err := prove.WriteMarkdown(&text, []prove.Table{table}); err != nil {
		t.Fatal(err)
	}
	testfile.Region(t, "../../../../.github/workflows/README.md", "table of the sums of changes", "table", text.String())
}
