package branch

import (
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// A leaderboard run and trials have files of their own, beside that of the trend runs and in the same commit. Each attempt
// adds only what is new.
func TestRankHasAFileOfItsOwn(t *testing.T) {
	r, run := bare(t), runOf(1)
	run.TrendRuns, run.Leaderboard, run.Details = nil, []byte("{\"leaderboard\":1}\n"), map[string][]byte{"relay": []byte("{}\n"), "made-up": []byte("{}\n")} // every trend run failed
	run.Trials = []byte("{\"trial\":1}\n")
	publish(t, r, run)
	again := run
	again.Path, again.TrendRuns = strings.Replace(run.Path, "-1.jsonl", "-2.jsonl", 1), []byte("{\"trend_run\":1}\n")
	publish(t, r, again)
	publish(t, r, again)
	if got, want := strings.Fields(git(t, r.URL, "ls-tree", "-r", "--name-only", Branch, "runs", "details", "trials")), []string{record.DetailsPath(run.Path), record.DetailsPathOf(run.Path, "made-up"), record.LeaderboardPath(run.Path), again.Path, record.TrialsPath(run.Path)}; !reflect.DeepEqual(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if got := git(t, r.URL, "rev-list", "--count", Branch); got != "2" {
		t.Errorf("%s commits, want one for each attempt", got)
	}
	if got := show(t, r, record.LeaderboardPath(run.Path)); got != `{"leaderboard":1}` {
		t.Errorf("leaderboard has %q", got)
	}
}
