package prove

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// Comparisons that are drawn for a rate: of false alarms, which are rare, and of wrong verdicts
// "no change".
const (
	alarmDraws     = 20_000
	unchangedDraws = 2000
)

// A drawer puts comparisons together from the rounds of trials in which nothing changed. A
// comparison has the rounds of one trial, in random order. In each round the sides are swapped or
// not, at random, so that nothing has changed in the mean. No round is drawn twice, because
// that would make the scatter smaller than it is.
type drawer struct {
	trials [][]verdict.Round // that count
	like   verdict.Comparison
	priors verdict.Priors // fitted to all trials of the server, also those with a regression
}

// newDrawer takes the server and machine of the last trial of the same program. ok is false if
// there is none with enough rounds.
func newDrawer(all []result) (d drawer, ok bool) {
	p, ok := newPool(all)
	if !ok {
		return d, false
	}
	d.like = p.like
	var noiseHistory []verdict.NoiseHistory
	for _, r := range all {
		if r.Comparison.Server != d.like.Server || r.Comparison.Epoch != d.like.Epoch {
			continue
		}
		noiseHistory = append(noiseHistory, verdict.Remember(r.Comparison, r.Task.ID))
		if counting := r.Comparison.Counting(); r.Kind == Same && len(counting) >= verdict.Rounds {
			d.trials = append(d.trials, counting)
		}
	}
	d.priors = verdict.FitPriors(noiseHistory)
	return d, true
}

// noisier are the trials with all differences of head and base multiplied, and head's figure of a
// cell times factor. Each round comes as it was, and with its sides swapped.
func (d drawer) noisier(times float64, cell string, factor float64) (trials [][][2]verdict.Round) {
	names := parts(d.like, cell)
	for _, rounds := range d.trials {
		var both [][2]verdict.Round
		for _, r := range rounds {
			straight, swapped := r, r
			straight.Cells, swapped.Cells = maps.Clone(r.Cells), maps.Clone(r.Cells)
			straight.Others, swapped.Others = nil, nil // the share of other programs belongs to a side
			for name, at := range r.Cells {
				ratio, worse := math.Pow(at[1]/at[0], times), 1.0
				if slices.Contains(names, name) {
					worse = factor
				}
				straight.Cells[name] = verdict.At{at[0], at[0] * ratio * worse}
				swapped.Cells[name] = verdict.At{at[0], at[0] / ratio * worse}
			}
			both = append(both, [2]verdict.Round{straight, swapped})
		}
		trials = append(trials, both)
	}
	return trials
}

// draw judges n comparisons of such trials and counts the answers that a question is true of.
func (d drawer) draw(trials [][][2]verdict.Round, n int, seed uint64, questions ...func(verdict.Answer) bool) []int {
	const workers = 8 // each with a seed of its own, so that the count does not depend on the machine
	counts := make([][]int, workers)
	var all sync.WaitGroup
	for worker := range workers {
		counts[worker] = make([]int, len(questions))
		all.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(worker)))
			for range n / workers {
				comparison := d.like
				comparison.Rounds = make([]verdict.Round, verdict.Rounds)
				of := trials[random.IntN(len(trials))]
				order := random.Perm(len(of))
				for i := range comparison.Rounds {
					comparison.Rounds[i] = of[order[i]][random.IntN(2)]
				}
				a := judged(comparison, d.priors)
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

// noisierDays is the table of false alarms on days noisier than the noise history.
func noisierDays(all []result, seed uint64, draws int) Table {
	t := Table{
		Title: "False alarms on a noisier day",
		Head:  []string{"noise, times that of the noise history", "comparisons", "false alarms", "%", "no verdict, %"},
	}
	d, ok := newDrawer(all)
	if !ok {
		t.Note = "This table needs trials of the same program."
		return t
	}
	for _, times := range []float64{1, 1.25, 1.5, 2, 3} {
		n := d.draw(d.noisier(times, "", 1), draws, seed,
			func(a verdict.Answer) bool { return result{Answer: a}.falseAlarm() },
			func(a verdict.Answer) bool {
				return a.Verdict == verdict.Inconclusive || a.Verdict == verdict.NotMeasured
			})
		t.add(fmt.Sprint(times), fmt.Sprint(draws), fmt.Sprint(n[0]), percent(n[0], draws), percent(n[1], draws))
	}
	t.Note = fmt.Sprintf("Each comparison is drawn from the rounds of one of %d trials of the same program, of epoch %s. The sides of each round are swapped at random. "+
		"The noise of all cells is multiplied. The noise history is that of these trials as they were. Trials with fewer than 12 counting rounds are left out. Swapping hides any advantage of one side.", len(d.trials), d.like.Epoch)
	return t
}

// wrongUnchanged is the table of changes that are called no change.
func wrongUnchanged(all []result, seed uint64, draws int) Table {
	t := Table{
		Title: "Changes that are called no change",
		Head:  []string{"deciding cell", "true change, %", "comparisons", "cell called no change, %", "server called no change, %"},
	}
	d, ok := newDrawer(all)
	if !ok {
		t.Note = "This table needs trials of the same program."
		return t
	}
	for _, c := range workload.Named(d.like.Workload).Criteria {
		if c.Decides == "" {
			continue
		}
		for _, times := range []float64{1, 1.5} {
			change := times * c.Margin
			if m, _ := record.Find(c.Metric); m.Better == "higher" {
				change = -change
			}
			n := d.draw(d.noisier(1, c.Name(), 1+change), draws, seed,
				func(a verdict.Answer) bool { return result{Answer: a}.cellVerdict(c.Name()) == verdict.Unchanged },
				func(a verdict.Answer) bool { return a.Verdict == verdict.Unchanged })
			t.add(c.Name(), fmt.Sprintf("%+.4g", 100*change), fmt.Sprint(draws), percent(n[0], draws), percent(n[1], draws))
		}
	}
	t.Note = "Such a verdict is wrong, because the change is as large as the margin, or larger by half. The draws are those of the table before."
	return t
}

// percent is k of n in per cent.
func percent(k, n int) string { return fmt.Sprintf("%.2f", 100*float64(k)/float64(max(1, n))) }
