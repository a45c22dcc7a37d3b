package site

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// A localRun is what a run on somebody's own machine has in place of a commit.
type localRun struct {
	subject string
}

// localRuns makes a run of the records of each; all targets were loaded together,
// so they are rank and trend runs at once.
func localRuns(of Local, out Out) (runs []*run, err error) {
	var ids []string
	by := map[string][]record.Record{}
	for _, r := range of.Records {
		if by[r.Run.ID] == nil {
			ids = append(ids, r.Run.ID)
		}
		by[r.Run.ID] = append(by[r.Run.ID], r)
	}
	for _, id := range ids {
		records := by[id]
		hash := fmt.Sprintf("%x", sha256.Sum256([]byte("run "+id)))
		r := &run{workload: records[0].Workload, path: "local/" + hash[:10], commit: hash[:40], local: &localRun{subject: subject(records)}, names: epochNames{}}
		r.addTrendRuns(records)
		r.leaderboard = true
		r.leaderboardRecords = func() ([]record.Record, error) { return records, nil }
		for suffix, of := range map[string][]record.Record{".jsonl.gz": record.Filter(records, record.Record.OfServer), ".leaderboard.jsonl.gz": records} {
			if err := writeRecords("runs/"+r.path+suffix, of, everyRecord, out); err != nil {
				return nil, err
			}
		}
		if of.Details != nil && len(ids) == 1 {
			if err := r.writeDetails(*of.Details, out); err != nil {
				return nil, err
			}
			r.details = true
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// subject says what was run, where a commit has its own.
func subject(records []record.Record) string {
	text := "local run " + records[0].Run.ID
	var commits []string
	for _, r := range records {
		at := "a changed working copy"
		if r.Server.Commit != nil {
			at = fmt.Sprintf("%.10s", *r.Server.Commit)
		}
		if r.Server.Name != raw.Direct && !slices.Contains(commits, at) {
			commits = append(commits, at)
		}
	}
	if len(commits) == 1 {
		return text + " of " + commits[0]
	}
	return text
}
