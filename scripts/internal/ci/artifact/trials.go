package artifact

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// trialsMember is the only file in the artifact of trials.
const trialsMember = "trials.jsonl"

// mostTrials is more than the job can begin.
const mostTrials = 200

// trialText matches a line of a trial: its reasons are texts of ours, without markup.
var trialText = regexp.MustCompile("^[ -;=?-_a-~]*$")

// trials are the artifacts of trials, by attempt.
type trials map[int][]string

// add notes an artifact of trials, and says whether it is one.
func (t trials) add(p plan.Plan, name string) bool {
	of, attempt := job(name)
	if !p.Trials || of != plan.TrialRun {
		return false
	}
	t[attempt] = append(t[attempt], name)
	return true
}

// read reads the trials of the newest attempt.
func (t trials) read(dir string, p plan.Plan, run Run) (all []prove.Trial, refused []Refusal) {
	newest := 0
	for attempt := range t {
		newest = max(newest, attempt)
	}
	return readOnly(t[newest], "trials", func(name string) ([]prove.Trial, error) {
		if err := run.checkAttempt(newest); err != nil {
			return nil, err
		}
		return readTrials(dir, name, p, run)
	})
}

// readTrials reads one artifact of comparisons of servers with themselves.
func readTrials(dir, name string, p plan.Plan, run Run) ([]prove.Trial, error) {
	text, err := readMember(dir, name, trialsMember)
	if err != nil {
		return nil, err
	}
	for i, line := range bytes.Split(text, []byte("\n")) {
		if len(line) > maxLine || i > mostTrials || !trialText.Match(line) {
			return nil, fmt.Errorf("%s: line %d: want at most %d lines of at most %d printable characters, without markup", trialsMember, i+1, mostTrials, maxLine)
		}
	}
	all, err := prove.ReadTrials(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", trialsMember, err)
	}
	for _, t := range all {
		server, _ := workload.Parse(t.Server) // ReadTrials has
		switch rounds := len(t.Comparison.Rounds); {
		case t.Kind != prove.Same || t.Neighbour > 0:
			err = fmt.Errorf("it is of kind %q with neighbour %g; want %q and 0", t.Kind, t.Neighbour, prove.Same)
		case !slices.Contains(p.Servers, server):
			err = fmt.Errorf("server %q is not in the plan", t.Server)
		case t.Comparison.Planned != verdict.Rounds || rounds > verdict.Rounds+verdict.MostDiscarded(verdict.Rounds):
			err = fmt.Errorf("it has %d rounds of %d; want %d and those that are repeated", rounds, t.Comparison.Planned, verdict.Rounds)
		default:
			err = run.checkStarted(t.Started)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: trial %s: %w", trialsMember, t.ID, err)
		}
	}
	return all, nil
}
