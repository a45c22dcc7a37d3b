package prove

import (
	"fmt"
	"slices"

	"fairstream/scripts/internal/judge/record"
)

// beside are the trials whose simulated neighbour takes this share of the machine. Without a neighbour it is 0.
func beside(all []result, share float64) []result {
	return slices.DeleteFunc(slices.Clone(all), func(r result) bool { return r.Neighbour != share })
}

// neighbours are the shares that occur, in order, without 0.
func neighbours(trials []Trial) (shares []float64) {
	for _, t := range trials {
		if t.Neighbour > 0 && !slices.Contains(shares, t.Neighbour) {
			shares = append(shares, t.Neighbour)
		}
	}
	slices.Sort(shares)
	return shares
}

// withNeighbour makes the tables of trials beside one neighbour.
func withNeighbour(all []result, share float64) []Table {
	tables := []Table{discarded(all), unanswered(all), excluded(all), power(all), delivered(all), times(all), scatter(all)}
	for i := range tables {
		tables[i].Title += fmt.Sprintf(", beside a neighbour that takes %g %% of the machine", 100*share)
	}
	return tables
}

// discarded is the table of rounds that did not count.
func discarded(all []result) Table {
	t := Table{
		Title: "Discarded rounds",
		Head:  []string{"head is", "comparisons", "rounds", "discarded", "%", "95 % interval", "too noisy", "neighbour had, median %", "others in slices, median %"},
		Note: "The simulated neighbour takes one core or more in bursts of random length. It counts as other programs, as any neighbour does. " +
			"Too noisy are comparisons that discarded more than half of their planned rounds and decided nothing. Others are other programs and the host, in the slices of base and head.",
	}
	for _, kind := range []Kind{Same, Edited, Injected} {
		var rounds, lost, noisy, n int
		var took, others []float64
		for _, r := range all {
			if r.Kind != kind {
				continue
			}
			n++
			if r.noisy() {
				noisy++
			}
			if !r.Comparison.Identical {
				took = append(took, r.NeighbourTookPct)
			}
			for _, round := range r.Comparison.Rounds {
				rounds++
				if len(round.Discarded) > 0 {
					lost++
				}
				for _, at := range round.Others {
					others = append(others, at[0], at[1])
				}
			}
		}
		if n > 0 {
			t.add(slices.Concat([]string{string(kind), fmt.Sprint(n), fmt.Sprint(rounds), fmt.Sprint(lost)}, share(lost, rounds), []string{fmt.Sprint(noisy), medianOf(took), medianOf(others)})...)
		}
	}
	return t
}

// medianOf is the median as text; - of nothing.
func medianOf(values []float64) string {
	if len(values) == 0 {
		return "-"
	}
	slices.Sort(values)
	return fmt.Sprintf("%.1f", record.Median(values))
}
