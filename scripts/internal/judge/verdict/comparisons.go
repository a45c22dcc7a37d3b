package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A Comparison is what a run measured of base and head of one server: as much of its
// records as verdicts rest on.
type Comparison struct {
	Workload  string  `json:"workload"`
	Server    string  `json:"server"`
	Epoch     string  `json:"epoch"`           // of machine and rig, as record.Epoch has it
	Load      string  `json:"load,omitempty"`  // difference to the usual load, as record.Run.Load has it
	Planned   int     `json:"planned"`         // rounds, at most
	Once      bool    `json:"once,omitempty"`  // judged once, after all planned rounds
	Quick     bool    `json:"quick,omitempty"` // the load was shortened
	Alpha     float64 `json:"alpha,omitempty"` // false-alarm rate; 0 is Alpha
	Identical bool    `json:"identical"`       // both sides are the same program, and it was not run
	Rounds    []Round `json:"rounds"`
	// FailedChecks are the required checks of the contract that base and head do not pass, MissingChecks the
	// optional ones.
	FailedChecks  [2][]string `json:"failed_checks,omitzero"`
	MissingChecks [2][]string `json:"missing_checks,omitzero"`
	// Margins are the server's own, by name and in per cent: the narrower of base's and head's. So head cannot excuse
	// its own change. Changes are those of margins and requests in head's server.json. LeftOut are its requests that
	// base does not answer as head wants.
	Margins map[string]float64 `json:"margins,omitempty"`
	Limits  map[string]float64 `json:"limits,omitempty"` // absolute ones of the server, as workload.AgreedLimits
	Changes []string           `json:"changes,omitempty"`
	LeftOut []string           `json:"left_out,omitempty"`
	// Packages are versions that differ, and Bump says that only the first was changed, as in raw.Server.
	Packages []string `json:"packages_changed,omitempty"`
	Bump     bool     `json:"bump,omitempty"`
	Releases bool     `json:"releases,omitempty"` // both sides are releases of a package, and so no commits
}

// A Round of a comparison. Discarded says what the machine or the rig did that makes
// its figures nobody's; it is measured again. Faults are the sides' own.
type Round struct {
	Round     int       `json:"round"`
	Discarded []string  `json:"discarded,omitempty"`
	kinds     []string  // of Discarded, without figures
	Faults    [2]string `json:"faults"`        // of base and head: the first that lost requests or could not be loaded, and how
	Dead      [2]bool   `json:"dead,omitzero"` // of base and head: had no figures, in a scenario at least
	// Broken says of base and head that there was nothing to load: it was not built, or
	// fails the contract. Further rounds would be the same.
	Broken [2]bool `json:"broken,omitzero"`
	// Lacks is what this machine lacked to build a side. That is neither side's fault.
	Lacks   string        `json:"lacks,omitempty"`
	Cells   map[string]At `json:"cells"`
	Missing []string      `json:"missing,omitempty"` // cells that a side has no figure of
	// Others is, by level, what other programs and the machine's host had of the
	// machine in base's and in head's slices, in per cent; without those where it is not known.
	Others map[string]At `json:"others,omitempty"`
	// Requests are those with a name, where base and head share the instants; nil without any, and in older records.
	Requests map[string]RequestAt `json:"requests,omitempty"`
	// Outcomes say by name what failed at base and at head: checks and thresholds of a script, and requests.
	Outcomes map[string][2]bool `json:"outcomes,omitempty"`
}

// An At is a cell's figures of base and head in a round.
type At [2]float64

// cellName is how a metric of a scenario is called.
func cellName(scenario, metric string) string { return scenario + " " + metric }

// Figures are base and head of a criterion in a round; over several levels, geometric means.
// known is false if a level has none.
func (r *Round) Figures(c workload.Criterion) (at At, known bool) {
	names := c.Records()
	for i, record := range names {
		names[i] = cellName(record, c.Metric)
	}
	return r.mean(names)
}

// mean is the geometric mean of cells.
func (r *Round) mean(names []string) (at At, known bool) {
	if len(names) == 1 {
		at, known = r.Cells[names[0]]
		return at, known
	}
	for _, name := range names {
		figures, known := r.Cells[name]
		if !known {
			return At{}, false
		}
		for side, v := range figures {
			at[side] += math.Log(v) / float64(len(names))
		}
	}
	return At{math.Exp(at[0]), math.Exp(at[1])}, true
}

// misses reports whether a side has no figure where there should be one.
func (r *Round) misses(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(r.Missing, name) })
}

// Comparisons reads records of comparisons: one Comparison for each server, by name. It leaves
// out records without a side, except direct's.
func Comparisons(records []record.Record) []Comparison {
	records = inOrder(records)
	direct := record.Filter(records, func(r record.Record) bool { return !r.OfServer() })
	sided := record.Filter(records, func(r record.Record) bool { return r.OfServer() && r.Server.Side != "" })
	var comparisons []Comparison
	for _, name := range record.Distinct(sided, func(r record.Record) string { return r.Server.Name }) {
		of := record.Filter(sided, func(r record.Record) bool { return r.Server.Name == name })
		p := Comparison{Workload: of[0].Workload, Server: name, Epoch: record.Epoch(of[0]), Load: of[0].Run.LoadChange.Text(), Planned: of[0].Run.Rounds, Once: of[0].Run.Once, Quick: of[0].Run.Quick}
		if n := of[0].Run.SharedBy; n > 1 {
			p.Alpha = Alpha / float64(n)
		}
		for rest := of; len(rest) > 0; { // they are in order
			n := rest[0].Round
			in := func(r record.Record) bool { return r.Round == n }
			p.Rounds = append(p.Rounds, newRound(n, record.Filter(rest, in), record.Filter(direct, in)))
			rest = record.Filter(rest, func(r record.Record) bool { return r.Round != n })
		}
		p.Identical = identical(of)
		var sides [2]raw.Server
		for _, r := range of {
			if r.Server.Side == "base" {
				sides[0] = r.Server
			} else {
				sides[1] = r.Server
			}
		}
		p.declare(sides[0], sides[1])
		p.discardDelayed(direct)
		comparisons = append(comparisons, p)
	}
	return comparisons
}

// inOrder are records as a comparison writes them, whatever the order of lines: what is said
// of several is said of the first.
func inOrder(records []record.Record) []record.Record {
	return slices.SortedStableFunc(slices.Values(records), func(a, b record.Record) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), scenarios(a.Scenario, b.Scenario), cmp.Compare(a.Target(), b.Target()))
	})
}

// NotLoaded is the reason in records without figures, when both sides are the same source or the same
// program.
const NotLoaded = "identical: both sides are the same program; it was not loaded"

func identical(records []record.Record) bool {
	return !slices.ContainsFunc(records, func(r record.Record) bool { return !NotLoadedRecord(r) })
}

// NotLoadedRecord reports whether a record says that both sides are the same program.
func NotLoadedRecord(r record.Record) bool {
	return r.Status == record.Invalid && len(r.Why) > 0 && strings.Contains(r.Why[0], NotLoaded) // it may stand in a code span
}

func newRound(n int, of, direct []record.Record) Round {
	round := Round{Round: n, Cells: map[string]At{}}
	for _, r := range slices.Concat(of, direct) {
		for _, why := range r.Conditions.Disturbed {
			round.discard(why)
		}
	}
	sides := [2]map[string]record.Record{{}, {}}
	for _, r := range of {
		side := 0
		if r.Server.Side == "head" {
			side = 1
		}
		sides[side][r.Scenario] = r
		round.Faults[side] = cmp.Or(round.Faults[side], fault(r))
		round.Dead[side] = round.Dead[side] || dead(r)
		round.Broken[side] = round.Broken[side] || broken(r)
		round.Lacks = cmp.Or(round.Lacks, lacks(r))
	}
	if slices.ContainsFunc(of, neverLoaded) {
		round.Discarded = nil // the machine did not cause that
	}
	for _, scenario := range slices.SortedFunc(maps.Keys(sides[0]), scenarios) {
		base := sides[0][scenario]
		head, both := sides[1][scenario]
		if !both {
			continue
		}
		round.noteOthers(scenario, base.Conditions, head.Conditions)
		round.noteRequests(base, head)
		round.noteOutcomes(base, head)
		for _, c := range workload.Named(base.Workload).Criteria {
			if !slices.Contains(c.Records(), scenario) {
				continue
			}
			b, known := base.Metrics.Get(c.Metric)
			h, also := head.Metrics.Get(c.Metric)
			switch name := cellName(scenario, c.Metric); {
			case known && also && (c.Absolute || b > 0 && h > 0):
				round.Cells[name] = At{b, h}
			case !c.Optional || known || also: // the slope of memory is of long loads only
				round.Missing = append(round.Missing, name)
			}
		}
	}
	return round
}

var figures = regexp.MustCompile(`(stress-)?[0-9]+(\.[0-9]+)?`)

// discard adds a reason, unless there is one that differs in figures only: trouble of the machine is
// in the record of every target.
func (r *Round) discard(why string) {
	kind := figures.ReplaceAllString(why, "")
	if !slices.Contains(r.kinds, kind) {
		r.Discarded, r.kinds = append(r.Discarded, why), append(r.kinds, kind)
	}
}

// neverLoaded reports whether a side was not built, fails the contract, or did not start. Not even
// the number of failed requests is known.
func neverLoaded(r record.Record) bool {
	_, known := r.Metrics.Get("failed_pct")
	return dead(r) && !known
}

// broken reports whether a side was not built or fails the contract, and so was never loaded.
func broken(r record.Record) bool {
	return neverLoaded(r) && (r.Server.Artefact == nil || len(r.Why) > 0 && strings.HasPrefix(strings.TrimLeft(r.Why[0], "`"), brokenContract)) // it may stand in a code span
}

// noToolchain finds the Go that this machine lacks, in the reason of a server. The reason may stand in a code span, and the
// rest of it then stays there.
var noToolchain = regexp.MustCompile("^(`?)build: [^:]*: (Go [0-9][0-9a-z.]* " + raw.NoToolchain + ")")

// lacks is what this machine lacked to build a server; "" when it was built, or is itself the cause. A server can make
// such a text up, and then is not measured.
func lacks(r record.Record) string {
	if !broken(r) || len(r.Why) == 0 || !noToolchain.MatchString(r.Why[0]) {
		return ""
	}
	return noToolchain.ReplaceAllString(r.Why[0], "$1$2")
}

// brokenContract begins the reason of a server that fails the contract, as in verify.FailedChecks.
const brokenContract = "verify: "

// fault says how a side failed; "" when it answered all requests.
func fault(r record.Record) string {
	share, _ := r.Metrics.Get("failed_pct")
	switch {
	case !dead(r) && share == 0:
		return ""
	case len(r.Why) > 0:
		return r.Scenario + ": " + r.Why[0]
	}
	return fmt.Sprintf("%s: %.2g %% of %ss failed", r.Scenario, share, workload.Named(r.Workload).Unit)
}

// noteOthers notes what other programs had of the machine in the slices of each side.
func (r *Round) noteOthers(scenario string, base, head record.Conditions) {
	if _, level := record.Level(scenario); level == "" {
		return
	}
	b, known := others(base)
	h, also := others(head)
	if !known || !also {
		return
	}
	if r.Others == nil {
		r.Others = map[string]At{}
	}
	r.Others[scenario] = At{b, h}
}

// others is what other programs and the machine's host had of it; per cent.
func others(c record.Conditions) (pct float64, known bool) {
	if c.OthersPct == nil {
		return 0, false
	}
	pct = *c.OthersPct
	if c.StealPct != nil {
		pct += *c.StealPct
	}
	return pct, true
}

// scenarios orders names, and levels by their number: 10 before 100 before 200.
func scenarios(a, b string) int {
	nameA, levelA := record.Level(a)
	nameB, levelB := record.Level(b)
	return cmp.Or(cmp.Compare(nameA, nameB), record.CompareLevels(levelA, levelB))
}
