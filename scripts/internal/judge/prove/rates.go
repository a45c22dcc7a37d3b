package prove

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/judge/verdict"
)

// falseAlarm reports whether any cell was called changed.
func (r result) falseAlarm() bool {
	return r.Verdict == verdict.Regressed || r.Verdict == verdict.Improved ||
		slices.ContainsFunc(r.Cells, func(c verdict.Cell) bool { return c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved })
}

// cellVerdict is the verdict of one cell; not measured without one.
func (r result) cellVerdict(name string) verdict.Verdict {
	for _, c := range r.Cells {
		if c.Scenario+" "+c.Metric.Name == name {
			return c.Verdict
		}
	}
	return verdict.NotMeasured
}

// clopperPearson is the exact 95 % interval of a share, after k of n: Clopper and Pearson, The use of confidence or fiducial limits (1934).
func clopperPearson(k, n int) (low, high float64) {
	low, high = 0, 1
	if k > 0 {
		low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(0.025)
	}
	if k < n {
		high = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(0.975)
	}
	return low, high
}

// share is k of n in per cent, with its interval.
func share(k, n int) []string {
	if n == 0 {
		return []string{"-", "-"}
	}
	low, high := clopperPearson(k, n)
	return []string{fmt.Sprintf("%.1f", 100*float64(k)/float64(n)), fmt.Sprintf("%.1f to %.1f", 100*low, 100*high)}
}

// kinds are the trials in which any verdict of change is a false alarm.
var kinds = []struct {
	Kind
	means string
}{{Same, "the same program"}, {Edited, "an edit without effect"}}

// A tally counts trials, and how those without a false alarm ended: no change within the margin, up to two margins,
// without a verdict. Trials that were too noisy are in none of these three.
type tally struct{ trials, falseAlarms, identical, noisy, within, sized, none int }

// noisy reports whether the committed rule excludes a trial: it discarded too many rounds and decided nothing.
func (r result) noisy() bool { return strings.HasPrefix(r.Why, verdict.TooNoisy) }

func tallied(all []result, counts func(result) bool) (t tally) {
	for _, r := range all {
		if !counts(r) {
			continue
		}
		t.trials++
		switch {
		case r.falseAlarm():
			t.falseAlarms++
		case r.Verdict == verdict.Identical:
			t.identical++
		case r.noisy():
			t.noisy++
		case r.Verdict == verdict.Unchanged:
			t.within++
		case r.Verdict == verdict.NoLargeChange:
			t.sized++
		case r.Verdict == verdict.Inconclusive || r.Verdict == verdict.NotMeasured:
			t.none++
		}
	}
	return t
}

// unchanged selects the trials in which nothing changed.
func (r result) unchanged() bool { return r.Kind == Same || r.Kind == Edited }

// is selects the trials of a kind.
func (k Kind) is(r result) bool { return r.Kind == k }

// falseAlarms is the table of changes that were reported where nothing changed.
func falseAlarms(all []result) Table {
	t := Table{
		Title: "False alarms",
		Head:  []string{"head is", "comparisons", "with a false alarm", "%", "95 % interval", "identical"},
		Note: fmt.Sprintf("A false alarm is any cell that is called regressed or improved; the goal is %g %% of comparisons. Intervals are Clopper and Pearson's. "+
			"Identical counts edits that leave the program the same, bit for bit. Those programs are not loaded and give no false alarm.", 100*verdict.Alpha),
	}
	add := func(name string, counts func(result) bool) {
		if n := tallied(all, counts); n.trials > 0 {
			t.add(slices.Concat([]string{name, fmt.Sprint(n.trials), fmt.Sprint(n.falseAlarms)}, share(n.falseAlarms, n.trials), []string{fmt.Sprint(n.identical)})...)
		}
	}
	for _, kind := range kinds {
		add(kind.means, func(r result) bool { return kind.is(r) && r.Neighbour == 0 })
		add(kind.means+", beside a neighbour", func(r result) bool { return kind.is(r) && r.Neighbour > 0 })
	}
	add("any of these", result.unchanged)
	return t
}

// unanswered is the table of comparisons in which nothing changed, and that had no verdict.
func unanswered(all []result) Table {
	t := Table{
		Title: "Verdicts where nothing changed",
		Head:  []string{"of", "comparisons", "too noisy", "within the margin", "up to two margins", "no verdict", "%", "95 % interval"},
		Note:  "Up to two margins means that the verdict names a size above the margin. The share is that of no verdict, which means inconclusive or not measured. Too noisy are comparisons that discarded more than half of their planned rounds and decided nothing. They are not among those without a verdict.",
	}
	add := func(name string, counts func(result) bool) {
		n := tallied(all, func(r result) bool { return r.unchanged() && counts(r) })
		if n.trials > 0 {
			t.add(slices.Concat([]string{name, fmt.Sprint(n.trials), fmt.Sprint(n.noisy), fmt.Sprint(n.within), fmt.Sprint(n.sized), fmt.Sprint(n.none)}, share(n.none, n.trials-n.noisy))...)
		}
	}
	add("all", func(result) bool { return true })
	for _, kind := range kinds {
		add(kind.means, kind.is)
	}
	var servers, noisy []string
	for _, r := range all {
		if r.unchanged() && !slices.Contains(servers, r.Task.Server) {
			servers = append(servers, r.Task.Server)
		}
		if r.unchanged() && r.noisy() {
			noisy = append(noisy, r.Task.ID)
		}
	}
	slices.Sort(servers)
	for _, s := range servers {
		add(s, func(r result) bool { return r.Task.Server == s })
	}
	if noisy != nil {
		t.Note += " Too noisy: " + strings.Join(noisy, ", ") + "."
	}
	return t
}

// An injection is one size of one quantity, in one cell.
type injection struct {
	quantity, cell string
	pct            float64
}

// injections are those of the trials, in a fixed order.
func injections(all []result) (found []injection) {
	for _, quantity := range Quantities {
		var sizes []float64
		for _, r := range all {
			if pct := r.Size[quantity]; r.Kind == Injected && pct > 0 && !slices.Contains(sizes, pct) {
				sizes = append(sizes, pct)
			}
		}
		slices.Sort(sizes)
		for _, pct := range sizes {
			found = append(found, injection{quantity, Cells[quantity], pct})
		}
	}
	return found
}

func (p injection) of(all []result) []result {
	return slices.DeleteFunc(slices.Clone(all), func(r result) bool { return r.Kind != Injected || r.Size[p.quantity] != p.pct })
}

// String names the cell and the size.
func (p injection) String() string { return fmt.Sprintf("%s %+g %%", p.cell, p.pct) }

// called counts the trials in which the cell had this verdict.
func (p injection) called(of []result, v verdict.Verdict) (n int) {
	for _, r := range of {
		if r.cellVerdict(p.cell) == v {
			n++
		}
	}
	return n
}

// sizes are the delivered sizes in trials, in per cent, where known; over several levels, by the
// mean of logarithms, as the cell has it.
func (p injection) sizes(of []result) (pct []float64) {
	for _, r := range of {
		names := parts(r.Comparison, p.cell)
		mean := 0.0
		for _, name := range names {
			if r.Delivered == nil || r.Delivered.Pct[name] == 0 {
				mean = math.NaN()
				break
			}
			mean += math.Log1p(r.Delivered.Pct[name]/100) / float64(len(names))
		}
		if !math.IsNaN(mean) {
			pct = append(pct, 100*math.Expm1(mean))
		}
	}
	return pct
}

// gave is their mean.
func (p injection) gave(of []result) (pct float64, known bool) {
	sizes := p.sizes(of)
	return stat.Mean(sizes, nil), len(sizes) > 0
}

// power is the table of injected regressions that were found.
func power(all []result) Table {
	t := Table{
		Title: "Injected regressions that were found",
		Head:  []string{"cell", "server", "injected %", "delivered %", "measured %", "trials", "found", "%", "95 % interval", "called improved"},
		Note: "A regression is found when its cell is called regressed at the end of the comparison. Delivered is the mean size, by the injected server's own counts. " +
			"Measured is the mean change of the cell over the rounds that count, with its 95 % interval.",
	}
	found := injections(all)
	for _, p := range found {
		for _, g := range p.groups(all) {
			t.add(p.row(g)...)
		}
	}
	if slices.ContainsFunc(found, func(p injection) bool { return p.quantity == Tail }) {
		t.Note += " The delay of stress is sized for level 100; at level 200 it is a smaller share, and the cell is over both."
	}
	return t
}

// A group is the injected trials of one server, or all.
type group struct {
	server  string
	results []result
}

// groups are all trials of an injection, and those of each server if there are several.
func (p injection) groups(all []result) []group {
	of := p.of(all)
	servers := byServer(of)
	if len(servers) == 1 {
		return servers
	}
	return append([]group{{"all", of}}, servers...)
}

// byServer groups injected trials.
func byServer(of []result) (groups []group) {
	results := map[string][]result{}
	for _, r := range of {
		name := strings.TrimSuffix(r.Comparison.Server, InjectedSuffix)
		results[name] = append(results[name], r)
	}
	for _, name := range slices.Sorted(maps.Keys(results)) {
		groups = append(groups, group{name, results[name]})
	}
	return groups
}

// row is the row of power.
func (p injection) row(g group) []string {
	of := g.results
	k, wrong := p.called(of, verdict.Regressed), p.called(of, verdict.Improved)
	gave := "-"
	if mean, known := p.gave(of); known {
		gave = fmt.Sprintf("%.1f", mean)
	}
	return slices.Concat([]string{p.cell, g.server, fmt.Sprint(p.pct), gave, meanWithin(measured(of, p.cell)), fmt.Sprint(len(of)), fmt.Sprint(k)}, share(k, len(of)), []string{fmt.Sprint(wrong)})
}

// delivered is the table of delivered sizes, by the injected servers' own counts.
func delivered(all []result) Table {
	t := Table{
		Title: "Delivered size",
		Head:  []string{"cell", "server", "injected %", "trials", "mean %", "least %", "most %"},
		Note:  "Sizes come from the injected server's own counts, as a share of base's figures in the same trial. They use no measurement of head.",
	}
	for _, p := range injections(all) {
		for _, g := range p.groups(all) {
			if values := p.sizes(g.results); len(values) > 0 {
				t.add(slices.Concat([]string{p.cell, g.server, fmt.Sprint(p.pct), fmt.Sprint(len(values))},
					strings.Fields(fmt.Sprintf("%.2f %.2f %.2f", stat.Mean(values, nil), slices.Min(values), slices.Max(values))))...)
			}
		}
	}
	return t
}

// measured are the mean changes of a cell in trials, in per cent.
func measured(of []result, cell string) (pct []float64) {
	for _, r := range of {
		if d, _ := logs(r.Comparison, cell); len(d) > 0 {
			pct = append(pct, 100*math.Expm1(stat.Mean(d, nil)))
		}
	}
	return pct
}

// size is the mean measured change as text: its range over servers, if there are several.
func (p injection) size(all []result) string {
	changes := map[string][]float64{}
	for _, g := range byServer(p.of(all)) {
		changes[g.server] = measured(g.results, p.cell)
	}
	return meanRange(changes)
}

// meanRange is the mean change in per cent as text, or the least and the most of several servers; "?" without any.
func meanRange(changes map[string][]float64) string {
	var means []float64
	for _, pct := range changes {
		if len(pct) > 0 {
			means = append(means, stat.Mean(pct, nil))
		}
	}
	if len(means) == 0 {
		return "?"
	}
	slices.SortFunc(means, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	least, most := fmt.Sprintf("%+.1f", means[0]), fmt.Sprintf("%+.1f", means[len(means)-1])
	if least == most {
		return least + " %"
	}
	return least + " to " + most + " %"
}
