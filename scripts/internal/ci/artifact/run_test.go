package artifact

import (
	"fmt"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// A job that was run again: what counts is what it gave last.
func TestTheLastAttemptCounts(t *testing.T) {
	dir := t.TempDir()
	for attempt := range 12 {
		records := completeRecords("go-http")
		for i := range records {
			records[i].Run.Seed = uint64(attempt + 1)
		}
		write(t, dir, fmt.Sprintf("records-relay.go-http-%d/artifact.zip", attempt+1), zipped(t, file{text: text(t, records...)}))
	}
	got, err := Read(dir, mainPlan, known, Run{})
	if err != nil || len(got.Refused) > 0 || len(got.Records["relay.go-http"]) != 12 || got.Records["relay.go-http"][0].Run.Seed != 12 {
		t.Errorf("%v: %+v", err, got)
	}
}

// A machine's clock may be wrong by an hour. An unknown bound limits nothing.
func TestRecordsOfTheRunAreAccepted(t *testing.T) {
	dirty := true
	for name, c := range map[string]struct {
		run    Run
		change func(*record.Record)
	}{
		"as it is":     {This, func(*record.Record) {}},
		"a slow clock": {This, func(r *record.Record) { r.Started = This.Made.Add(-slack) }},
		"a fast clock": {This, func(r *record.Record) { r.Started = This.Now.Add(slack) }},
		"no bound":     {Run{ID: "77", Now: This.Now}, func(r *record.Record) { r.Started = This.Made.AddDate(-3, 0, 0) }},
		"unknown":      {Run{}, func(r *record.Record) { r.Run.ID, r.Run.Commit, r.Run.Dirty = "x", nil, &dirty }},
	} {
		records := completeRecords("go-http")
		for i := range records {
			c.change(&records[i])
		}
		dir := t.TempDir()
		write(t, dir, "records-relay.go-http-1/a.zip", zipped(t, file{text: text(t, records...)}))
		if got, err := Read(dir, mainPlan, known, c.run); err != nil || len(got.Refused) > 0 || len(got.All()) != len(records) {
			t.Errorf("%s: %v: %+v", name, err, got.Refused)
		}
	}
}

// One job's artifact cannot harm another's.
func TestAHostileArtifactLeavesTheOthersAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "records-relay.go-gin-1/artifact.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
	write(t, dir, "records-relay.go-http-1/artifact.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
	got, err := Read(dir, mainPlan, known, Run{})
	if err != nil || len(got.Records["relay.go-http"]) != 12 || len(got.Refused) != 1 {
		t.Errorf("%v: %+v", err, got)
	}
}

// A level is a number of VUs or requests, behind a size where the workload has sizes.
func TestFormOfLevels(t *testing.T) {
	for level, want := range map[string]bool{
		"1": true, "200": true, "1000": true, "8k-100": true, "200k-500": true,
		"": false, "0": false, "100000": false, "k-1": false, "8k-": false, "8k": false, "8-100": false, "8k-100-1": false, "../8k-1": false,
	} {
		if got := levelForm.MatchString(level); got != want {
			t.Errorf("%q: %t", level, got)
		}
	}
}
