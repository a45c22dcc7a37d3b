// Package artifact reads what the jobs of a workflow uploaded, as bytes that an
// attacker may have written: zips in, records that fit the plan out. It unpacks
// nothing to disk and trusts no name, size or figure that it has not checked.
//
// An artifact is taken whole or refused whole. What it may say is bounded by
// what was asked for: main's code knows the plan, the artifact does not get to
// change it.
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
	"fairstream/scripts/internal/judge/details"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/workload"
)

// A Result is what the artifacts of one workflow run amount to.
type Result struct {
	Records     map[string][]record.Record // by job, as relay.go-http; what was accepted of it, direct's too
	Leaderboard []record.Record            // of all servers together
	Details     *details.Details           // of the same; nil when there are none
	Comparisons map[string][]record.Record // of main, by job: plan.ComparisonRun and plan.ConfirmRun of a server
	// Attempts is, by job, also that of a comparison, which attempt of the workflow run uploaded
	// the records, as far as the artifact's name says so.
	Attempts map[string]int
	Refused  []Refusal
	Missing  []string // "relay.go-http", or "leaderboard: stress round 2": planned and not accepted
}

// A Refusal says which artifact was not taken, and why. Both texts are harmless.
type Refusal struct{ Artifact, Why string }

// All is every accepted record of the jobs that load one server, by server.
func (r Result) All() []record.Record {
	var all []record.Record
	for _, server := range slices.Sorted(maps.Keys(r.Records)) {
		all = append(all, r.Records[server]...)
	}
	return all
}

// Read reads the artifacts in dir. Its error means that dir cannot be read;
// what is wrong with an artifact is a Refusal.
func Read(dir string, p plan.Plan, servers []manifest.Server) (Result, error) {
	result := Result{Records: map[string][]record.Record{}, Comparisons: map[string][]record.Record{}, Attempts: map[string]int{}}
	found, err := find(dir)
	if err == errMany { // nobody can tell which are the real ones
		result.Refused = []Refusal{{"all", err.Error()}}
		found, err = nil, nil
	}
	if err != nil {
		return Result{}, fmt.Errorf("artifact: %w", err)
	}
	claims := map[string][]claim{} // job to the artifacts that are of it
	drawn := map[int][]string{}    // artifacts of details, by attempt
	for _, name := range found {
		if m := detailsForm.FindStringSubmatch(name); m != nil {
			attempt, _ := strconv.Atoi(m[1]) // digits, and few
			drawn[attempt] = append(drawn[attempt], name)
			continue
		}
		of, records, err := one(dir, name, p, servers)
		if err != nil {
			result.Refused = append(result.Refused, Refusal{Harmless(name), Harmless(err.Error())})
			continue
		}
		_, attempt := job(name)
		claims[of] = append(claims[of], claim{name, attempt, records})
	}
	for name, of := range claims {
		// A job that was run again has one of each attempt.
		first, last := of[0].attempt, of[0].attempt
		for _, c := range of {
			first, last = min(first, c.attempt), max(last, c.attempt)
		}
		if first > 0 {
			of = slices.DeleteFunc(of, func(c claim) bool { return c.attempt < last })
		}
		if len(of) == 1 && name == plan.LeaderboardRun {
			result.Leaderboard = of[0].records
			beside := drawn[of[0].attempt]
			for _, name := range beside {
				err := fmt.Errorf("%d artifacts have details of %s; want one", len(beside), plan.LeaderboardRun)
				if len(beside) == 1 {
					result.Details, err = readDetails(dir, name, result.Leaderboard)
				}
				if err != nil {
					result.Refused = append(result.Refused, Refusal{Harmless(name), Harmless(err.Error())})
				}
			}
			continue
		}
		if len(of) == 1 && comparisonOf(p, name) != nil {
			result.Comparisons[name], result.Attempts[name] = of[0].records, of[0].attempt
			continue
		}
		if len(of) == 1 {
			result.Records[name], result.Attempts[name] = of[0].records, of[0].attempt
			continue
		}
		for _, c := range of { // nobody can tell which of two is the real one
			result.Refused = append(result.Refused, Refusal{Harmless(c.artifact), fmt.Sprintf("%d artifacts have records of %s; want one", len(of), name)})
		}
	}
	slices.SortFunc(result.Refused, func(a, b Refusal) int { return strings.Compare(a.Artifact, b.Artifact) })
	result.Missing = missing(p, result)
	return result, nil
}

// one reads one artifact, and says of which job it is.
func one(dir, name string, p plan.Plan, servers []manifest.Server) (string, []record.Record, error) {
	data, err := readFile(dir, name)
	if err != nil {
		return "", nil, err
	}
	text, err := unzip(data, member)
	if err != nil {
		return "", nil, err
	}
	named, _ := job(name)
	asked, want := p, named
	if comparison := comparisonOf(p, named); comparison != nil {
		asked, want = p.OfComparison(*comparison), comparison.Server.Dotted()
	}
	of, records, err := parse(text, asked, servers)
	if err != nil {
		return "", nil, err
	}
	// The directory is named by the workflow, the records by the job.
	if named != "" && want != of {
		return "", nil, fmt.Errorf("records of %s in the artifact of %q", of, named)
	}
	return cmp.Or(named, of), records, nil
}

// comparisonOf is the comparison of main that a job has loaded; nil when it is no such job.
func comparisonOf(p plan.Plan, job string) *plan.Comparison {
	for _, comparison := range p.Comparisons {
		if job == plan.ComparisonRun(comparison.Server) || job == plan.ConfirmRun(comparison.Server) {
			return &comparison
		}
	}
	return nil
}

// A claim is an artifact that has records of a job.
type claim struct {
	artifact string
	attempt  int // of the workflow run that uploaded it; 0 when its name does not say
	records  []record.Record
}

// jobForm is how the workflow names the artifact of a job: its name, attempt.
var jobForm = regexp.MustCompile(`^records-([^/]+)-([0-9]{1,6})(/|\.zip$)`)

// job is what the name of an artifact's directory says, or, of a single one that
// has none, that of its file.
func job(name string) (of string, attempt int) {
	if m := jobForm.FindStringSubmatch(name); m != nil {
		attempt, _ = strconv.Atoi(m[2]) // digits, and few
		return m[1], attempt
	}
	return "", 0
}

// parse turns the text of one artifact into records, all of one job.
func parse(text []byte, p plan.Plan, servers []manifest.Server) (of string, records []record.Record, err error) {
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	if most := mostRecords(p); len(lines) > most {
		return "", nil, fmt.Errorf("%s: %d lines; the plan has at most %d records for a job", member, len(lines), most)
	}
	for i, line := range lines {
		if len(line) > maxLine {
			return "", nil, fmt.Errorf("%s: line %d: %d bytes; want at most %d", member, i+1, len(line), maxLine)
		}
		if err := strict(line, recordDepth); err != nil {
			return "", nil, fmt.Errorf("%s: line %d: %w", member, i+1, err)
		}
	}
	if records, err = record.Read(bytes.NewReader(text)); err != nil {
		return "", nil, fmt.Errorf("%s: %w", member, err)
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
	case len(f.servers) > 1 && p.Leaderboard == 0:
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

// mostRecords is how many the largest job of a plan can have.
func mostRecords(p plan.Plan) int {
	k6Runs := len(slots(p, lastRound(p, max(p.Rounds, p.Leaderboard))))
	if p.Kind == plan.Pull {
		return k6Runs * len(workload.All[0].ComparedRecords()) * (1 + len(commits(p))) // direct too
	}
	targets := 2
	if p.Leaderboard > 0 {
		targets = 1 + len(p.Servers)
	}
	return k6Runs * targets * maxLevels
}
