package report

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
)

// requests are the records of a real run of two servers and direct, in two rounds. The machine was busy.
func requests(t *testing.T) []record.Record {
	t.Helper()
	return testfile.Read(t, "../../judge/record/testdata/web.jsonl", record.Read)
}

func TestGoldenOfRequests(t *testing.T) {
	for _, format := range []string{"text", "full", "markdown", "benchfmt"} {
		got := written(t, format, requests(t))
		testfile.Check(t, "testdata/web."+format, []byte(got))
		if strings.Contains(got, "stream") {
			t.Errorf("%s: text about requests has the word stream", format)
		}
	}
}

// A level of a fixed arrival rate has the highest number, and does not fill the machine. Levels of two parts have
// their VUs behind the last hyphen.
func TestThroughputIsRankedWhereTheMachineIsFull(t *testing.T) {
	if got := rank.Throughput(requests(t)); got.Scenario != "stress-500" || got.Column.Metric != "rate_per_s" {
		t.Errorf("ranked in %q by %s", got.Scenario, got.Column.Metric)
	}
	var records []record.Record
	for _, name := range []string{"small", "stress-8k-100", "stress-8k-500", "stress-200k-200", "stress-200k-500"} {
		records = append(records, record.Record{Workload: "files", Scenario: name})
	}
	if got := rank.HighestLevel(records); got != "stress-8k-500" {
		t.Errorf("the highest level of files is %q", got)
	}
}
