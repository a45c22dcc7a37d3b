package artifact

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/manifest"
	"fairstream/scripts/plan"
	"fairstream/scripts/raw"
	"fairstream/scripts/record"
	"fairstream/scripts/report"
)

const (
	revision = "1111111111111111111111111111111111111111"
	older    = "2222222222222222222222222222222222222222"
)

var (
	mainPlan = plan.Plan{Kind: "main", Revision: revision, Servers: []string{"go-http", "go-gin"}, Scenarios: "baseline,stress", Rounds: 2}
	pullPlan = plan.Plan{Kind: "pull", Revision: revision, Base: older, Pull: 7, Servers: []string{"go-http"}, Scenarios: "stress", Rounds: 1}
	known    = []manifest.Server{{Name: "go-gin", Language: "go", Framework: "gin"}, {Name: "go-http", Language: "go", Framework: "net/http"}}
)

// good is a record that fits mainPlan.
func good(server, scenario string, round int) record.Record {
	framework, commit, cpu := "net/http", revision, "Intel(R) Core(TM) i5-4200U CPU @ 1.60GHz"
	if server == "go-gin" {
		framework = "gin"
	}
	r := record.Record{
		Schema: record.Schema, Run: record.Run{ID: "records", Commit: &commit, Rounds: 2, Seed: 1 << 63},
		Host: raw.Host{CPU: &cpu, Cores: 4}, Tools: map[string]string{"k6": "1.8.1"},
		Server:   raw.Server{Name: server, Language: "go", Framework: framework, Commit: &commit, Versions: map[string]string{"go": "1.26.8"}},
		Scenario: scenario, Round: round, Position: 1, Started: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC),
		Status: record.OK, Why: []string{}, Metrics: record.Metrics{},
	}
	for i, m := range record.Table {
		v := float64(i + 1)
		if m.Name == "failed_pct" {
			v = 0
		}
		r.Metrics[m.Name] = &v
	}
	return r
}

// whole is all that mainPlan has of a server.
func whole(server string) []record.Record {
	return []record.Record{good(server, "baseline", 1), good(server, "baseline", 2), good(server, "stress", 1), good(server, "stress", 2)}
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
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// As download-artifact leaves them: one in the directory itself, several in a
// directory each.
func TestAcceptedArtifactsAreReadWhole(t *testing.T) {
	for _, layout := range [][]string{{"artifact"}, {"records-go-http.zip"}, {"records-go-http-1/artifact.zip", "records-go-gin-1/artifact"}} {
		dir := t.TempDir()
		for i, name := range layout {
			write(t, dir, name, zipped(t, file{text: text(t, whole([]string{"go-http", "go-gin"}[i])...)}))
		}
		got, err := Read(dir, mainPlan, known)
		if err != nil || len(got.Refused) > 0 {
			t.Fatalf("%q: %v, refused %q", layout, err, got.Refused)
		}
		if !reflect.DeepEqual(got.Records["go-http"], whole("go-http")) {
			t.Errorf("%q: %+v\nwant %+v", layout, got.Records["go-http"], whole("go-http"))
		}
		if want := 4 * len(layout); len(got.All()) != want {
			t.Errorf("%q: %d records, want %d", layout, len(got.All()), want)
		}
		if len(layout) == 1 && !reflect.DeepEqual(got.Missing, []string{"go-gin"}) {
			t.Errorf("missing %q, want go-gin", got.Missing)
		}
	}
}

func TestPairsAreAccepted(t *testing.T) {
	base, head := good("go-http", "stress", 1), good("go-http", "stress", 1)
	was := older
	base.Server.Side, base.Server.Commit, head.Server.Side = "base", &was, "head"
	base.Run.Rounds, head.Run.Rounds = 1, 1
	head.Server.Framework = "another since this pull request"
	dir := t.TempDir()
	write(t, dir, "artifact.zip", zipped(t, file{text: text(t, head, base)}))
	got, err := Read(dir, pullPlan, known)
	if err != nil || len(got.Refused)+len(got.Missing) > 0 || len(got.All()) != 2 || got.All()[0].Server.Side != "base" {
		t.Errorf("%v: %+v", err, got)
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	dir := t.TempDir()
	got, err := Read(filepath.Join(dir, "nothing-was-downloaded"), mainPlan, known)
	if want := []string{"go-http", "go-gin"}; err != nil || !reflect.DeepEqual(got.Missing, want) {
		t.Errorf("%v, missing %q, want %q", err, got.Missing, want)
	}
	write(t, dir, "a", zipped(t, file{text: text(t, whole("go-http")[:3]...)}))
	got, err = Read(dir, mainPlan, known)
	if want := []string{"go-http: stress round 2", "go-gin"}; err != nil || !reflect.DeepEqual(got.Missing, want) {
		t.Errorf("%v, missing %q, want %q", err, got.Missing, want)
	}
}

// What a failing server printed is in the reasons. It is shown, harmlessly.
func TestReasonsAreMadeHarmless(t *testing.T) {
	r := whole("go-http")[0]
	r.Status, r.Why = record.Invalid, []string{"exited; its last lines:\n    <img src=x> `@everyone`\n::set-output\x1b[31m \u202e " + strings.Repeat("x", 5000)}
	for name := range r.Metrics {
		r.Metrics[name] = nil
	}
	dir := t.TempDir()
	write(t, dir, "a", zipped(t, file{text: text(t, r)}))
	got, err := Read(dir, mainPlan, known)
	if err != nil || len(got.All()) != 1 {
		t.Fatalf("%v: %+v", err, got)
	}
	if why := got.All()[0].Why[0]; !strings.HasPrefix(why, "exited; its last lines: <img src=x> '@everyone' ::set-output?[31m ? xxx") || len(why) != most+3 {
		t.Errorf("why %d bytes: %q", len(why), why)
	}
}

func TestWhatIsShownStandsInCodeSpans(t *testing.T) {
	r := good("go-http", "stress", 1)
	r.Why = []string{"<b> @all `x`", ""}
	before := text(t, r)
	var shown bytes.Buffer
	if err := report.Write(&shown, "markdown", Shown([]record.Record{r})); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"`records`", "`Intel(R) Core(TM) i5-4200U CPU @ 1.60GHz`", " go `1.26.8`", "k6 `1.8.1`", "`<b> @all 'x'`", "ok: ?"} {
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
		"": "", " a\n\n\tb ": "a b", "``": "''", "a\x00\u202e\u200bé": "a????", "\xff": "?", "name=x\nlegs=true": "name=x legs=true",
	} {
		if got := Harmless(in); got != want {
			t.Errorf("Harmless(%q) = %q, want %q", in, got, want)
		}
	}
}

// change is the JSON of a good record with one key changed; a nil value
// removes it. The key is a path such as server.name.
func change(t testing.TB, key string, value any) string {
	t.Helper()
	var top map[string]any
	dec := json.NewDecoder(strings.NewReader(text(t, good("go-http", "stress", 1))))
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
