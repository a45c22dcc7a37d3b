package record

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// Size and start of a server are facts of its k6 run. Facts from before they were noted, and direct, have none.
func TestSizeAndStartAreThoseOfTheFacts(t *testing.T) {
	dir := testfile.Copy(t, "testdata/mixed")
	name := filepath.Join(dir, "1", "baseline", raw.FactsFile)
	var facts raw.Facts
	if err := raw.ReadJSON(name, &facts); err != nil {
		t.Fatal(err)
	}
	bytes, ms := int64(8_123_456), 12.345
	for i := range facts.Targets {
		if facts.Targets[i].Name == "go-http" {
			facts.Targets[i].DeployedBytes, facts.Targets[i].FirstAnswerMS = &bytes, &ms
		}
	}
	if err := raw.WriteJSON(name, facts); err != nil {
		t.Fatal(err)
	}
	records, _, _, err := FromRaw(dir)
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, r := range records {
		size, sized := r.Metrics.Get("deployed_bytes")
		start, timed := r.Metrics.Get("first_answer_ms")
		if with := r.Scenario == "baseline" && r.Server.Name == "go-http"; sized != with || timed != with || with && (size != float64(bytes) || start != ms) {
			t.Errorf("%s %s: %g bytes (%v), %g ms (%v)", r.Scenario, r.Target(), size, sized, start, timed)
		} else if with {
			known++
		}
	}
	if known != 1 {
		t.Errorf("%d records with both; want 1", known)
	}
}

// testdata/mixed is a real run of direct and four servers: one that is well,
// one whose every tenth stream fails, one that fails all, one that never gets
// ready. It has a paced scenario and one by turns on three levels.
//
// testdata/web is a real run of direct and two servers of requests. One server computes for each
// request. The run has two rounds, a fixed arrival rate side by side and by turns, and three
// levels. Other programs used the machine.
func TestRawFilesToRecords(t *testing.T) {
	for name, want := range map[string][2]int{"mixed": {20, 2}, "web": {30, 6}} {
		t.Run(name, func(t *testing.T) { rawFilesToRecords(t, name, want[0], want[1]) })
	}
}

func rawFilesToRecords(t *testing.T, name string, many, k6Runs int) {
	var first bytes.Buffer
	for range 2 { // the same raw files give the same bytes
		records, details, planned, err := FromRaw("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if len(records) != many || planned != many || len(details) != k6Runs {
			t.Fatalf("%d records of %d, %d details; want %d of %d, %d", len(records), planned, len(details), many, many, k6Runs)
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
	testfile.Check(t, "testdata/"+name+".jsonl", first.Bytes())
}

func TestUnfinishedK6RunsHaveNoRecord(t *testing.T) {
	dir := testfile.Copy(t, "testdata/mixed")
	if err := os.Remove(filepath.Join(raw.Dir(dir, 1, "stress", ""), raw.FactsFile)); err != nil {
		t.Fatal(err)
	}
	records, details, planned, err := FromRaw(dir)
	if err != nil || len(records) != 5 || len(details) != 1 || planned != 20 {
		t.Errorf("%d records of %d, %d details (%v), want 5 of 20, 1", len(records), planned, len(details), err)
	}
}

// Absurd numbers of rounds in a foreign directory cost no time.
func TestRoundsWithoutLoad(t *testing.T) {
	dir := testfile.Copy(t, "testdata/mixed")
	text, err := os.ReadFile(filepath.Join(dir, raw.RunFile))
	if err != nil {
		t.Fatal(err)
	}
	many := strings.Replace(string(text), `"rounds": 1,`, `"rounds": 9000000000000000,`, 1)
	if many == string(text) {
		t.Fatal("no rounds in run.json")
	}
	for _, err := range []error{
		os.WriteFile(filepath.Join(dir, raw.RunFile), []byte(many), 0o644),
		os.Mkdir(filepath.Join(dir, "999999999999"), 0o755), os.Mkdir(filepath.Join(dir, "-3"), 0o755),
		os.CopyFS(filepath.Join(dir, "01"), os.DirFS("testdata/mixed/1")), // is not round 1 again
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	records, details, _, err := FromRaw(dir)
	if err != nil || len(records) != 20 || len(details) != 2 {
		t.Errorf("%d records, %d details (%v), want 20 and 2", len(records), len(details), err)
	}
}

// A file that cannot be read costs its own k6 run and no other, and is named.
func TestBrokenRawFilesAreNamed(t *testing.T) {
	for name, want := range map[string]string{
		raw.FactsFile:   "facts.json: ",
		raw.SummaryFile: "k6.json: ",
		raw.PidstatFile: "pidstat.txt: line 1: ",
	} {
		for _, gone := range []bool{false, true} {
			if gone && name == raw.FactsFile {
				continue // it was not finished
			}
			dir := testfile.Copy(t, "testdata/mixed")
			path := filepath.Join(dir, "1/stress", name)
			err := os.WriteFile(path, []byte(`{"no": "such key"} `+"\n"), 0o644)
			if gone {
				want, err = "no such file", os.Remove(path)
			}
			if err != nil {
				t.Fatal(err)
			}
			records, details, planned, err := FromRaw(dir)
			status, known := Invalid, 1
			if name == raw.PidstatFile { // no verdict rests on it
				status, known = Warning, 2
			}
			if err != nil || len(records) != 20 || planned != 20 || len(details) != known {
				t.Fatalf("%s broken: %d records of %d, %d details (%v), want 20 of 20, %d", name, len(records), planned, len(details), err, known)
			}
			for _, r := range records {
				plain, _ := Level(r.Scenario)
				if r.Status == Invalid && status == Warning {
					continue // by its own fault
				}
				broken := strings.Contains(strings.Join(r.Conditions.Disturbed, ""), want)
				if broken != (plain == "stress") || broken && r.Status != status {
					t.Errorf("%s broken: %s %s: %s, disturbed %q; want %q of stress alone", name, r.Scenario, r.Target(), r.Status, r.Conditions.Disturbed, want)
				}
			}
			if err := Write(io.Discard, records); err != nil {
				t.Error(err)
			}
		}
	}
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, raw.RunFile), `{"no": "such key"}`)
	if _, _, _, err := FromRaw(dir); err == nil || !strings.Contains(err.Error(), "run.json: ") {
		t.Errorf("run.json broken: %v", err)
	}
}

// Names become parts of paths and of other names.
func TestNamesThatAreNone(t *testing.T) {
	for edit, want := range map[[2]string]string{
		{`"name": "stress"`, `"name": "../stress"`}:             `scenario "../stress" is not a name`,
		{`"name": "stress"`, `"name": "stress-hard"`}:           `scenario "stress-hard" is not a name`,
		{`"name": "go-http"`, `"name": "go/http"`}:              `server "go/http" is not a name`,
		{`"side": ""`, `"side": "../head"`}:                     `side "../head"; want base, head or none`,
		{"\"levels\": [\n        \"10\"", `"levels": ["../10"`}: `level "../10" is not a name`,
	} {
		dir := t.TempDir()
		data, err := os.ReadFile("testdata/mixed/run.json")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), edit[0]) {
			t.Fatalf("no %q in run.json", edit[0])
		}
		testfile.Write(t, filepath.Join(dir, raw.RunFile), strings.Replace(string(data), edit[0], edit[1], 1))
		if _, _, _, err := FromRaw(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", edit[1], err, want)
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
		"unknown key":            {`"round":`, `"rnd":`, "unknown field"},
		"other schema":           {`"schema":7`, `"schema":8`, "schema 8; this tool reads schema 7"},
		"other schema, and keys": {`"schema":7,`, `"schema":8,"mood":"new",`, "line 2: schema 8; this tool reads schema 7"},
		"other kind of a key":    {`"schema":7,"workload":"relay","run":{`, `"schema":8,"workload":7,"run":7,"was":{`, "line 2: schema 8; this tool reads schema 7"},
		"no such workload":       {`"workload":"relay"`, `"workload":"relais"`, `workload "relais": unknown; known are ` + strings.Join(workload.Names(), ", ")},
		"unknown metric":         {`"metrics":{`, `"metrics":{"mips":1,`, `metric "mips": unknown in workload relay`},
		"missing metric":         {`"samples":`, `"sample":`, `metric "samples" is missing`},
		"unknown status":         {`"status":"ok"`, `"status":"fine"`, `status "fine"; want ok`},
		"status without a why":   {`"status":"ok"`, `"status":"warning"`, `status "warning" with 0 reasons`},
		"text after it":          {"", "", ""},
	} {
		line := strings.Replace(good, c.from, c.to, 1)
		if name == "text after it" {
			line, c.want = good+"{}", "text after the JSON"
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

// A record from before a metric is read, and the metric is unknown in it.
func TestAnEarlierRecordLacksALaterMetric(t *testing.T) {
	metrics := Metrics{}
	for _, m := range Table("agent") {
		if !slices.Contains(later, m.Name) {
			metrics[m.Name] = nil
		}
	}
	earlier := Record{
		Schema: Schema, Workload: "agent", Server: raw.Server{Name: "a"}, Scenario: "turn", Status: Invalid, Why: []string{"it failed"}, Round: 1,
		Run: Run{Asked: raw.Asked{Rounds: 1}}, Host: raw.Host{Cores: 1}, Started: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Metrics: metrics,
	}
	var text strings.Builder
	if err := Write(&text, []Record{earlier}); err != nil {
		t.Fatal(err)
	}
	all, err := Read(strings.NewReader(text.String()))
	if err != nil || len(all[0].Metrics) != len(Table("agent")) {
		t.Fatalf("%v: %v", err, all)
	}
	if v, known := all[0].Metrics.Get("first_token_p95_ms"); known {
		t.Errorf("first token %v; want unknown", v)
	}
}

// A metric's name ends in its unit, and everything that is shown is filled in.
func TestMetricTablesAreComplete(t *testing.T) {
	for _, w := range workload.All {
		each := "_per_" + w.Unit
		seen := map[string]bool{}
		for _, m := range Table(w.Name) {
			if m.Label == "" || m.Unit == "" || m.Source == "" || m.Means == "" || m.value == nil || seen[m.Name] {
				t.Errorf("%s: incomplete or twice", m.Name)
			}
			seen[m.Name] = true
			if m.Better != "" && m.Better != "higher" && m.Better != "lower" {
				t.Errorf("%s: better is %q", m.Name, m.Better)
			}
			suffix := map[string]string{
				"ms": "_ms", "bytes": "_bytes", "bytes/" + w.Unit: "_bytes" + each, "%": "_pct", "% of one core": "_pct", "% of its CPU time": "_pct",
				"ms overhead": "_overhead_ms", "us": "_us" + each, w.Unit + "s/s": "_per_s", "MB/s": "_mb_per_s",
			}[m.Unit]
			if m.Name == "server_cpu_us_per_mb" {
				suffix = "_us_per_mb"
			}
			if !strings.HasSuffix(m.Name, suffix) {
				t.Errorf("%s: unit %s, so its name must end in %s", m.Name, m.Unit, suffix)
			}
		}
	}
}

// All metrics that workloads show, judge and draw are in the table of their unit.
func TestWorkloadsShowMetricsOfTheirUnit(t *testing.T) {
	for _, w := range workload.All {
		check := func(metric string) {
			if _, ok := FindIn(w.Name, metric); !ok {
				t.Errorf("%s: no metric %s", w.Name, metric)
			}
		}
		for _, s := range append(w.Scenarios, w.Soak) {
			for _, c := range s.Columns {
				check(c.Metric)
			}
		}
		for _, c := range w.Charts {
			check(c.Metric)
		}
		for _, c := range w.Criteria {
			check(c.Metric)
			for _, name := range c.Records() {
				if !slices.Contains(w.ComparedRecords(), name) {
					t.Errorf("%s: %s is judged, but a comparison has %q", w.Name, name, w.ComparedRecords())
				}
			}
		}
		for _, metric := range w.Leaderboard {
			check(metric)
		}
	}
}
