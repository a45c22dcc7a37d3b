// Package plan turns the event that started a workflow into what is to be
// measured. It decides whose code may reach the benchmark machine, trusts
// nothing that an event carries, and measures nothing itself.
package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"fairstream/k6/shared/strict"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// Kinds of plan.
const (
	Main = "main" // a commit of the main branch, for the history
	Pull = "pull" // a pull request against where it left main
)

// A Plan is handed from job to job as one line of JSON.
type Plan struct {
	Kind        string            `json:"kind"`
	Revision    string            `json:"revision"` // of the servers; full hash
	Base        string            `json:"base"`     // of a pull: where it left main
	Pull        int               `json:"pull"`     // number of the pull request, else 0
	Servers     []workload.Server `json:"servers"`
	LeftOut     []workload.Server `json:"left_out,omitempty"` // of a pull: it changes them too, and the person who started it did not name them
	Foreign     bool              `json:"foreign,omitempty"`  // of a pull: a fork or a bot made it, so a person had to start it
	Bot         bool              `json:"bot,omitempty"`      // of a foreign pull: it is on a branch of the repository, so only a bot made it
	Scenarios   map[string]string `json:"scenarios"`          // of main, by workload, separated by commas, as -scenario takes them; a comparison has its own
	Rounds      int               `json:"rounds"`             // of a pull: at most, but for those that the machine spoils
	Once        bool              `json:"-"`                  // OfComparison: judged once
	Leaderboard int               `json:"leaderboard"`        // rounds in which all servers of a workload are loaded together; 0: they are not
	Quick       bool              `json:"quick"`
	Rig         bool              `json:"rig"`              // a pull: it changes k6/, stub/ or scripts/ too
	Reason      string            `json:"reason"`           // that the person who started it gave
	Say         string            `json:"say"`              // why nothing is measured
	Reply       bool              `json:"reply,omitempty"`  // Say answers a comment, and no earlier comment is replaced
	Within      string            `json:"within,omitempty"` // of a pull: limit of the load of each comparison, such as 6m0s
	Comparisons []Comparison      `json:"comparisons"`      // of main: servers that are loaded beside what they were
	Trials      bool              `json:"trials,omitempty"` // of main: servers are also compared with themselves
	// Directory is that of the server in another repository; "" for servers of this one. Run and Attempt are the workflow
	// run that measured, if another one reports.
	Directory string `json:"directory,omitempty"`
	Run       string `json:"run,omitempty"`
	Attempt   int    `json:"attempt,omitempty"`
	// Began is when that run began; zero is unknown.
	Began time.Time `json:"began,omitzero"`
}

// Claimed reports whether a workflow of a fork made the records. It may write what it wants into them.
func (p Plan) Claimed() bool { return p.Foreign && !p.Bot && p.Run != "" }

// A Comparison is a server of main that changed since a commit whose figures are
// published. Each has its own: not every run measures every server.
type Comparison struct {
	workload.Server
	Base    string `json:"base"`    // full hash
	Gradual bool   `json:"gradual"` // base is the accepted level, the oldest commit, or where a sum of changes began to climb
}

// Rounds of a job, by default. A trend run has two rounds: each push waits for the machine,
// and the trend compares it with many earlier runs. The leaderboard run has more, since
// two rounds hardly show how much fresh processes differ. A comparison has as many rounds
// as its verdict needs, and one round gives no verdict. On main nobody waits, and an early end
// would cost the sums of changes their precision. So it is judged once.
const (
	mainRounds        = 2
	leaderboardRounds = 6
	maxRounds         = 20
	pullRounds        = verdict.Rounds
	comparisonRounds  = verdict.OnceRounds // on main
	leastPull         = 2
	maxPull           = 24
)

// bounds limit the rounds of a job.
func (p Plan) bounds() (least, most int) {
	if p.Kind == Pull {
		return leastPull, maxPull
	}
	return 1, maxRounds
}

// Leaderboard names the output with the leaderboard runs, and the input with their rounds. No server may have
// this name.
const Leaderboard = "leaderboard"

// LeaderboardRun names the job that loads all servers of a workload in the same minutes. LeaderboardDetails
// names the details of its records.
func LeaderboardRun(workload string) string { return workload + "." + Leaderboard }

func LeaderboardDetails(workload string) string { return LeaderboardRun(workload) + ".details" }

// MachineLabel begins the labels of the runners on the benchmark machine.
const MachineLabel = "fairstream-"

// A Job loads servers on the benchmark machine: a trend run, a leaderboard run, or a
// comparison. It is an element of a workflow's matrix.
type Job struct {
	Name      string `json:"name"`                // Dotted of its server, a LeaderboardRun, or a ComparisonRun
	Servers   string `json:"servers"`             // arguments of scripts/bench run, separated by spaces; of one workload
	Scenarios string `json:"scenarios,omitempty"` // as -scenario takes them; a comparison has its own
	Rounds    int    `json:"rounds"`
	Base      string `json:"base,omitempty"`    // full hash; of a comparison only
	Once      bool   `json:"once,omitempty"`    // of a comparison: judged once, after all rounds
	Confirm   string `json:"confirm,omitempty"` // ConfirmRun; of a comparison of main only
	Details   string `json:"details,omitempty"` // LeaderboardDetails; of a leaderboard run only
	// SharedBy is how many servers share the false-alarm rate: all that a pull request loads. 0: one.
	SharedBy int `json:"shared_by,omitempty"`
	// Within is for how long the job begins comparisons of servers with themselves, such as 90m; of the job TrialRun only.
	Within string `json:"within,omitempty"`
	// Limit is that of the load of a comparison, such as 6m0s; "" is its rounds alone.
	Limit string `json:"limit,omitempty"`
}

// TrialRun names the job that compares servers with themselves. No workload has the name "trials".
const TrialRun = "trials"

// trialsWithin leaves a job of two hours time for its last comparison, and for cold builds.
const trialsWithin = "90m"

// ComparisonRun names the job of main that compares a server with its earlier revision.
// ConfirmRun names the records of its second comparison, which confirms a regression.
// No workload has the name "comparison" or "confirm".
func ComparisonRun(server workload.Server) string { return "comparison." + server.Dotted() }

func ConfirmRun(server workload.Server) string { return "confirm." + server.Dotted() }

// Join lists servers as text.
func Join(servers []workload.Server, by string) string {
	var all []string
	for _, s := range servers {
		all = append(all, s.String())
	}
	return strings.Join(all, by)
}

// Workloads lists the workloads of a plan's servers, in the order of all workloads.
func (p Plan) Workloads() (names []string) {
	for _, name := range workload.Names() {
		if len(p.Of(name)) > 0 {
			names = append(names, name)
		}
	}
	return names
}

// Of lists the servers of a workload.
func (p Plan) Of(workload string) (servers []workload.Server) {
	for _, s := range p.Servers {
		if s.Workload == workload {
			servers = append(servers, s)
		}
	}
	return servers
}

// Jobs load one server each: trend runs on main, comparisons in a pull request.
func (p Plan) Jobs() []Job {
	jobs := []Job{} // a matrix wants a list
	for _, s := range p.Servers {
		jobs = append(jobs, Job{Name: s.Dotted(), Servers: s.String(), Scenarios: p.Scenarios[s.Workload], Rounds: p.Rounds, Base: p.Base, SharedBy: p.SharedBy(), Limit: p.Within})
	}
	return jobs
}

// SharedBy is how many servers share the false-alarm rate of a comparison; 0: one. A pull request has
// one rate, however many servers it changes. On main a second comparison confirms each regression.
func (p Plan) SharedBy() int {
	if p.Kind != Pull || len(p.Servers) < 2 {
		return 0
	}
	return len(p.Servers)
}

// ComparisonRuns are the jobs of main that compare a server with its earlier revision.
func (p Plan) ComparisonRuns() []Job {
	jobs := []Job{}
	for _, comparison := range p.Comparisons {
		jobs = append(jobs, Job{
			Name: ComparisonRun(comparison.Server), Servers: comparison.Server.String(), Rounds: comparisonRounds,
			Base: comparison.Base, Once: true, Confirm: ConfirmRun(comparison.Server),
		})
	}
	return jobs
}

// TrialRuns is the job that compares servers with themselves, if the plan has it.
func (p Plan) TrialRuns() []Job {
	if !p.Trials {
		return []Job{}
	}
	return []Job{{Name: TrialRun, Servers: "all", Within: trialsWithin}}
}

// OfComparison is the plan of a comparison of main alone, as if it were of a pull request.
func (p Plan) OfComparison(comparison Comparison) Plan {
	return Plan{Kind: Pull, Revision: p.Revision, Base: comparison.Base, Servers: []workload.Server{comparison.Server}, Rounds: comparisonRounds, Once: true, Quick: p.Quick}
}

// Leaderboards lists the workloads that have a leaderboard run: those of two or more servers. A server alone
// has nothing to compare with.
func (p Plan) Leaderboards() (names []string) {
	if p.Leaderboard == 0 {
		return nil
	}
	for _, name := range p.Workloads() {
		if len(p.Of(name)) > 1 {
			names = append(names, name)
		}
	}
	return names
}

// Together are the leaderboard runs, one for each workload.
func (p Plan) Together() []Job {
	jobs := []Job{}
	for _, name := range p.Leaderboards() {
		jobs = append(jobs, Job{
			Name: LeaderboardRun(name), Servers: Join(p.Of(name), " "), Scenarios: p.Scenarios[name], Rounds: p.Leaderboard, Details: LeaderboardDetails(name),
		})
	}
	return jobs
}

// Parse reads a plan that an earlier job wrote, and checks it again.
func Parse(text string) (Plan, error) {
	var p Plan
	if err := strict.Decode([]byte(text), &p); err != nil {
		return p, fmt.Errorf("plan: %w; want what scripts/bench ci plan printed", err)
	}
	return p, p.check()
}

func (p Plan) check() error {
	least, most := p.bounds()
	switch {
	case p.Kind != Main && p.Kind != Pull:
		return fmt.Errorf("plan: kind %q; want %s or %s", p.Kind, Main, Pull)
	case p.Directory != "" && (!directoryForm.MatchString(p.Directory) || len(p.Servers) > 1):
		return fmt.Errorf("plan: directory %q with %d servers; want a path with one server", p.Directory, len(p.Servers))
	case !record.IsCommit(p.Revision):
		return fmt.Errorf("plan: revision %q; want a full hash", p.Revision)
	case p.Kind == Main && (p.Base != "" || p.Pull != 0):
		return errors.New("plan: kind main with a base or a pull request")
	case p.Kind == Pull && len(p.Servers) > 0 && (!record.IsCommit(p.Base) || p.Pull < 1):
		return fmt.Errorf("plan: pull request %d, base %q; want a number and a full hash", p.Pull, p.Base)
	case p.Kind == Pull && len(p.Servers) > mostNamed:
		return fmt.Errorf("plan: a pull request with %d servers; want at most %d", len(p.Servers), mostNamed)
	case p.Trials && (p.Kind != Main || p.Directory != ""):
		return errors.New("plan: trials in a pull request or in another repository; want them on main of this one")
	case p.Kind == Main && (len(p.LeftOut) > 0 || p.Foreign):
		return errors.New("plan: kind main with servers that are left out, or with foreign code")
	case len(p.Servers) > 0 && (p.Rounds < least || p.Rounds > most):
		return fmt.Errorf("plan: %d rounds; want %d to %d", p.Rounds, least, most)
	case p.Leaderboard < 0 || p.Leaderboard > maxRounds:
		return fmt.Errorf("plan: %d rounds of %s; want 0 to %d", p.Leaderboard, Leaderboard, maxRounds)
	case p.Leaderboard > 0 && (p.Kind != Main || len(p.Leaderboards()) == 0):
		return fmt.Errorf("plan: %s of %d servers in a plan of kind %s; want two or more of a workload, and of %s", Leaderboard, len(p.Servers), p.Kind, Main)
	case !validWithin(p.Within):
		return fmt.Errorf("plan: within %q; want a duration of %v to %v", p.Within, leastWithin, mostWithin)
	case p.Kind == Pull && len(p.Scenarios) > 0:
		return fmt.Errorf("plan: kind pull with the scenarios %q; a comparison has its own", p.Scenarios)
	}
	for name, scenarios := range p.Scenarios {
		if len(p.Of(name)) == 0 {
			return fmt.Errorf("plan: scenarios of workload %.60q, which has no server in the plan", name)
		}
		for _, scenario := range words(scenarios) {
			if !workload.IsServerName(scenario) {
				return fmt.Errorf("plan: %q is not the name of a scenario", scenario)
			}
		}
	}
	for _, s := range p.Servers {
		if p.Kind == Main && p.Scenarios[s.Workload] == "" {
			return fmt.Errorf("plan: no scenarios of workload %.60q", s.Workload)
		}
	}
	paired := map[workload.Server]bool{}
	for _, comparison := range p.Comparisons {
		if p.Kind != Main || !slices.Contains(p.Servers, comparison.Server) || !record.IsCommit(comparison.Base) || comparison.Base == p.Revision || paired[comparison.Server] {
			return fmt.Errorf("plan: comparison of %q with %q; want each server of a plan of %s once at most, and a full hash", comparison.Server, comparison.Base, Main)
		}
		paired[comparison.Server] = true
	}
	for _, s := range slices.Concat(p.Servers, p.LeftOut) {
		if err := s.Check(); err != nil {
			return fmt.Errorf("plan: %w", err)
		}
	}
	return nil
}

// WriteOutputs writes the plan in the form of a step's outputs, a line of JSON
// each: the plan itself, and its jobs as "jobs", "leaderboard", "comparisons" and "trials".
func (p Plan) WriteOutputs(w io.Writer) error {
	if p.Servers == nil {
		p.Servers = []workload.Server{} // readers need not know null
	}
	if p.Comparisons == nil {
		p.Comparisons = []Comparison{}
	}
	if p.Directory != "" && len(p.Servers) == 1 {
		if _, err := fmt.Fprintf(w, "server=%s\n", p.Servers[0].Dotted()); err != nil {
			return err
		}
	}
	if p.Scenarios == nil {
		p.Scenarios = map[string]string{}
	}
	for _, output := range []struct {
		name  string
		value any
	}{{"plan", p}, {"jobs", p.Jobs()}, {Leaderboard, p.Together()}, {"comparisons", p.ComparisonRuns()}, {"trials", p.TrialRuns()}} {
		line, err := json.Marshal(output.value) // newlines within strings are escaped
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s=%s\n", output.name, line); err != nil {
			return err
		}
	}
	return nil
}

// maxReason is how much of a reason is kept.
const maxReason = 200

// oneLine makes what a person typed fit for a line of output.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
	if runes := []rune(strings.TrimSpace(s)); len(runes) > maxReason {
		return string(runes[:maxReason]) + "…"
	}
	return strings.TrimSpace(s)
}

// A pull request takes six minutes of the machine for each server, and two hours at worst. So a person names
// the servers when it changes many.
const (
	// mostUnnamed is how many servers of a pull request are measured without a person who names them.
	mostUnnamed = 10
	// mostNamed is how many a person may name: four hours of the machine.
	mostNamed = 40
)

// limited returns the servers to measure of those that a pull request changes: those with these names, or all
// without any name. say is why none is measured, when all are too many.
func (at Place) limited(changed []workload.Server, names []string, pr github.Pull) (servers []workload.Server, say string, err error) {
	if servers, err = chosen(names, changed); err != nil {
		return nil, "", err
	}
	switch {
	case len(names) == 0 && len(changed) > mostUnnamed:
		var some []string
		for _, s := range changed[:2] {
			some = append(some, s.String())
		}
		return nil, fmt.Sprintf("this pull request changes %d servers, and at most %d are measured without their names. A maintainer can name up to %d, such as %s. For that, %s",
			len(changed), mostUnnamed, mostNamed, strings.Join(some, ","), at.byHand(pr)), nil
	case len(servers) > mostNamed:
		return nil, "", InputError{fmt.Errorf("plan: %d servers; want at most %d at once", len(servers), mostNamed)}
	}
	return servers, "", nil
}
