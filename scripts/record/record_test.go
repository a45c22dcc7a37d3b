package record

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/load"
	"fairstream/scripts/raw"
	"fairstream/scripts/sample"
)

var update = flag.Bool("update", false, "write the golden files")

// testdata/mixed is a real run of four servers: one that is well, one whose
// every tenth stream fails, one that fails all, one that never gets ready.
func TestRawFilesToRecords(t *testing.T) {
	var first bytes.Buffer
	for range 2 { // the same raw files give the same bytes
		records, planned, err := FromRaw("testdata/mixed")
		if err != nil {
			t.Fatal(err)
		}
		if len(records) != 8 || planned != 8 {
			t.Fatalf("%d records of %d, want 8 of 8", len(records), planned)
		}
		var got bytes.Buffer
		if err := Write(&got, records); err != nil {
			t.Fatal(err)
		}
		if first.Len() == 0 {
			first = got
		}
		if !bytes.Equal(first.Bytes(), got.Bytes()) {
			t.Error("other bytes from the same raw files")
		}
		read, err := Read(bytes.NewReader(got.Bytes()))
		if err != nil || !reflect.DeepEqual(read, records) {
			t.Errorf("records read back differ from those written: %v", err)
		}
	}
	golden := "testdata/mixed.jsonl"
	if *update {
		if err := os.WriteFile(golden, first.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), want) {
		t.Errorf("records differ from %s; -update writes it anew. Got:\n%s", golden, first.Bytes())
	}
}

func TestUnfinishedServersHaveNoRecord(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/mixed")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(raw.Dir(dir, 1, "go-http", "stress"), raw.FactsFile)); err != nil {
		t.Fatal(err)
	}
	records, planned, err := FromRaw(dir)
	if err != nil || len(records) != 7 || planned != 8 {
		t.Errorf("%d records of %d (%v), want 7 of 8", len(records), planned, err)
	}
}

func TestBrokenRawFilesAreNamed(t *testing.T) {
	for name, want := range map[string]string{
		raw.RunFile: "run.json: ",
		filepath.Join("1/go-http/stress", raw.FactsFile):   "1/go-http/stress/facts.json: ",
		filepath.Join("1/go-http/stress", raw.SummaryFile): "1/go-http/stress/k6.json: ",
		filepath.Join("1/go-http/stress", raw.PidstatFile): "1/go-http/stress/pidstat.txt: line 1: ",
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS("testdata/mixed")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(`{"no": "such key"} `), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := FromRaw(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s broken: error %v, want %q in it", name, err, want)
		}
	}
}

func TestReadIsStrict(t *testing.T) {
	data, err := os.ReadFile("testdata/mixed.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	good, _, _ := strings.Cut(string(data)[strings.Index(string(data), "\n")+1:], "\n") // the second line: status ok
	for name, c := range map[string]struct{ from, to, want string }{
		"unknown key":          {`"round":`, `"rnd":`, "unknown field"},
		"other schema":         {`"schema":3`, `"schema":4`, "schema 4; this tool reads schema 3"},
		"unknown metric":       {`"metrics":{`, `"metrics":{"mips":1,`, `metric "mips": unknown`},
		"missing metric":       {`"samples":`, `"sample":`, `metric "samples" is missing`},
		"unknown status":       {`"status":"ok"`, `"status":"fine"`, `status "fine"`},
		"status without a why": {`"status":"ok"`, `"status":"suspect"`, `status "suspect" with 0 reasons`},
		"text after it":        {"", "", ""},
	} {
		line := strings.Replace(good, c.from, c.to, 1)
		if name == "text after it" {
			line, c.want = good+"{}", "text after the record"
		}
		_, err := Read(strings.NewReader(good + "\n" + line + "\n"))
		if err == nil || !strings.Contains(err.Error(), "line 2: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want line 2 and %q", name, err, c.want)
		}
	}
	if _, err := Read(strings.NewReader(good)); err != nil {
		t.Error(err)
	}
}

// healthy is a measurement with nothing to object to.
func healthy() measured {
	m := measured{
		facts: raw.Facts{
			PIDs:         map[string][]int{"server": {1}, "stub": {2}, "k6": {3}},
			CPUSeconds:   map[string]float64{"server": 1, "stub": 2, "k6": 3},
			PeakRSSBytes: map[string]int64{"server": 1 << 20, "stub": 1 << 20},
			StubStreams:  100, StubStreamSeconds: 98,
		},
		summary: load.Summary{Seconds: 10, Streams: 100, VUs: 10, Iteration: 1000,
			Stream: &load.Times{Mean: 990, P50: 990, P95: 995, P99: 999, Max: 1000}},
	}
	for second := range int64(10) {
		m.samples = append(m.samples, sample.Sample{Time: second, PID: 1, CPUPct: 10}, sample.Sample{Time: second, PID: 2, CPUPct: 20})
	}
	return m
}

func TestChecks(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*measured)
		status Status
		why    string
	}{
		"healthy":             {func(m *measured) {}, OK, ""},
		"no stream":           {func(m *measured) { m.summary.Streams, m.summary.Failed, m.summary.Stream = 0, 7, nil }, Invalid, "no stream came whole, 7 failed"},
		"order":               {func(m *measured) { m.summary.Stream.P95 = 2000 }, Invalid, "latencies are not in order"},
		"mean above max":      {func(m *measured) { m.summary.Stream.Mean = 1001 }, Invalid, "latencies are not in order"},
		"Little's law":        {func(m *measured) { m.summary.Streams = 110 }, Invalid, "10.9 streams in flight, but there were 10 VUs"},
		"streams lost":        {func(m *measured) { m.summary.Streams = 90 }, Invalid, "8.9 streams in flight, but the stub had 9.8 open; k6 lost some"},
		"another count":       {func(m *measured) { m.facts.StubStreams = 101 }, Suspect, "k6 counted 100 streams, the stub 101"},
		"doubts of the run":   {func(m *measured) { m.facts.Doubts = []string{"process 7 ended"} }, Suspect, "process 7 ended"},
		"cold server":         {func(m *measured) { m.warmUp = load.Summary{Streams: 190, Failed: 10} }, Suspect, "warm-up: 10 of 200 streams failed"},
		"short load":          {func(m *measured) { m.summary.VUs = 0 }, OK, ""},
		"failures":            {func(m *measured) { m.summary.Failed = 1 }, Suspect, "1 of 101 streams failed"},
		"starved k6":          {func(m *measured) { m.summary.Iteration = 1200 }, Suspect, "k6 spent 18 % of each iteration outside the stream"},
		"server not sampled":  {func(m *measured) { m.samples = m.samples[:10] }, Suspect, "pidstat sampled the server in 5 seconds of 10"},
		"no samples at all":   {func(m *measured) { m.samples = nil }, Suspect, "pidstat sampled the stub in 0 seconds of 10"},
		"clock and pidstat":   {func(m *measured) { m.facts.CPUSeconds["server"] = 1.2 }, Suspect, "CPU time of the server: 1.20 s by its clock, 1.00 s by pidstat"},
		"little CPU in ticks": {func(m *measured) { m.facts.CPUSeconds["server"] = 1.05 }, OK, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := healthy()
			c.change(&m)
			status, why := check(m)
			if status != c.status || !strings.Contains(strings.Join(why, "\n"), c.why) {
				t.Errorf("status %s, why %q; want %s, %q", status, why, c.status, c.why)
			}
		})
	}
}

// A metric's name ends in its unit, and everything that is shown is filled in.
func TestMetricTableIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Table {
		if m.Label == "" || m.Unit == "" || m.Source == "" || m.Means == "" || m.value == nil || seen[m.Name] {
			t.Errorf("%s: incomplete or twice", m.Name)
		}
		seen[m.Name] = true
		if m.Better != "" && m.Better != "higher" && m.Better != "lower" {
			t.Errorf("%s: better is %q", m.Name, m.Better)
		}
		suffix := map[string]string{"ms": "_ms", "bytes": "_bytes", "%": "_pct", "% of one core": "_pct", "us": "_us_per_stream", "streams/s": "_per_s"}[m.Unit]
		if !strings.HasSuffix(m.Name, suffix) {
			t.Errorf("%s: unit %s, so its name must end in %s", m.Name, m.Unit, suffix)
		}
	}
}
