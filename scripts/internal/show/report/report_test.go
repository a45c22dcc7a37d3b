package report

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
)

// A made record has every metric: the same figure, scaled for its server, its
// round and itself, so that tables can be checked by eye.
func made(name, language, scenario string, round, rounds int, scale float64) record.Record {
	text := func(s string) *string { return &s }
	memory := int64(4 << 30)
	third := 0.3
	r := record.Record{
		Schema: record.Schema, Workload: "relay", Scenario: scenario, Round: round, Status: record.OK, Why: []string{},
		Run:        record.Run{ID: "made", Commit: text("c0ffee"), Asked: raw.Asked{Rounds: rounds, Seed: 7}, Placement: "shared", Rig: "abcdef"},
		Host:       raw.Host{CPU: text("Some CPU"), Cores: 2, MemoryBytes: &memory, OS: text("Some OS"), Kernel: text("6.1")},
		Conditions: record.Conditions{LoadBefore: &third, StealPct: &third},
		Tools:      map[string]string{"k6": "1.8.1", "sysstat": "12.6.1"},
		Server:     raw.Server{Name: name, Language: language, Versions: map[string]string{}},
		Started:    time.Date(2026, 1, 2, 3, round, len(scenario), 0, time.UTC),
		Metrics:    record.Metrics{},
	}
	if language != "" {
		r.Server.Versions[language] = "1.2.3"
	}
	for i, m := range record.Table("relay") {
		v := math.Round(1000*scale*(10+float64(i))) / 1000
		switch {
		case m.Name == "failed_pct":
			v = 0
		case strings.HasSuffix(m.Name, "_overhead_ms"):
			v = 0.25 * (scale - 1.3)
		case m.Name == "server_rss_peak_bytes", m.Name == "deployed_bytes":
			v *= 1e6
		}
		r.Metrics[m.Name] = &v
		if language == "" && (m.OfServer() || m.Name == "samples") {
			r.Metrics[m.Name] = nil
		}
	}
	return r
}

// run is three servers and direct, three rounds: a and b differ by less than
// the rounds explain, c is far from both.
func run() []record.Record {
	var records []record.Record
	noise := map[string][]float64{"direct": {1, 1, 1}, "go-a": {1, 1.2, 1.1}, "go-b": {1.02, 1.17, 1.12}, "rust-c": {1.5, 1.8, 1.66}}
	for round := 1; round <= 3; round++ {
		for _, scenario := range []string{"baseline", "steady", "stress-10", "stress-200"} {
			for _, name := range []string{"direct", "go-a", "go-b", "rust-c"} {
				language, _, _ := strings.Cut(name, "-")
				if name == raw.Direct {
					language = ""
				}
				records = append(records, made(name, language, scenario, round, 3, noise[name][round-1]))
			}
		}
	}
	for i := range records {
		if r := &records[i]; r.Scenario == "baseline" && r.Round == 2 {
			r.Status, r.Why = record.Warning, []string{"CPU time of " + r.Server.Name + ": 2.50 s by its clock"}
		}
	}
	return records
}

// written is records in a format. full, notes and show are choices of text.
func written(t *testing.T, format string, records []record.Record) string {
	t.Helper()
	var got bytes.Buffer
	write := func(w io.Writer, records []record.Record) error { return Write(w, format, records) }
	switch format {
	case "full":
		write = Text{Width: logWidth, Full: true}.Write
	case "notes":
		write = Text{Width: logWidth, Notes: true}.Write
	}
	if err := write(&got, records); err != nil {
		t.Fatal(err)
	}
	return got.String()
}

func TestGolden(t *testing.T) {
	for _, format := range []string{"text", "full", "notes", "markdown", "benchfmt", "svg"} {
		got := written(t, format, run())
		testfile.Check(t, "testdata/made."+format, []byte(got))
	}
}

// No line is wider than the terminal, and the answer fits on its screen.
func TestTextFitsATerminal(t *testing.T) {
	for name, records := range map[string][]record.Record{
		"made": run(), "relay": testfile.Read(t, "../../../../servers/relay/results.jsonl", record.Read),
		"web": testfile.Read(t, "../../../../servers/web/results.jsonl", record.Read), "files": testfile.Read(t, "../../../../servers/files/results.jsonl", record.Read),
		"agent": testfile.Read(t, "../../../../servers/agent/results.jsonl", record.Read),
	} {
		for _, o := range []Text{{Width: 100}, {Width: 80}, {Width: 100, Full: true}, {Width: 80, Full: true}, {Width: 72, Notes: true}, {Width: 100, Show: records[0].Scenario}} {
			var text bytes.Buffer
			if err := o.Write(&text, records); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(text.String()) {
				if n := len([]rune(strings.TrimRight(line, "\n"))); n > o.Width {
					t.Errorf("%s, %+v: %d columns: %s", name, o, n, line)
				}
			}
			if n, servers := strings.Count(text.String(), "\n"), len(record.Servers(records)); o == (Text{Width: 100}) && n > servers+20 {
				t.Errorf("%s: %d lines for %d servers:\n%s", name, n, servers, text.String())
			}
		}
	}
}

func TestShowWantsAScenario(t *testing.T) {
	err := Text{Show: "stead"}.Write(&bytes.Buffer{}, run())
	if _, wrong := errors.AsType[InputError](err); !wrong || !strings.Contains(err.Error(), "-show stead: the records have no such scenario; they have baseline, steady, stress-10, stress-200") {
		t.Error(err)
	}
}

// What benchstat cannot read it says on stderr, and leaves out.
func TestBenchstatReadsBenchfmt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.txt")
	testfile.Write(t, file, written(t, "benchfmt", run()))
	cmd := exec.Command("go", "tool", "benchstat", "-row", "/server,/scenario", file)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v: %s", err, stderr.Bytes())
	}
	for _, want := range []string{"direct stress-200 ", "go-a stress-10 ", "go-a stress-200 ", "ttft_p95_overhead_ms", "-50.00m", "server_cpu_us_per_stream"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

func TestAPictureShowsEveryServer(t *testing.T) {
	picture := written(t, "svg", run())
	testfile.Elements(t, picture) // it is XML
	if dots := strings.Count(picture, "<circle"); dots != 9 {
		t.Errorf("%d dots; want 3 servers in 3 cards", dots)
	}
	alone := record.Filter(run(), func(r record.Record) bool { return !r.OfServer() || r.Server.Name == "go-a" })
	if err := Write(&bytes.Buffer{}, "svg", alone); err == nil || !strings.Contains(err.Error(), "nothing is ranked") {
		t.Errorf("error %v", err)
	}
}

func TestRefusals(t *testing.T) {
	one, other := run(), run()
	for i := range other {
		other[i].Run.ID = "another"
	}
	for _, c := range []struct {
		format  string
		records []record.Record
		want    string
	}{
		{"text", nil, "no records"},
		{"text", append(one, other...), "hold 2 runs (another, made)"},
		{"pdf", one, `format "pdf": unknown; known are text, markdown, benchfmt, svg`},
	} {
		if err := Write(&bytes.Buffer{}, c.format, c.records); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestServersOfOtherMinutesAreNotRanked(t *testing.T) {
	var records []record.Record
	for round, cost := range [][2]float64{{100, 200}, {101, 205}} {
		for i, name := range []string{"a", "b"} {
			r := made(name, "go", "steady", round+1, 2, 1)
			r.Metrics["server_cpu_us_per_stream"] = &cost[i]
			records = append(records, r)
		}
	}
	for i := range records {
		if records[i].Server.Name == "b" {
			records[i].Started = records[i].Started.Add(time.Minute)
		}
	}
	got := strings.Join(strings.Fields(written(t, "full", records)), " ")
	if !strings.Contains(got, "cheapest unknown Nothing is ranked: fewer than two servers were loaded in the same minutes") || !strings.Contains(got, "Servers ran minutes") || strings.Contains(got, "rank ") {
		t.Errorf("got:\n%s", got)
	}
}

// Nobody can rank servers by a quick run: its load is too short.
func TestQuickRunsHaveNoRanks(t *testing.T) {
	records := run()
	for i := range records {
		records[i].Run.Quick = true
	}
	for _, format := range []string{"text", "full", "markdown"} {
		got := strings.Join(strings.Fields(written(t, format, records)), " ")
		if !strings.Contains(got, "Nothing is ranked: the load of a quick run is too short.") || strings.Contains(got, "first\n") || strings.Contains(got, "tied") || strings.Contains(got, "rank |") || strings.Contains(got, " rank ") {
			t.Errorf("%s:\n%s", format, got)
		}
	}
	if cards := Cards(records); len(cards) != 3 || cards[0].Dots[0].Place != "" || cards[0].Dots[2].Low != cards[0].Dots[2].Mid {
		t.Errorf("%+v", cards)
	}
}

// Older records do not know every metric. Their tables have no column of unknown figures only.
func TestUnknownColumnsAreLeftOut(t *testing.T) {
	records := run()
	if got := written(t, "full", records); !strings.Contains(got, "deployed") {
		t.Errorf("no column of known figures in\n%s", got)
	}
	for i := range records {
		records[i].Metrics["deployed_bytes"] = nil
	}
	if got := written(t, "full", records); strings.Contains(got, "deployed") || !strings.Contains(got, "start") {
		t.Errorf("a column of unknown figures, or none of known ones, in\n%s", got)
	}
	i, one := slices.IndexFunc(records, record.Record.OfServer), 1.0
	records[i].Metrics["deployed_bytes"] = &one
	if got := written(t, "full", records); !strings.Contains(got, "deployed") {
		t.Errorf("no column of one known figure in\n%s", got)
	}
	for i := range records {
		records[i].Metrics = record.Metrics{}
	}
	if got := scenarioTable(records, "steady").head; len(got) < 10 {
		t.Errorf("without any figure: columns %q", got)
	}
}

// A server that collects tokens and sends them at once has no ITL worth showing: between the
// tokens of a lump no time passes.
func TestLumpsHaveNoITL(t *testing.T) {
	records := run()
	at, zero := 0.021, 0.0
	for i := range records {
		if records[i].Server.Name == "go-a" {
			records[i].Metrics["itl_p50_ms"], records[i].Metrics["itl_p99_overhead_ms"] = &zero, &at
		}
	}
	table := scenarioTable(records, "steady")
	column := slices.Index(table.head, "ITL p99 overhead ms")
	for _, r := range table.rows {
		if name, text := r.cells[0].text, r.cells[column].text; (name == "go-a") != (text == unknown) {
			t.Errorf("%s: ITL %q", name, text)
		}
	}
	if !strings.HasPrefix(table.note, "go-a sends tokens in lumps: its ITL p50 is 0 ms at a pace of ") || strings.Contains(table.note, "go-b") {
		t.Errorf("note %q", table.note)
	}
}

// Servers that close idle connections cost requests a second try, which a reader should know.
func TestRetriesAreSaid(t *testing.T) {
	records := run()
	for i := range records {
		if r := &records[i]; r.Server.Name == "go-a" && r.Scenario == "steady" {
			r.Retried = 1
		}
	}
	const want = "go-a closed idle connections, so 3 streams were sent twice."
	if got := written(t, "full", records); strings.Count(got, want) != 1 {
		t.Errorf("not once %q in\n%s", want, got)
	}
}
