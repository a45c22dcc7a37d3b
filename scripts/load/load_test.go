package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestAJobIsACommandLineOfK6(t *testing.T) {
	job := Job{K6: "/b/k6", Scenario: "stress", URL: "http://127.0.0.1:80/chat", Summary: "/raw/k6.json"}
	quick, warm, both := job, job, job
	quick.Quick, warm.WarmUp, both.Quick, both.WarmUp = true, true, true, true
	const run = "/b/k6/bin/k6|run|--quiet|--no-color|--address||-e|TARGET_URL=http://127.0.0.1:80/chat|-e|SUMMARY=/raw/k6.json"
	const inspect = "/b/k6/bin/k6|inspect|--execution-requirements"
	for _, c := range []struct {
		name, script string
		Job
	}{
		{"full", "|/b/k6/stress.js", job},
		{"quick", "|-e|QUICK=1|/b/k6/stress.js", quick},
		{"warm-up", "|-e|WARMUP=1|/b/k6/stress.js", warm},
		{"quick warm-up", "|-e|QUICK=1|-e|WARMUP=1|/b/k6/stress.js", both},
	} {
		if got, want := strings.Join(c.RunArgs(), "|"), run+c.script; got != want {
			t.Errorf("%s: run:\ngot  %s\nwant %s", c.name, got, want)
		}
		if got, want := strings.Join(c.InspectArgs(), "|"), inspect+c.script; got != want {
			t.Errorf("%s: inspect:\ngot  %s\nwant %s", c.name, got, want)
		}
	}
}

func TestScenariosAreTheScriptsOrderedByName(t *testing.T) {
	// The name of the directory must not be read as a pattern.
	dir := filepath.Join(t.TempDir(), "k6 [old] *")
	for _, path := range []string{"lib/stream.js", "bin/k6", "stress.js", "baseline.js", "baseline-2.js", "main.go", "README.md"} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Scenarios(dir)
	if want := []string{"baseline", "baseline-2", "stress"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

func TestADirectoryWithoutScenariosIsAnError(t *testing.T) {
	dir := t.TempDir()
	for _, dir := range []string{dir, filepath.Join(dir, "elsewhere")} {
		got, err := Scenarios(dir)
		if want := dir + ": no scenario; want one script per scenario, such as baseline.js"; err == nil || err.Error() != want {
			t.Errorf("got %v, %v; want %s", got, err, want)
		}
	}
}

func TestAPlanIsReadFromWhatK6Prints(t *testing.T) {
	for _, c := range []struct {
		file string // of testdata, as k6 printed it for the scenarios baseline and stress
		want Plan
	}{
		{"inspect-constant-vus.json", Plan{Duration: 5 * time.Second, VUs: 10}},
		{"inspect-stages.json", Plan{Duration: 70 * time.Second, VUs: 200}},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", c.file))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ParsePlan(data); err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v; want %+v", c.file, got, err, c.want)
		}
	}
}

func TestAPlanThatCannotBeReadIsAnError(t *testing.T) {
	const noLoad = "k6 inspect: no k6 scenario called load; a script makes its options with load() of lib/stream.js"
	for _, c := range []struct{ name, data, want string }{
		{"nothing", "", "k6 inspect: unexpected end of JSON input"},
		{"not JSON", "time=now level=error", "k6 inspect: invalid character 'i' in literal true (expecting 'r')"},
		{"no scenarios", `{"scenarios": null, "maxVUs": 1}`, noLoad},
		{"another scenario", `{"scenarios": {"default": {"duration": "5s"}}, "maxVUs": 1}`, noLoad},
		{"a duration", `{"scenarios": {"load": {"duration": "soon"}}}`, `k6 inspect: time: invalid duration "soon"`},
		{"a stage", `{"scenarios": {"load": {"stages": [{"duration": "5s"}, {"duration": "5"}]}}}`, `k6 inspect: time: missing unit in duration "5"`},
		{"a stage without duration", `{"scenarios": {"load": {"stages": [{"target": 5}]}}}`, `k6 inspect: time: invalid duration ""`},
		{"another type", `{"scenarios": {"load": {"duration": 5}}}`, "k6 inspect: json: cannot unmarshal number into Go struct field .Scenarios.Duration of type string"},
	} {
		if got, err := ParsePlan([]byte(c.data)); err == nil || err.Error() != c.want || got != (Plan{}) {
			t.Errorf("%s: got  %+v, %v\nwant %s", c.name, got, err, c.want)
		}
	}
}

func FuzzAPlanHasNoHiddenError(f *testing.F) {
	f.Add([]byte(`{"scenarios": {"load": {"duration": "1m0s"}}, "maxVUs": 10}`))
	f.Add([]byte(`{"scenarios": {"load": {"stages": [{"duration": "1m"}, {"duration": "-1ns"}]}}}`))
	f.Add([]byte(`{"scenarios": {"load": null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if plan, err := ParsePlan(data); err != nil && plan != (Plan{}) {
			t.Errorf("%+v, %v: a plan and an error", plan, err)
		}
	})
}
