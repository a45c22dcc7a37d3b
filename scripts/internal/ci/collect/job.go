package collect

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/history"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/details"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/session"
)

// Files that Do writes and later steps of the workflow read.
const (
	recordsFile     = session.RecordsFile
	leaderboardFile = "leaderboard.jsonl"
	biggerFile      = "bigger.json"
	smallerFile     = "smaller.json"
	ChartsFile      = "charts.json"
	summaryFile     = "summary.md"
	eventsFile      = "events.json"
	addedFile       = "noise_history.jsonl" // of how much the comparisons scattered
	drawnFile       = "details.json"
)

// Files lists them.
const Files = recordsFile + ", " + leaderboardFile + ", " + biggerFile + ", " + smallerFile + ", " + ChartsFile + ", " + eventsFile + ", " + addedFile + ", " + drawnFile + " and " + summaryFile

// A Job is what is to be collected of a workflow's run of main.
type Job struct {
	Root           string // of a checkout
	Plan           plan.Plan
	Artifacts      string // directory, as downloaded and still zipped
	Out            string // directory
	NoiseHistoryAt string // revision that has the noise of earlier comparisons
	Run            string // id of the workflow's run; only asked for where there are comparisons
	Remote         func(context.Context) (history.Remote, error)
	Say            func(line string)
}

// A Done is what came of it.
type Done struct {
	Bigger, Smaller bool // there are points for this suite
	Accepted        int  // records
	Verdicts        []Verdict
	Unread          error // names the files of acknowledgements that cannot be read
}

// Do accepts what the artifacts have, judges it, and writes all files.
func (j Job) Do(ctx context.Context) (done Done, err error) {
	servers, err := serversAt(ctx, j.Root, j.Plan)
	if err != nil {
		return done, err
	}
	result, err := artifact.Read(j.Artifacts, j.Plan, servers)
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
	if done.Accepted = len(trendRuns) + len(result.Leaderboard); done.Accepted > 0 {
		if err := j.records(trendRuns, result.Leaderboard); err != nil {
			return done, err
		}
	}
	if result.Details != nil {
		var text bytes.Buffer
		if err := details.Write(&text, *result.Details); err != nil {
			return done, err
		}
		if err := j.write(drawnFile, text.Bytes()); err != nil {
			return done, err
		}
	}
	note, suites, err := j.points(ctx, trendRuns)
	if err != nil {
		return done, err
	}
	done.Bigger, done.Smaller = suites[biggerFile], suites[smallerFile]
	var summary strings.Builder
	if err := Summary(&summary, j.Plan, result, note); err != nil {
		return done, err
	}
	var remember []verdict.NoiseHistory
	if done.Verdicts, remember, done.Unread, err = j.judge(ctx, result); err != nil {
		return done, err
	}
	if done.Unread != nil { // what was measured cannot be had again, an acknowledgement can
		j.Say(fmt.Sprintf("%v; it acknowledges nothing until it is mended", done.Unread))
	}
	WriteVerdicts(&summary, j.Plan, done.Verdicts)
	if err := j.verdicts(done.Verdicts, remember); err != nil {
		return done, err
	}
	return done, j.write(summaryFile, []byte(summary.String()))
}

// judge gives the verdicts of the comparisons of main that the artifacts of this
// workflow's run have, and what later comparisons may learn from them. The priors are
// those of the branch, never what a machine says of them. unread names the files of
// acknowledgements that cannot be read, and count for nothing.
func (j Job) judge(ctx context.Context, trendRuns artifact.Result) (verdicts []Verdict, remember []verdict.NoiseHistory, unread, err error) {
	if len(j.Plan.Comparisons) == 0 {
		return nil, nil, nil, nil
	}
	noiseHistory, err := compare.PublishedNoise(ctx, j.Root, j.NoiseHistoryAt)
	if err != nil {
		return nil, nil, nil, err
	}
	accepted, unread := accept.Read(filepath.Join(j.Root, accept.Dir))
	verdicts, remember = Verdicts(j.Plan, trendRuns, noiseHistory, j.Run)
	isAncestor := func(commit, of string) (bool, error) { return revision.IsAncestor(ctx, j.Root, commit, of) }
	for i := range verdicts {
		v := &verdicts[i]
		if v.Acceptances, err = accept.Between(accept.Valid(accepted, v.Answer.ID(), time.Now()), v.Base, j.Plan.Revision, isAncestor); err != nil {
			return nil, nil, nil, err
		}
	}
	return verdicts, remember, unread, nil
}
