package prove

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// Comparisons that are drawn for a rate: of false alarms, which are rare, of wrong verdicts "no change", and of changes
// that are found.
const (
	rateDraws      = 10_000
	unchangedDraws = 2000
	foundDraws     = 400 // so a share of 0.8 is known to 0.04
)

// A source is the trials of one server on one machine in which nothing changed.
type source struct {
	like   verdict.Comparison // without rounds
	trials [][]verdict.Round  // those that count
}

// leastRounds is how many rounds of a trial must count. Only trials that are judged once are drawn from: one that ended
// early did so because its rounds scatter little, or by chance.
const leastRounds = 12

// A drawer puts comparisons together from the rounds of trials in which nothing changed. A
// comparison has rounds of one trial, drawn with replacement, since it may have more than the
// trial. In each round the sides are swapped or not, at random, so that nothing has changed in the
// mean.
type drawer []source

// newDrawer takes the trials with enough rounds that count, by server and machine.
func newDrawer(all []result) (d drawer) {
	for _, r := range all {
		rounds := r.Comparison.Counting()
		if !r.unchanged() || !r.Comparison.Once || len(rounds) < leastRounds {
			continue
		}
		like := verdict.Comparison{Workload: r.Comparison.Workload, Server: r.Comparison.Server, Epoch: r.Comparison.Epoch, Planned: verdict.Rounds}
		i := slices.IndexFunc(d, func(s source) bool { return s.like.Server == like.Server && s.like.Epoch == like.Epoch })
		if i < 0 {
			i = len(d)
			d = append(d, source{like: like})
		}
		d[i].trials = append(d[i].trials, rounds)
	}
	return d
}

// servers lists the servers of the trials.
func (d drawer) servers() (names []string) {
	for _, s := range d {
		if !slices.Contains(names, s.like.Server) {
			names = append(names, s.like.Server)
		}
	}
	slices.Sort(names)
	return names
}

// of draws from the trials of one server.
func (d drawer) of(server string) drawer {
	return slices.DeleteFunc(slices.Clone(d), func(s source) bool { return s.like.Server != server })
}

// String describes the trials.
func (d drawer) String() string {
	trials := 0
	var epochs []string
	for _, s := range d {
		trials += len(s.trials)
		if !slices.Contains(epochs, s.like.Epoch) {
			epochs = append(epochs, s.like.Epoch)
		}
	}
	return fmt.Sprintf("%d trials in which nothing changed, of epoch %s", trials, strings.Join(epochs, " and "))
}

// A drawn trial is one from which comparisons are drawn. Each round comes as it was, and with its sides swapped.
type drawn struct {
	source
	rounds [][2]verdict.Round
}

// changed are the trials with head's figure of a cell times factor.
func (d drawer) changed(cell string, factor float64) (trials []drawn) {
	for _, s := range d {
		names := parts(s.like, cell)
		for _, rounds := range s.trials {
			t := drawn{source: s}
			for _, r := range rounds {
				straight, swapped := r, r
				straight.Cells, swapped.Cells = maps.Clone(r.Cells), maps.Clone(r.Cells)
				for name, at := range r.Cells {
					ratio, worse := at[1]/at[0], 1.0
					if slices.Contains(names, name) {
						worse = factor
					}
					straight.Cells[name] = verdict.At{at[0], at[0] * ratio * worse}
					swapped.Cells[name] = verdict.At{at[0], at[0] / ratio * worse}
				}
				t.rounds = append(t.rounds, [2]verdict.Round{straight, swapped})
			}
			trials = append(trials, t)
		}
	}
	return trials
}

// worse are the trials in which head's figure of a cell is worse by a share.
func (d drawer) worse(cell string, change float64) []drawn {
	_, metric, _ := strings.Cut(cell, " ")
	if m, _ := record.Find(metric); m.Better == "higher" {
		return d.changed(cell, 1/(1+change))
	}
	return d.changed(cell, 1+change)
}

// draw judges n comparisons of such trials and counts the answers that a question is true of. The same seed draws the
// same rounds, whatever the change is.
func draw(trials []drawn, n int, seed uint64, questions ...func(verdict.Answer) bool) []int {
	const workers = 8 // each with a seed of its own, so that the count does not depend on the machine
	counts := make([][]int, workers)
	var all sync.WaitGroup
	for worker := range workers {
		counts[worker] = make([]int, len(questions))
		all.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(worker)))
			for range n / workers {
				t := trials[random.IntN(len(trials))]
				comparison := t.like
				comparison.Rounds = make([]verdict.Round, verdict.Rounds)
				for i := range comparison.Rounds {
					comparison.Rounds[i] = t.rounds[random.IntN(len(t.rounds))][random.IntN(2)]
				}
				a := judged(comparison)
				for i, is := range questions {
					if is(a) {
						counts[worker][i]++
					}
				}
			}
		})
	}
	all.Wait()
	sums := make([]int, len(questions))
	for _, of := range counts {
		for i, n := range of {
			sums[i] += n
		}
	}
	return sums
}

// judged is the answer of a comparison at the look at which it ends. All its rounds count.
func judged(comparison verdict.Comparison) (a verdict.Answer) {
	for _, look := range verdict.Looks(comparison.Planned) {
		upTo := comparison
		upTo.Rounds = comparison.Rounds[:look]
		if a = verdict.Judge(upTo); a.Done {
			break
		}
	}
	return a
}

// calls asks whether a cell has a verdict.
func calls(cell string, v verdict.Verdict) func(verdict.Answer) bool {
	return func(a verdict.Answer) bool { return result{Answer: a}.cellVerdict(cell) == v }
}

// drawnRates is the table of verdicts where nothing changed.
func drawnRates(all []result, seed uint64, draws int) Table {
	t := Table{
		Title: "Where nothing changed, in comparisons that are drawn",
		Head:  []string{"server", "no change, within the margin, %", "no change, up to two margins, %", "no verdict, %", "false alarm, %", "at most 8 rounds, %"},
	}
	d := newDrawer(all)
	if d == nil {
		return t
	}
	is := func(v verdict.Verdict) func(verdict.Answer) bool {
		return func(a verdict.Answer) bool { return a.Verdict == v && !(result{Answer: a}).falseAlarm() }
	}
	add := func(name string, d drawer) {
		n := draw(d.changed("", 1), draws, seed, is(verdict.Unchanged), is(verdict.NoLargeChange),
			func(a verdict.Answer) bool {
				return is(verdict.Inconclusive)(a) || is(verdict.NotMeasured)(a)
			},
			func(a verdict.Answer) bool { return result{Answer: a}.falseAlarm() },
			func(a verdict.Answer) bool { return a.Rounds <= 8 })
		row := []string{name}
		for _, k := range n {
			row = append(row, percent(k, draws))
		}
		t.add(row...)
	}
	add("all", d)
	for _, server := range d.servers() {
		add(server, d.of(server))
	}
	t.Note = fmt.Sprintf("Each row is of %d comparisons. A comparison has up to %d rounds, drawn with replacement from one of %s. The sides of each round are swapped at random, which hides any advantage of one side. "+
		"Left out are trials that could end early, and those with fewer than %d counting rounds.", draws, verdict.Rounds, d, leastRounds)
	return t
}

// wrongUnchanged is the table of changes that are called no change.
func wrongUnchanged(all []result, seed uint64, draws int) Table {
	t := Table{
		Title: "Changes that are called no change",
		Head:  []string{"deciding cell", "true change, %", "cell called no change, %", "server called no change, %", "server named a size below it, %"},
	}
	d := newDrawer(all)
	if d == nil {
		return t
	}
	for _, c := range workload.Named(d[0].like.Workload).Criteria {
		if c.Decides == "" {
			continue
		}
		for _, times := range []float64{1, 1.5} {
			change := times * c.Margin
			if m, _ := record.Find(c.Metric); m.Better == "higher" {
				change = -change
			}
			n := draw(d.changed(c.Name(), 1+change), draws, seed,
				calls(c.Name(), verdict.Unchanged),
				func(a verdict.Answer) bool { return a.Verdict == verdict.Unchanged },
				func(a verdict.Answer) bool {
					return a.Verdict == verdict.NoLargeChange && excludes(a, c.Name(), math.Abs(change))
				})
			t.add(c.Name(), fmt.Sprintf("%+.4g", 100*change), percent(n[0], draws), percent(n[1], draws), percent(n[2], draws))
		}
	}
	t.Note = fmt.Sprintf("Such a verdict is wrong, because the change is as large as the margin, or larger by half. Each row is of %d comparisons, drawn as those of the table before.", draws)
	return t
}

// excludes reports whether the interval of a cell excludes a change.
func excludes(a verdict.Answer, cell string, change float64) bool {
	return slices.ContainsFunc(a.Cells, func(c verdict.Cell) bool { return c.Criterion.Name() == cell && c.Excluded() < change })
}

// percent is k of n in per cent.
func percent(k, n int) string { return fmt.Sprintf("%.2f", 100*float64(k)/float64(max(1, n))) }
