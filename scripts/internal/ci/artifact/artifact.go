// Package artifact turns the zips that jobs uploaded into checked records. An attacker may have written the
// zips. So it unpacks nothing to disk, and checks each name, size and figure.
//
// An artifact is accepted as a whole or refused as a whole. The plan limits what it may contain. The plan
// comes from main's code, so an artifact cannot change it.
package artifact

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/where"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// A Result holds what Read found in the artifacts of one workflow run.
type Result struct {
	Records      map[string][]record.Record // accepted records by job ("relay.go-http"), with those of direct
	Leaderboards map[string][]record.Record // records of the leaderboard runs, by workload
	Details      map[string]*record.Details // of the leaderboard runs, by workload
	Comparisons  map[string][]record.Record // by job of main: plan.ComparisonRun and plan.ConfirmRun
	Trials       []prove.Trial              // comparisons of servers with themselves
	Functions    map[string]where.Found     // that changed, by job
	// Attempts says, by job, which attempt of the workflow run uploaded the records. A name without an
	// attempt has no entry.
	Attempts map[string]int
	Refused  []Refusal
	Missing  []string // planned and not accepted: "relay.go-http", "relay.leaderboard: stress round 2"
}

// A Refusal names a refused artifact and the reason. Both texts are harmless.
type Refusal struct{ Artifact, Why string }

// All lists the accepted records of the jobs that load one server, by server.
func (r Result) All() []record.Record {
	var all []record.Record
	for _, server := range slices.Sorted(maps.Keys(r.Records)) {
		all = append(all, r.Records[server]...)
	}
	return all
}

// Ranked lists the accepted records of the leaderboard runs, in the order of all workloads.
func (r Result) Ranked() (all []record.Record) {
	for _, name := range workload.Names() {
		all = append(all, r.Leaderboards[name]...)
	}
	return all
}

// Read reads the artifacts in dir that a run uploaded. It returns an error when it cannot read dir. A faulty
// artifact becomes a Refusal.
func Read(dir string, p plan.Plan, servers []server.Server, run Run) (Result, error) {
	result := Result{
		Records: map[string][]record.Record{}, Leaderboards: map[string][]record.Record{}, Details: map[string]*record.Details{},
		Comparisons: map[string][]record.Record{}, Attempts: map[string]int{}, Functions: map[string]where.Found{},
	}
	found, err := find(dir)
	if err == errMany { // no way to tell the real ones from the others
		result.Refused = []Refusal{{"all", err.Error()}}
		found, err = nil, nil
	}
	if err != nil {
		return Result{}, fmt.Errorf("artifact: %w", err)
	}
	claims := map[string][]claim{} // artifacts by job
	drawn, named, tried := newAttached(detailsForm), newAttached(functionsForm), trials{}
	for _, name := range found {
		if drawn.add(name) || named.add(name) || tried.add(p, name) || ofAnotherServer(p, name) {
			continue
		}
		of, records, err := readOne(dir, name, p, servers, run)
		if err != nil {
			result.Refused = append(result.Refused, Refusal{Harmless(name), Harmless(err.Error())})
			continue
		}
		_, attempt := job(name)
		claims[of] = append(claims[of], claim{name, attempt, records})
	}
	for name, of := range claims {
		// A repeated job has one artifact for each attempt.
		first, last := of[0].attempt, of[0].attempt
		for _, c := range of {
			first, last = min(first, c.attempt), max(last, c.attempt)
		}
		if first > 0 {
			of = slices.DeleteFunc(of, func(c claim) bool { return c.attempt < last })
		}
		if ranked := of[0].records[0].Workload; len(of) == 1 && name == plan.LeaderboardRun(ranked) {
			result.Leaderboards[ranked] = of[0].records
			of, refused := drawn.detailsOf(dir, ranked, of[0])
			if result.Refused = append(result.Refused, refused...); of != nil {
				result.Details[ranked] = of
			}
			continue
		}
		if len(of) == 1 && comparisonOf(p, name) != nil {
			result.Comparisons[name], result.Attempts[name] = of[0].records, of[0].attempt
			continue
		}
		if len(of) == 1 {
			result.Records[name], result.Attempts[name] = of[0].records, of[0].attempt
			found, refused := named.functionsOf(dir, name, of[0])
			if result.Refused = append(result.Refused, refused...); found != nil {
				result.Functions[name] = *found
			}
			continue
		}
		for _, c := range of { // no way to tell which one is real
			result.Refused = append(result.Refused, Refusal{Harmless(c.artifact), fmt.Sprintf("%d artifacts have records of %s; want one", len(of), name)})
		}
	}
	all, refused := tried.read(dir, p, run)
	result.Trials, result.Refused = all, append(result.Refused, refused...)
	slices.SortFunc(result.Refused, func(a, b Refusal) int { return strings.Compare(a.Artifact, b.Artifact) })
	result.Missing = missing(p, result)
	return result, nil
}

// readOne reads one artifact and returns the name of its job.
func readOne(dir, name string, p plan.Plan, servers []server.Server, run Run) (string, []record.Record, error) {
	named, attempt := job(name)
	if err := run.checkAttempt(attempt); err != nil {
		return "", nil, err
	}
	text, err := readMember(dir, name, member)
	if err != nil {
		return "", nil, err
	}
	asked, want, confirms := p, named, false
	if comparison := comparisonOf(p, named); comparison != nil {
		asked, want = p.OfComparison(*comparison), comparison.Server.Dotted()
		confirms = named == plan.ConfirmRun(comparison.Server)
	}
	of, records, err := parse(text, asked, servers)
	if err != nil {
		return "", nil, err
	}
	if err := run.check(records, attempt, confirms); err != nil {
		return "", nil, fmt.Errorf("%s: %w", member, err)
	}
	// The workflow names the directory, and the job's records say which server they are about.
	if named != "" && want != of {
		return "", nil, fmt.Errorf("records of %s in the artifact of %q", of, named)
	}
	return cmp.Or(named, of), records, nil
}

// ofAnotherServer reports whether a job outside of the plan uploaded an artifact. A workflow of another repository may
// measure several servers, each with a plan of its own.
func ofAnotherServer(p plan.Plan, name string) bool {
	of, _ := job(name)
	return p.Directory != "" && of != "" && !slices.ContainsFunc(p.Servers, func(s workload.Server) bool {
		return of == s.Dotted() || of == plan.ComparisonRun(s) || of == plan.ConfirmRun(s)
	})
}

// comparisonOf finds the comparison of main that a job loads; nil for other jobs.
func comparisonOf(p plan.Plan, job string) *plan.Comparison {
	for _, comparison := range p.Comparisons {
		if job == plan.ComparisonRun(comparison.Server) || job == plan.ConfirmRun(comparison.Server) {
			return &comparison
		}
	}
	return nil
}

// A claim is an artifact with records of a job.
type claim struct {
	artifact string
	attempt  int // of the workflow run that uploaded it; 0 is unknown
	records  []record.Record
}

// jobForm matches the names that the workflow gives to artifacts: job, then attempt.
var jobForm = regexp.MustCompile(`^records-([^/]+)-([0-9]{1,6})(/|\.zip$)`)

// job reads the job and the attempt from the path of an artifact.
func job(name string) (of string, attempt int) {
	if m := jobForm.FindStringSubmatch(name); m != nil {
		attempt, _ = strconv.Atoi(m[2]) // at most six digits
		return m[1], attempt
	}
	return "", 0
}

// parse turns the text of one artifact into the records of one job.
func parse(text []byte, p plan.Plan, servers []server.Server) (of string, records []record.Record, err error) {
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	if most := mostRecords(p); len(lines) > most {
		return "", nil, fmt.Errorf("%s: %d lines; the plan has at most %d records for a job", member, len(lines), most)
	}
	for i, line := range lines {
		if len(line) > maxLine {
			return "", nil, fmt.Errorf("%s: line %d: %d bytes; want at most %d", member, i+1, len(line), maxLine)
		}
	}
	if records, err = record.Read(bytes.NewReader(text)); err != nil {
		return "", nil, fmt.Errorf("%s: %w", member, err)
	}
	if len(records) == 0 {
		return "", nil, errors.New(member + ": no records")
	}
	f := frameOf(records, p, servers)
	for i, r := range records {
		if err := f.check(r); err != nil {
			return "", nil, fmt.Errorf("%s: line %d: %w", member, i+1, err)
		}
	}
	switch {
	case len(f.servers) == 0:
		return "", nil, errors.New(member + ": no records of a server")
	case len(f.servers) > 1 && !f.together:
		return "", nil, fmt.Errorf("%s: records of %s; want one server in an artifact", member, plan.Join(f.servers, " and of "))
	}
	if err := f.checkComplete(records); err != nil {
		return "", nil, fmt.Errorf("%s: %w", member, err)
	}
	for i := range records {
		neutralise(&records[i])
	}
	slices.SortStableFunc(records, func(a, b record.Record) int { return at(a).compare(at(b)) })
	return f.job(), records, nil
}
