package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/testfile"
)

// mixes is a server of web with these requests.
func mixes(named ...raw.Named) measured {
	m := healthyRequests("web", true)
	m.load.Named = named
	return m
}

func TestRequestsOfARecord(t *testing.T) {
	times := &raw.Times{P50: 1.25, P95: 2.123456789}
	m := mixes(raw.Named{Name: "b", Requests: 3, Request: times, SharePct: 25}, raw.Named{Name: "a\n\x1b`" + strings.Repeat("x", 200), Requests: 9, Failed: 1, Request: times, SharePct: 75},
		raw.Named{Name: "c", Failed: 2}, raw.Named{Name: "a\n\x1b`" + strings.Repeat("x", 201), Requests: 1, Request: times})
	x := strings.Repeat("x", 97-4)
	for status, want := range map[Status]string{
		OK: `[{"name":"a ?` + "`" + x + `...","requests":9,"failed":1,"p50_ms":1.25,"p95_ms":2.123457,"share_pct":75},` +
			`{"name":"b","requests":3,"failed":0,"p50_ms":1.25,"p95_ms":2.123457,"share_pct":25},{"name":"c","requests":0,"failed":2,"p50_ms":null,"p95_ms":null,"share_pct":0}]`,
		Invalid: `[{"name":"a ?` + "`" + x + `...","requests":9,"failed":1,"p50_ms":null,"p95_ms":null,"share_pct":0},` +
			`{"name":"b","requests":3,"failed":0,"p50_ms":null,"p95_ms":null,"share_pct":0},{"name":"c","requests":0,"failed":2,"p50_ms":null,"p95_ms":null,"share_pct":0}]`,
	} {
		got, err := json.Marshal(m.named(status))
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", status, err, got, want)
		}
	}
	m.target.Name = raw.Direct
	if got := m.named(OK); got != nil {
		t.Errorf("direct has %v", got)
	}
}

// Of many names a record has those that took most of the time.
func TestARecordHasTheRequestsWithMostOfTheTime(t *testing.T) {
	var many []raw.Named
	for i := range 2 * MostRequests {
		many = append(many, raw.Named{Name: fmt.Sprintf("%03d", i), Requests: 1, Request: &raw.Times{}, SharePct: float64(i) / 100})
	}
	got := mixes(many...).named(OK)
	if len(got) != MostRequests || got[0].Name != fmt.Sprintf("%03d", MostRequests) {
		t.Errorf("%d requests, the first %v", len(got), got[0])
	}
}

// Records are read as they were written, and requests that cannot be are refused. Records of relay have none.
func TestRequestsAreReadStrictly(t *testing.T) {
	records := testfile.Read(t, "testdata/web.jsonl", Read)
	i := slices.IndexFunc(records, func(r Record) bool { return r.Status != Invalid && r.OfServer() })
	r := records[i]
	r.Status, r.Why, r.Conditions.Disturbed = OK, []string{}, []string{}
	r.Requests = mixes(raw.Named{Name: "a", Requests: 3, Request: &raw.Times{P50: 1, P95: 2}, SharePct: 50}, raw.Named{Name: "b", Failed: 2}).named(OK)
	var out bytes.Buffer
	if err := Write(&out, []Record{r}); err != nil {
		t.Fatal(err)
	}
	line := out.String()
	for edit, want := range map[string]string{
		"": "", `"name":"a"|"name":""`: `name ""`, `"name":"b"|"name":"a"`: `"a" is not after the name before it`, `"requests":3|"requests":-3`: "-3 requests",
		`"p50_ms":1|"p50_ms":3`: "want them in order", `"p50_ms":1|"p50_ms":1e-9`: "want 0, or 0.0001 to 1e+08",
		`"p95_ms":2|"p95_ms":1e9`: "p95_ms 1e+09; want 0, or 0.0001 to 1e+08", `"requests":3|"requests":1000000000000000000`: "want at most 1e+10", `"p50_ms":1|"p50_ms":null`: "known exactly", `"share_pct":50|"share_pct":101`: "101 % of the time",
		`"requests":3|"requests":0`: "known exactly", `"status":"ok","why":[]|"status":"invalid","why":["x"]`: "known exactly", `"name":"a"|"nam":"a"`: "unknown field",
		`"name":"a"|"name":"` + strings.Repeat("é", 101) + `"`: "want 1 to 100 characters", `"requests":[|"requests":[` + strings.Repeat(`{"name":"0"},`, 64): "66 names; want at most 64",
	} {
		from, to, _ := strings.Cut(edit, "|")
		read, err := Read(strings.NewReader(strings.Replace(line, from, to, 1)))
		if want == "" {
			if err != nil || len(read) != 1 || fmt.Sprint(read[0].Requests[1]) != fmt.Sprint(r.Requests[1]) || *read[0].Requests[0].P95 != 2 {
				t.Errorf("%v: %+v", err, read)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", edit, err, want)
		}
	}
	r.Workload = "files"
	if err := r.checkRequests(); err == nil || !strings.Contains(err.Error(), "servers of files have none apart") {
		t.Error(err)
	}
}
