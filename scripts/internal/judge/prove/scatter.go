package prove

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// logs are logarithms of a cell's figures in the rounds that count: head less base, and the mean
// of both.
func logs(p verdict.Comparison, cell string) (differences, means []float64) {
	c, known := criterion(p, cell)
	if !known {
		return nil, nil
	}
	for _, r := range p.Counting() {
		if at, known := r.Figures(c); known && at[0] > 0 && at[1] > 0 {
			base, head := math.Log(at[0]), math.Log(at[1])
			differences, means = append(differences, head-base), append(means, (base+head)/2)
		}
	}
	return differences, means
}

// judgedCells are those of trials of the same program that are judged by ratio.
func judgedCells(all []result) []string {
	names := map[string]bool{}
	for _, r := range all {
		if r.Kind != Same {
			continue
		}
		for _, c := range workload.Named(r.Comparison.Workload).Criteria {
			for _, round := range r.Comparison.Counting() {
				if _, known := round.Figures(c); known && !c.Absolute {
					names[c.Name()] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// A spread adds up a cell's variances within trials. So drift over hours is not in it.
type spread struct {
	rounds                 int
	free, difference, mean float64   // degrees of freedom, and sums over them: of head less base, and of the mean of both
	sides                  []float64 // head less base of each trial, in per cent
}

func spreadOf(all []result, cell string) (s spread) {
	for _, r := range all {
		d, m := logs(r.Comparison, cell)
		if len(d) < 2 {
			continue
		}
		s.sides = append(s.sides, 100*stat.Mean(d, nil))
		n := float64(len(d) - 1)
		s.free, s.rounds = s.free+n, s.rounds+len(d)
		s.difference, s.mean = s.difference+n*stat.Variance(d, nil), s.mean+n*stat.Variance(m, nil)
	}
	return s
}

// process is the standard deviation between two processes in the same minutes, as a share. The variance of their
// difference is twice its square.
func (s spread) process() float64 { return math.Sqrt(s.difference / s.free / 2) }

// minute is that between one pair of minutes and the next: what is left of the variance of a round's mean.
func (s spread) minute() float64 { return math.Sqrt(max(0, s.mean/s.free-s.difference/s.free/4)) }

// scatter is the table of where the figures of one program differ.
func scatter(all []result) Table {
	t := Table{
		Title: "Noise of the same program",
		Head:  []string{"cell", "rounds", "process to process, sd %", "minute to minute, sd %", "head over base, %"},
		Note: "Two sources of noise: between two processes in the same minutes, and between one pair of minutes and the next. A comparison has only the first. " +
			"Head over base is the mean over trials with its 95 % interval. An interval without 0 suggests that one side has an advantage; one interval in twenty misses 0 by chance.",
	}
	same := slices.DeleteFunc(slices.Clone(all), func(r result) bool { return r.Kind != Same })
	for _, cell := range judgedCells(all) {
		if s := spreadOf(same, cell); s.free > 0 {
			t.add(cell, fmt.Sprint(s.rounds), fmt.Sprintf("%.2f", 100*s.process()), fmt.Sprintf("%.2f", 100*s.minute()), meanWithin(s.sides))
		}
	}
	return t
}

// meanWithin is a mean with its 95 % interval, of Student's t.
func meanWithin(values []float64) string {
	if len(values) < 2 {
		return "-"
	}
	n := float64(len(values))
	mean, sd := stat.MeanStdDev(values, nil)
	within := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / math.Sqrt(n)
	return fmt.Sprintf("%+.2f (%+.2f to %+.2f)", mean, mean-within, mean+within)
}
