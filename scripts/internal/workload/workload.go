// Package workload lists the workloads: how their servers are named, loaded and shown. A workload is a
// contract that servers implement. Each workload has one file here, the only list of its scenarios, levels
// and columns. The package holds data only.
package workload

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Units of workloads. Each has metrics of its own.
const (
	Stream    = "stream"    // of tokens: k6/x/sse
	Request   = "request"   // k6/x/plain
	Iteration = "iteration" // of a k6 script of a server's own
)

// Units lists the units.
var Units = []string{Stream, Request, Iteration}

// A Workload holds what distinguishes it from other workloads.
type Workload struct {
	Name  string
	Order int    // place in lists
	Title string // of a picture of its servers
	Does  string // what its servers do, in a sentence
	Bench string // name of its benchmark in the Go benchmark format
	Unit  string // what one VU does at a time: one of Units

	// Vital are the checks of the contract without which a load means nothing: the server does not answer, answers
	// wrongly, or does not stream. "C4" are all of that clause, and "C3 exact" is one. A comparison loads a server that
	// fails others at base.
	Vital []string
	// Declares says that each server lists its own requests, and the answers to them, in its server.json.
	Declares bool
	// Scripted says that each server has a k6 script of its own, which one k6 runs for each target. Nothing is direct.
	Scripted bool
	// Mixes says that each level sends several requests. CPU time, memory and throughput cover all of them together, and
	// latency has a figure for each name.
	Mixes bool
	// Upstream says that servers ask the stub. Their environment then has STUB_URL, which is StubPath on the stub.
	// Otherwise only direct asks the stub.
	Upstream bool
	StubPath string
	// Database says that each server has a PostgreSQL database with the tables of schema.sql, and a Redis.
	Database bool
	// Stub are the parts of the stub that answer this workload: directories of stub/.
	Stub []string
	// Path follows a server's address, and DirectPath the stub's, in the URL that k6 gets of a target.
	Path, DirectPath string

	// Beside is how many servers the machine carries beside each other at the full pace; 0: any number. A run of more
	// divides the pace of each.
	Beside    int
	Scenarios []Scenario // in display order; run loads all of them
	Soak      Scenario

	// Cost ranks servers in the first loaded scenario of CostIn. Throughput ranks them on the highest level.
	Cost, Throughput Column
	CostOf           string // what Cost is the cost of: "stream", "megabyte"
	CostIn           []string

	Parts       []Part      // of the cost of a request
	Rounds      int         // of scripts/bench run; k6/shapes/README.md says why
	Leaderboard []string    // metrics of the leaderboard in each scenario
	Charts      []Chart     // charts of the history
	Criteria    []Criterion // cells of a comparison, in the order of display
	Claims      []Claim     // what others measured of such servers

	Frameworks []Framework
	Additions  []Addition // what one of Frameworks may add
}

// A Part is a share of a cost that no scenario has alone: a metric in one scenario, less the same in another, divided by
// how many of the part are between them.
type Part struct {
	Label    string
	Column   Column
	Scenario string
	Less     string // scenario; "" subtracts nothing
	Per      float64
}

// A Criterion is a metric in a scenario that comparisons judge. With Levels it is one cell
// over all of them: the mean of their logarithms.
type Criterion struct {
	Scenario string
	Levels   []string
	Metric   string
	// Floor is the smallest change that is reported, however sure. Margin is the change that a
	// cell must exclude to count as unchanged. Both are shares of base; those of an Absolute
	// metric are in its unit.
	Floor, Margin float64
	Absolute      bool // the change is a difference: base may be 0, or below
	Optional      bool // both sides may have no figure
	// Decides is the subject that the cell decides on, such as "CPU". Only such cells leave a
	// server without a verdict, or keep a comparison going. "" is a cell that does not decide.
	Decides string
}

// Name names the cell: its scenario and metric.
func (c Criterion) Name() string { return c.Scenario + " " + c.Metric }

// Records are the scenarios of the records that the cell reads.
func (c Criterion) Records() (names []string) {
	for _, level := range c.Levels {
		names = append(names, c.Scenario+"-"+level)
	}
	if names == nil {
		names = []string{c.Scenario}
	}
	return names
}

// Absolute reports whether changes of a metric are differences.
func Absolute(metric string) bool {
	return slices.ContainsFunc(All, func(w Workload) bool {
		return slices.ContainsFunc(w.Criteria, func(c Criterion) bool { return c.Metric == metric && c.Absolute })
	})
}

// Judged are the metrics that comparisons judge in the records of a scenario or level.
func (w Workload) Judged(record string) (metrics []string) {
	for _, c := range w.Criteria {
		if slices.Contains(c.Records(), record) {
			metrics = append(metrics, c.Metric)
		}
	}
	return metrics
}

// VUDivisor divides the VUs and the pace where a number of servers are side by side; 0 leaves them.
func (w Workload) VUDivisor(servers int) int {
	if w.Beside == 0 || servers <= w.Beside {
		return 0
	}
	return (servers + w.Beside - 1) / w.Beside
}

// A Scenario is a shape of load. Without levels all targets are loaded side by side at a fixed pace. On a
// level they take slices.
type Scenario struct {
	Name     string
	Load     string // what k6 does
	Shows    string // what its figures say; "" where pages do not list it
	Levels   []string
	Alone    bool     // comparisons leave it out
	Compared []string // levels of a comparison
	Rate     bool     // a level is a fixed arrival rate, and no number of VUs
	Columns  []Column // columns of its table
}

// A Chart is a metric of the history in one scenario.
type Chart struct {
	Scenario, Metric string
	Label            string
	Headline         bool // belongs to the smallest set that covers everything
}

// All lists the workloads in their order. The first is the default. The file of each workload adds it.
var All []Workload

// Names of the workloads that a new server.json is written for.
const Relay, HTTP, Scripted = "relay", "http", "scripted"

// RoundsText lists the default numbers of rounds: "3 of relay, 6 of web".
func RoundsText() string {
	var parts []string
	for _, w := range All {
		parts = append(parts, fmt.Sprintf("%d of %s", w.Rounds, w.Name))
	}
	return strings.Join(parts, ", ")
}

// register adds a workload to All.
func register(w Workload) Workload {
	All = append(All, w)
	slices.SortFunc(All, func(a, b Workload) int { return cmp.Compare(a.Order, b.Order) })
	return w
}

// Named returns a workload by name, and the first for an unknown one.
func Named(name string) Workload {
	if w, ok := Find(name); ok {
		return w
	}
	return All[0]
}

// Find returns a workload by name. ok is false for an unknown one.
func Find(name string) (w Workload, ok bool) {
	i := slices.IndexFunc(All, func(w Workload) bool { return w.Name == name })
	if i < 0 {
		return w, false
	}
	return All[i], true
}

// Env is the environment of a server that listens on a port, beside a stub at an address.
func (w Workload) Env(port int, stub string) []string {
	env := []string{"HOST=127.0.0.1", fmt.Sprintf("PORT=%d", port)}
	if w.Upstream {
		env = append(env, "STUB_URL="+stub+w.StubPath)
	}
	return env
}

// ScenarioNames lists the scenarios that run loads by default.
func (w Workload) ScenarioNames() (names []string) {
	for _, s := range w.Scenarios {
		names = append(names, s.Name)
	}
	return names
}

// Paced lists the scenarios that load all targets side by side, and Sliced those with levels.
func (w Workload) Paced() (names []string) {
	for _, s := range append(w.Scenarios[:len(w.Scenarios):len(w.Scenarios)], w.Soak) {
		if s.Levels == nil {
			names = append(names, s.Name)
		}
	}
	return names
}

func (w Workload) Sliced() (names []string) {
	for _, s := range w.Scenarios {
		if s.Levels != nil {
			names = append(names, s.Name)
		}
	}
	return names
}

// ComparedRecords lists the scenarios of the records that each k6 run of a comparison must have. A fixed list
// keeps anybody from leaving out a bad record.
func (w Workload) ComparedRecords() (names []string) {
	for _, s := range w.Scenarios {
		if s.Levels == nil && !s.Alone {
			names = append(names, s.Name)
		}
		for _, level := range s.Compared {
			names = append(names, s.Name+"-"+level)
		}
	}
	return names
}

// ScenarioOf returns the scenario of a record's name: stress for stress-200. Other names stay as they are.
func (w Workload) ScenarioOf(record string) string {
	for _, s := range w.Scenarios {
		if name, level, _ := strings.Cut(record, "-"); name == s.Name && slices.Contains(s.Levels, level) {
			return s.Name
		}
	}
	return record
}

// FixedRate reports whether the levels of a record's scenario are fixed arrival rates.
func (w Workload) FixedRate(record string) bool {
	name, _, _ := strings.Cut(record, "-")
	return slices.ContainsFunc(w.Scenarios, func(s Scenario) bool { return s.Name == name && s.Rate })
}

// Columns returns the columns of a scenario's table. The name may include a level. An unknown scenario gets
// the columns of the first scenario that has levels, or that has none, as it does.
func (w Workload) Columns(scenario string) []Column {
	name, _, on := strings.Cut(scenario, "-")
	all := append(w.Scenarios[:len(w.Scenarios):len(w.Scenarios)], w.Soak)
	i := slices.IndexFunc(all, func(s Scenario) bool { return s.Name == name })
	if i < 0 {
		i = slices.IndexFunc(all, func(s Scenario) bool { return (s.Levels != nil) == on })
	}
	return all[max(0, i)].Columns
}

// Rates are the rates that a comparison chooses from where servers declare their requests, in requests per second.
// Few rates make most comparisons of a server alike, so they have the same epoch.
var Rates = []int{10, 20, 50, 100, 200, 500, 1000, 2000, 5000}
