package branch

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/session"
)

// Do writes these files; later steps of the workflow read them.
const (
	recordsFile     = session.RecordsFile
	leaderboardFile = "leaderboard.jsonl" // of all workloads
	biggerFile      = "bigger.json"
	smallerFile     = "smaller.json"
	ChartsFile      = "charts.json"
	summaryFile     = "summary.md"
	eventsFile      = "events.json"
	trialsFile      = "trials.jsonl"
)

// drawnFile has the details of a workload's leaderboard run.
func drawnFile(workload string) string { return workload + ".details.json" }

// Files lists them.
var Files = strings.Join([]string{recordsFile, leaderboardFile, biggerFile, smallerFile, ChartsFile, eventsFile, trialsFile, drawnFile("WORKLOAD")}, ", ") + " and " + summaryFile

// A Job collects the artifacts of a workflow's run on main.
type Job struct {
	Code      string // clone with the plan's servers
	Plan      plan.Plan
	Artifacts string // directory, as downloaded and still zipped
	Out       string // directory
	Run       artifact.Run
	Remote    func(context.Context) (Remote, error)
	Say       func(line string)
}

// Done is the result of a Job.
type Done struct {
	Bigger, Smaller bool // there are points for this suite
	Accepted        int  // records
	Recorded        bool // Out has records, which the history takes even if a later step failed
	Verdicts        []Verdict
	Unread          error // names the files under accepted/ that cannot be read
}

// Do checks the artifacts, judges their records, and writes all files. It writes the records first. So a
// fault of one verdict costs no records, and done is right beside an error.
func (j Job) Do(ctx context.Context) (done Done, err error) {
	servers, err := serversAt(ctx, j.Code, j.Plan)
	if err != nil {
		return done, err
	}
	result, err := artifact.Read(j.Artifacts, j.Plan, servers, j.Run)
	if err != nil {
		return done, err
	}
	for _, r := range result.Refused {
		j.Say(fmt.Sprintf("refused: %s: %s", r.Artifact, r.Why))
	}
	for _, m := range result.Missing {
		j.Say("missing: " + m)
	}
	if err := j.clear(); err != nil {
		return done, err
	}
	trendRuns := result.All()
	ranked := result.Ranked()
	if done.Accepted = len(trendRuns) + len(ranked); done.Accepted > 0 {
		if err := j.records(trendRuns, ranked); err != nil {
			return done, err
		}
		done.Recorded = true
	}
	if err := j.trials(result.Trials); err != nil {
		return done, err
	}
	for workload, of := range result.Details {
		var text bytes.Buffer
		if err := record.WriteDetails(&text, *of); err != nil {
			return done, err
		}
		if err := j.write(drawnFile(workload), text.Bytes()); err != nil {
			return done, err
		}
	}
	var note string
	if j.Plan.Directory == "" { // in another repository no step charts
		suites := map[string]bool{}
		if note, suites, err = j.points(ctx, trendRuns); err != nil {
			return done, err
		}
		done.Bigger, done.Smaller = suites[biggerFile], suites[smallerFile]
	}
	var summary strings.Builder
	if err := Summary(&summary, j.Plan, result, note); err != nil {
		return done, err
	}
	if done.Verdicts, done.Unread, err = j.judge(ctx, result); err != nil {
		return done, err
	}
	if done.Unread != nil { // measurements cannot be repeated, an acceptance can
		j.Say(fmt.Sprintf("%v; it accepts nothing until you fix it", done.Unread))
	}
	WriteVerdicts(&summary, j.Plan, done.Verdicts)
	if err := j.verdicts(done.Verdicts); err != nil {
		return done, err
	}
	return done, j.write(summaryFile, []byte(summary.String()))
}

// judge returns the verdicts of the comparisons on main in these artifacts. unread names the files
// under accepted/ that cannot be read; they accept nothing.
func (j Job) judge(ctx context.Context, uploads artifact.Result) (verdicts []Verdict, unread, err error) {
	if len(j.Plan.Comparisons) == 0 {
		return nil, nil, nil
	}
	accepted, unread := accept.Read(filepath.Join(j.Code, accept.Dir))
	verdicts = Verdicts(j.Plan, uploads, j.Run.ID)
	isAncestor := func(commit, of string) (bool, error) { return revision.IsAncestor(ctx, j.Code, commit, of) }
	for i := range verdicts {
		v := &verdicts[i]
		if v.Acceptances, err = accept.Between(accept.Valid(accepted, v.Answer.ID(), time.Now()), v.Base, j.Plan.Revision, isAncestor); err != nil {
			return nil, nil, err
		}
	}
	return verdicts, unread, nil
}
