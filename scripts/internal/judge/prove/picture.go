package prove

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// A Share is how the comparisons of one kind ended: with the right answer, with a right one that names a size above the margin,
// with none, or with a wrong one.
type Share struct {
	Name                        string // such as "relay: nothing changed"
	Right, Sized, Missed, Wrong int
}

// Shares are those of all trials, in a fixed order. Identical programs and comparisons that were too noisy are left out.
func Shares(trials []Trial) (shares []Share) {
	all := judgeAll(trials)
	unchanged := func(name string, counts func(result) bool) {
		if n := tallied(all, func(r result) bool { return r.unchanged() && counts(r) }); n.within+n.sized+n.none+n.falseAlarms > 0 {
			shares = append(shares, Share{name + ": nothing changed", n.within, n.sized, n.none, n.falseAlarms})
		}
	}
	for _, w := range workload.All {
		unchanged(w.Name, func(r result) bool { return r.Comparison.Workload == w.Name && r.Neighbour == 0 })
	}
	for _, share := range neighbours(trials) {
		unchanged(fmt.Sprintf("neighbour of %g %%", 100*share), func(r result) bool { return r.Neighbour == share })
	}
	quiet := beside(all, 0)
	for _, i := range injections(quiet) {
		shares = append(shares, i.share(quiet))
	}
	return append(shares, patchShares(quiet)...)
}

// share counts the trials of an injection by the verdict of its cell.
func (p injection) share(all []result) Share {
	s := Share{Name: "relay: " + worse(p.cell, p.pct)}
	of := p.of(all)
	s.Right, s.Wrong = p.called(of, verdict.Regressed), p.called(of, verdict.Improved)
	s.Missed = len(of) - s.Right - s.Wrong
	return s
}

// patchShares count the trials of patches of the same size by the verdict of the server. A patch may act on several cells, and the
// first that is found ends the comparison.
func patchShares(all []result) (shares []Share) {
	for _, r := range all {
		if r.Patch == nil {
			continue
		}
		name := r.Patch.share()
		i := slices.IndexFunc(shares, func(s Share) bool { return s.Name == name })
		if i < 0 {
			i = len(shares)
			shares = append(shares, Share{Name: name})
		}
		switch r.Verdict {
		case verdict.Regressed:
			shares[i].Right++
		case verdict.Improved:
			shares[i].Wrong++
		default:
			shares[i].Missed++
		}
	}
	return shares
}

// share names the patches of the same size.
func (p Patch) share() string { return "patches: " + worse(p.Cell, math.Abs(p.Pct)) }

// patchSize is the mean measured change of these patches, by server.
func patchSize(all []result, share string) string {
	changes := map[string][]float64{}
	for _, r := range all {
		if r.Patch != nil && r.Patch.share() == share {
			changes[r.Task.Server] = append(changes[r.Task.Server], measured([]result{r}, r.Patch.Cell)...)
		}
	}
	return meanRange(changes)
}

// worse is a size with the subject of its cell, such as "throughput -4 %".
func worse(cell string, pct float64) string {
	_, metric, _ := strings.Cut(cell, " ")
	if m, _ := record.Find(metric); m.Better == "higher" {
		pct = -pct
	}
	subject := cell
	for _, w := range workload.All {
		for _, c := range w.Criteria {
			if c.Name() == cell && c.Decides != "" {
				subject = c.Decides
			}
		}
	}
	return fmt.Sprintf("%s %+g %%", subject, pct)
}
