package prove

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// resamples are the comparisons that are put together for each size of change:
// enough for a share of 0.8 to be known to 0.05.
const resamples = 250

// A pool holds the rounds of trials of the same program: how this machine
// scatters when nothing changed.
type pool struct {
	rounds []verdict.Round
	like   verdict.Comparison // of server and epoch, without rounds
	priors verdict.Priors
}

// newPool takes the rounds that count, of the server and epoch of the last such
// trial. Its priors are the last trial's.
func newPool(all []result) (p pool, ok bool) {
	for _, r := range slices.Backward(all) {
		if r.Kind != Same || len(r.Comparison.Rounds) == 0 {
			continue
		}
		if !ok {
			ok, p.like = true, verdict.Comparison{Workload: r.Comparison.Workload, Server: r.Comparison.Server, Epoch: r.Comparison.Epoch, Planned: verdict.Rounds}
			p.priors = r.priors
		}
		if r.Comparison.Server == p.like.Server && r.Comparison.Epoch == p.like.Epoch {
			p.rounds = append(p.rounds, r.Comparison.Counting()...)
		}
	}
	return p, ok && len(p.rounds) >= verdict.Rounds
}

// String says what the pool is of.
func (p pool) String() string {
	priors := "without priors"
	if len(p.priors[p.like.Epoch][p.like.Server]) > 0 {
		priors = "with the priors of its last trial"
	}
	return fmt.Sprintf("%d rounds of epoch %s with the same program on both sides, %s", len(p.rounds), p.like.Epoch, priors)
}

// found says of each comparison whether a change of one cell is found in it. Each
// is put together from rounds drawn from the pool, with replacement; in all of
// them head's figure of the cell is made worse by the change. It is judged look
// by look, as far as a comparison would go on. Every size of change gets the
// same draws, so that a greater one is not found less often by chance. What
// differs from trial to trial and is the same in all rounds of one is not in it.
func (p pool) found(cell string, change float64, seed uint64) iter.Seq[bool] {
	_, metric, _ := strings.Cut(cell, " ")
	if m, _ := record.Find(metric); m.Better == "higher" {
		change = 1/(1+change) - 1
	}
	return func(yield func(bool) bool) {
		random := rand.New(rand.NewPCG(seed, 0))
		for range resamples {
			comparison := p.like
			comparison.Rounds = make([]verdict.Round, 0, verdict.Rounds)
			for i := range verdict.Rounds {
				r := p.rounds[random.IntN(len(p.rounds))]
				r.Round, r.Cells = i+1, maps.Clone(r.Cells)
				for _, name := range parts(comparison, cell) {
					if at, known := r.Cells[name]; known {
						r.Cells[name] = verdict.At{at[0], at[1] * (1 + change)}
					}
				}
				comparison.Rounds = append(comparison.Rounds, r)
			}
			if !yield(p.verdict(comparison, cell) == verdict.Regressed) {
				return
			}
		}
	}
}

// finds says whether a change is found in such a share of comparisons. It ends when
// those that are left decide nothing.
func (p pool) finds(cell string, change, often float64, seed uint64) bool {
	count := map[bool]float64{}
	for found := range p.found(cell, change, seed) {
		if count[found]++; count[true] >= often*resamples || resamples-count[false] < often*resamples {
			break
		}
	}
	return count[true] >= often*resamples
}

// verdict is that of a cell when a comparison with these rounds ends.
func (p pool) verdict(comparison verdict.Comparison, cell string) verdict.Verdict {
	return result{Answer: judged(comparison, p.priors)}.cellVerdict(cell)
}

// judged is the answer of a comparison at the look at which it ends. All its rounds count.
func judged(comparison verdict.Comparison, priors verdict.Priors) (a verdict.Answer) {
	for _, look := range verdict.Looks(comparison.Planned) {
		upTo := comparison
		upTo.Rounds = comparison.Rounds[:look]
		if a = verdict.Judge(upTo, priors); a.Done {
			break
		}
	}
	return a
}

// Changes of less than a tenth of a per cent or more than a doubling are not
// looked for.
const leastChange, mostChange = 0.001, 1.0

// least is the smallest change of a cell that is found in such a share of
// comparisons, to a fiftieth of itself; ok is false if even a doubling is not.
func (p pool) least(cell string, often float64, seed uint64) (change float64, ok bool) {
	if !p.finds(cell, mostChange, often, seed) {
		return 0, false
	}
	low, high := leastChange, mostChange
	for high/low > 1.02 {
		if middle := math.Sqrt(low * high); p.finds(cell, middle, often, seed) {
			high = middle
		} else {
			low = middle
		}
	}
	return high, true
}

// smallest is the table of changes that are found.
func smallest(all []result, seed uint64) Table {
	t := Table{
		Title: "Smallest change that is found",
		Head:  []string{"cell", "80 % of the time", "95 % of the time"},
	}
	p, ok := newPool(all)
	t.Note = fmt.Sprintf("Sizes are in %%. Each comes from %d comparisons. They are resampled from %s. A regression was added to one cell of head. "+
		"This is the best case: it leaves out discarded rounds and the differences between trials.", resamples, p)
	if !ok {
		t.Note = fmt.Sprintf("This table needs %d counting rounds of the same program; there are %d.", verdict.Rounds, len(p.rounds))
		return t
	}
	var cells []string
	for _, quantity := range Quantities {
		cells = append(cells, Cells[quantity])
	}
	for _, cell := range cells {
		row := []string{cell}
		for _, often := range []float64{0.8, 0.95} {
			if change, ok := p.least(cell, often, seed); ok {
				row = append(row, fmt.Sprintf("%.1f", 100*change))
			} else {
				row = append(row, "-")
			}
		}
		t.add(row...)
	}
	return t
}
