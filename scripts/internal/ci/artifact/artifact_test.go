package artifact

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
	"fairstream/scripts/internal/workload/workloadtest"
)

var relay = workloadtest.Relay

const (
	revision = "1111111111111111111111111111111111111111"
	older    = "2222222222222222222222222222222222222222"
)

var (
	mainPlan        = plan.Plan{Kind: "main", Revision: revision, Servers: relay("go-http", "go-gin"), Scenarios: map[string]string{"relay": "baseline,stress"}, Rounds: 2}
	leaderboardPlan = plan.Plan{Kind: "main", Revision: revision, Servers: relay("go-http", "go-gin"), Scenarios: map[string]string{"relay": "baseline,stress"}, Rounds: 1, Leaderboard: 2}
	pullPlan        = plan.Plan{Kind: "pull", Revision: revision, Base: older, Pull: 7, Servers: relay("go-http"), Rounds: 12}
	known           = []server.Server{{Workload: "relay", Name: "go-gin", Language: "go", Framework: "gin"}, {Workload: "relay", Name: "go-http", Language: "go", Framework: "net/http"}}
)

// This is the run that uploads the artifacts of the tests.
var This = Run{ID: "77", Attempt: 12, Commit: revision, Made: time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC), Now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}

// good is a record that fits mainPlan. It says of a server what it says of
// direct, so nothing is added.
func good(server, scenario string, round int) record.Record {
	framework, commit, clean, cpu := "net/http", revision, false, "Intel(R) Core(TM) i5-4200U CPU @ 1.60GHz"
	if server == "go-gin" {
		framework = "gin"
	}
	load, others, sum := 0.5, 12.5, strings.Repeat("5", 64)
	r := record.Record{
		Schema: record.Schema, Workload: "relay", Host: raw.Host{CPU: &cpu, Cores: 4}, Tools: map[string]string{"k6": "1.8.1"},
		Run:        record.Run{ID: "77-1", Commit: &commit, Dirty: &clean, Asked: raw.Asked{Rounds: 2, Seed: 1 << 63}, Placement: "shared", Rig: sum},
		Conditions: record.Conditions{LoadBefore: &load, OthersPct: &others, Disturbed: []string{}},
		Server:     raw.Server{Name: server, Language: "go", Framework: framework, Commit: &commit, Artefact: &sum, Versions: map[string]string{"go": "1.26.8"}},
		Scenario:   scenario, Round: round, Started: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC),
		Status: record.OK, Why: []string{}, Metrics: record.Metrics{},
	}
	for i, m := range record.Table("relay") {
		v := float64(i + 1)
		switch {
		case m.Name == overDirect:
			v = 1
		case m.Name == "failed_pct" || m.Unit == record.MSOverhead:
			v = 0
		}
		r.Metrics[m.Name] = &v
	}
	if server == raw.Direct {
		r.Server = raw.Server{Name: server, Versions: map[string]string{}}
		for _, m := range record.Table("relay") {
			if m.OfServer() {
				r.Metrics[m.Name] = nil
			}
		}
	}
	return r
}

// rounds makes all records of servers and direct in this many rounds.
func rounds(n int, servers ...string) (records []record.Record) {
	for _, server := range append([]string{raw.Direct}, servers...) {
		for _, scenario := range []string{"baseline", "stress-10", "stress-100"} {
			for round := 1; round <= n; round++ {
				records = append(records, good(server, scenario, round))
			}
		}
	}
	return records
}

// completeRecords is all that mainPlan has of a server.
func completeRecords(server string) []record.Record { return rounds(2, server) }

// comparison is what these rounds of pullPlan give.
func comparison(rounds ...int) (records []record.Record) {
	was := older
	for _, round := range rounds {
		for _, scenario := range workload.All[0].ComparedRecords() {
			for _, target := range []string{raw.Direct, "base", "head"} {
				r := good("go-http", scenario, round)
				if target == raw.Direct {
					r = good(raw.Direct, scenario, round)
				} else if r.Server.Side = target; target == "base" {
					r.Server.Commit = &was
				} else {
					r.Server.Framework = "another since this pull request"
				}
				r.Run.Rounds = pullPlan.Rounds
				records = append(records, r)
			}
		}
	}
	return records
}

func text(t testing.TB, records ...record.Record) string {
	t.Helper()
	var b bytes.Buffer
	if err := record.Write(&b, records); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A file is one member of a zip.
type file struct {
	zip.FileHeader
	text string
}

func zipped(t testing.TB, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		if f.Name == "" {
			f.Name = member
		}
		f.Method = zip.Deflate
		to, err := w.CreateHeader(&f.FileHeader)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write([]byte(f.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func write(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	testfile.Write(t, filepath.Join(dir, name), string(data))
}

// As download-artifact leaves them: one in the directory itself, several in a
// directory each.
func TestAcceptedArtifactsAreReadCompletely(t *testing.T) {
	for _, layout := range [][]string{{"artifact"}, {"records-relay.go-http.zip"}, {"records-relay.go-http-1/records-relay.go-http-1.zip", "records-relay.go-gin-1/artifact"}} {
		dir := t.TempDir()
		for i, name := range layout {
			write(t, dir, name, zipped(t, file{text: text(t, completeRecords([]string{"go-http", "go-gin"}[i])...)}))
		}
		got, err := Read(dir, mainPlan, known, Run{})
		if err != nil || len(got.Refused) > 0 {
			t.Fatalf("%q: %v, refused %q", layout, err, got.Refused)
		}
		if !reflect.DeepEqual(got.Records["relay.go-http"], completeRecords("go-http")) {
			t.Errorf("%q: %+v\nwant %+v", layout, got.Records["relay.go-http"], completeRecords("go-http"))
		}
		if want := 12 * len(layout); len(got.All()) != want {
			t.Errorf("%q: %d records, want %d", layout, len(got.All()), want)
		}
		if len(layout) == 1 && !reflect.DeepEqual(got.Missing, []string{"relay.go-gin"}) {
			t.Errorf("missing %q, want go-gin", got.Missing)
		}
	}
}

// A comparison ends at a look, or when the machine has discarded as many rounds as may be
// repeated: what it did not need is not missing, but what is before its last is.
func TestComparisonsAreAccepted(t *testing.T) {
	upTo := func(n int) (all []int) {
		for round := 1; round <= n; round++ {
			all = append(all, round)
		}
		return all
	}
	for _, c := range []struct {
		rounds  []int
		missing []string
	}{
		{upTo(1), nil}, // a side that fails the contract is not loaded again
		{upTo(4), nil}, // the first look
		{upTo(5), nil}, // a round was discarded
		{upTo(12), nil},
		{upTo(18), nil}, // and six repeated
		{[]int{1, 2, 4, 5, 7}, []string{"relay.go-http: compare round 3", "relay.go-http: compare round 6"}},
	} {
		dir, records := t.TempDir(), comparison(c.rounds...)
		slices.Reverse(records)
		write(t, dir, "records-relay.go-http-3.zip", zipped(t, file{text: text(t, records...)}))
		got, err := Read(dir, pullPlan, known, Run{})
		if err != nil || len(got.Refused) > 0 || len(got.All()) != 12*len(c.rounds) || got.All()[4*len(c.rounds)].Server.Side != "base" || got.Attempts["relay.go-http"] != 3 {
			t.Errorf("%v: %v: refused %q, %d records, attempts %v", c.rounds, err, got.Refused, len(got.All()), got.Attempts)
		}
		if !slices.Equal(got.Missing, c.missing) {
			t.Errorf("%v: missing %q, want %q", c.rounds, got.Missing, c.missing)
		}
	}
}

// The leaderboard run has all servers and direct in its own rounds. That distinguishes it from other jobs,
// since a single artifact comes without a name.
func TestLeaderboardIsReadBesideTheJobs(t *testing.T) {
	leaderboard := func() []record.Record { return rounds(2, "go-gin", "go-http") }
	job := rounds(1, "go-http")
	for i := range job {
		job[i].Run.Rounds = 1
	}
	dir := t.TempDir()
	write(t, dir, "records-relay.leaderboard-1.zip", zipped(t, file{text: text(t, leaderboard()...)}))
	got, err := Read(dir, leaderboardPlan, known, Run{})
	if want := []string{"relay.go-http", "relay.go-gin"}; err != nil || len(got.Refused) > 0 || len(got.Leaderboards["relay"]) != 18 || len(got.All()) > 0 || !reflect.DeepEqual(got.Missing, want) {
		t.Errorf("%v: refused %q, %d of leaderboard, %d others, missing %q", err, got.Refused, len(got.Leaderboards["relay"]), len(got.All()), got.Missing)
	}
	dir = t.TempDir()
	write(t, dir, "records-relay.leaderboard-1/a.zip", zipped(t, file{text: text(t, leaderboard()...)}))
	write(t, dir, "records-relay.leaderboard-2/a.zip", zipped(t, file{text: text(t, slices.DeleteFunc(leaderboard(), func(r record.Record) bool { return r.Round == 2 && r.Scenario != "baseline" })...)}))
	write(t, dir, "records-relay.go-http-1/a.zip", zipped(t, file{text: text(t, job...)}))
	got, err = Read(dir, leaderboardPlan, known, Run{})
	if want := []string{"relay.go-gin", "relay.leaderboard: stress round 2"}; err != nil || len(got.Refused) > 0 || len(got.Leaderboards["relay"]) != 12 || len(got.All()) != 6 || !reflect.DeepEqual(got.Missing, want) {
		t.Errorf("%v: refused %q, %d of leaderboard, %d others, missing %q", err, got.Refused, len(got.Leaderboards["relay"]), len(got.All()), got.Missing)
	}
}

// A server that does not start takes its figures away, and nobody else's; when
// none starts, direct is not loaded either.
func TestServersThatFailAreAccepted(t *testing.T) {
	for _, failing := range [][]string{{"go-gin"}, {"go-gin", "go-http", "direct"}} {
		records := rounds(2, "go-gin", "go-http")
		for i, r := range records {
			if slices.Contains(failing, r.Server.Name) {
				records[i].Status, records[i].Why, records[i].Metrics = record.Invalid, []string{"did not start"}, record.Metrics{}
				for _, m := range record.Table("relay") {
					records[i].Metrics[m.Name] = nil
				}
			}
			if len(failing) == 3 {
				records[i].Conditions = record.Conditions{}
			}
		}
		dir := t.TempDir()
		write(t, dir, "a", zipped(t, file{text: text(t, records...)}))
		if got, err := Read(dir, leaderboardPlan, known, Run{}); err != nil || len(got.Refused) > 0 || len(got.Leaderboards["relay"]) != 18 {
			t.Errorf("%q: %v: %+v", failing, err, got.Refused)
		}
	}
}

func TestMissingRecordsAreNamed(t *testing.T) {
	dir := t.TempDir()
	got, err := Read(filepath.Join(dir, "nothing-was-downloaded"), mainPlan, known, Run{})
	if want := []string{"relay.go-http", "relay.go-gin"}; err != nil || !reflect.DeepEqual(got.Missing, want) {
		t.Errorf("%v, missing %q, want %q", err, got.Missing, want)
	}
	write(t, dir, "a", zipped(t, file{text: text(t, slices.DeleteFunc(completeRecords("go-http"), func(r record.Record) bool { return r.Round == 2 && r.Scenario != "baseline" })...)}))
	got, err = Read(dir, mainPlan, known, Run{})
	if want := []string{"relay.go-http: stress round 2", "relay.go-gin"}; err != nil || !reflect.DeepEqual(got.Missing, want) {
		t.Errorf("%v, missing %q, want %q", err, got.Missing, want)
	}
}

// Reasons quote the output of a failing server. They are shown harmlessly.
func TestReasonsAreMadeHarmless(t *testing.T) {
	all := completeRecords("go-http")
	r := &all[len(all)-1]
	r.Status, r.Why = record.Invalid, []string{"exited; its last lines:\n    <img src=x> `@everyone`\n::set-output\x1b[31m \u202e " + strings.Repeat("x", 5000)}
	r.Conditions.Disturbed = slices.Clone(r.Why)
	for name := range r.Metrics {
		r.Metrics[name] = nil
	}
	dir := t.TempDir()
	write(t, dir, "a", zipped(t, file{text: text(t, all...)}))
	got, err := Read(dir, mainPlan, known, Run{})
	if err != nil || len(got.All()) != len(all) {
		t.Fatalf("%v: %+v", err, got)
	}
	if why := got.All()[len(all)-1].Why[0]; !strings.HasPrefix(why, "exited; its last lines: <img src=x> '@everyone' ::set-output?[31m ? xxx") || len(why) != most+3 {
		t.Errorf("why %d bytes: %q", len(why), why)
	} else if disturbed := got.All()[len(all)-1].Conditions.Disturbed; len(disturbed) != 1 || disturbed[0] != why {
		t.Errorf("disturbed %q, want %q", disturbed, why)
	}
}

func TestShownTextsStandInCodeSpans(t *testing.T) {
	r := good("go-http", "stress-100", 1)
	r.Why, r.Conditions.Disturbed = []string{"<b> @all `x`", ""}, []string{"<i>"}
	r.Server.LeftOut, r.Server.Packages = []string{"GET /@all"}, []string{"<a> 1 to 2"}
	before := text(t, r)
	if quoted := Quoted([]record.Record{r})[0]; quoted.Why[0] != "`<b> @all 'x'`" || quoted.Server.LeftOut[0] != "`GET /@all`" || quoted.Server.Packages[0] != "`<a> 1 to 2`" || quoted.Conditions.Disturbed[0] != "`<i>`" || record.Epoch(quoted) != record.Epoch(r) {
		t.Errorf("quoted: %q, %q, epoch %s", quoted.Why, quoted.Conditions.Disturbed, record.Epoch(quoted))
	}
	var shown bytes.Buffer
	if err := report.Write(&shown, "markdown", Shown([]record.Record{r})); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"`77-1`", "`Intel(R) Core(TM) i5-4200U CPU @ 1.60GHz`", " go `1.26.8`", "k6 `1.8.1`", "`<b> @all 'x'`", "ok: ?"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("no %q in:\n%s", want, shown.String())
		}
	}
	if text(t, r) != before {
		t.Error("the record itself was changed")
	}
}

func TestHarmless(t *testing.T) {
	for in, want := range map[string]string{
		"": "", " a\n\n\tb ": "a b", "``": "''", "a\x00\u202e\u200bé": "a????", "\xff": "?", "name=x\ny=true": "name=x y=true",
	} {
		if got := Harmless(in); got != want {
			t.Errorf("Harmless(%q) = %q, want %q", in, got, want)
		}
	}
}

// among is a job of mainPlan in which this line stands in place of one record's.
func among(t testing.TB, line string) string {
	t.Helper()
	job, old := text(t, completeRecords("go-http")...), text(t, good("go-http", "stress-100", 1))
	if strings.Count(job, old) != 1 {
		t.Fatalf("not once in the job: %s", old)
	}
	return strings.Replace(job, old, line, 1)
}

// change is a job with one key of one record changed. The key is a path such
// as server.name.
func change(t testing.TB, key string, value any) string {
	t.Helper()
	return among(t, changed(t, good("go-http", "stress-100", 1), key, value))
}

func changed(t testing.TB, r record.Record, key string, value any) string {
	t.Helper()
	var top map[string]any
	dec := json.NewDecoder(strings.NewReader(text(t, r)))
	dec.UseNumber()
	if err := dec.Decode(&top); err != nil {
		t.Fatal(err)
	}
	in, path := top, strings.Split(key, ".")
	for _, k := range path[:len(path)-1] {
		in = in[k].(map[string]any)
	}
	in[path[len(path)-1]] = value
	data, err := json.Marshal(top)
	if err != nil {
		t.Fatal(err)
	}
	return string(data) + "\n"
}
