package load

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestAJobIsACommandLineOfK6(t *testing.T) {
	job := K6Command{
		K6: "/b/k6", Workload: "relay", Scenario: "ranking", Summary: "/raw/k6.json", Seed: 7,
		Targets: []K6Target{{"direct", "http://127.0.0.1:79/v1"}, {"go-http", "http://127.0.0.1:80/chat"}}, Watched: map[string][]int{"go-http": {12, 13}},
		Cores: []int{0, 2},
	}
	some, quick, long := job, job, job
	some.Only, quick.Quick, long.LoadMS, long.SliceMS = []string{"steady", "stress"}, true, 600_000, 250
	const targets = "|-e|TARGETS_FILE=/tmp/t.json|-e|SEED=7"
	const run = `/b/k6/bin/k6|run|--quiet|--no-color|--address||-e|CORES=[0,2]|-e|SUMMARY=/raw/k6.json` + targets
	const inspect = "/b/k6/bin/k6|inspect|--execution-requirements" + targets
	for _, c := range []struct {
		name, script string
		K6Command
	}{
		{"full", "|/b/k6/relay/ranking.js", job},
		{"some", "|-e|SCENARIOS=steady,stress|/b/k6/relay/ranking.js", some},
		{"quick", "|-e|QUICK=1|/b/k6/relay/ranking.js", quick},
		{"long", "|-e|LOAD_MS=600000|-e|SLICE_MS=250|/b/k6/relay/ranking.js", long},
	} {
		if got, want := strings.Join(c.RunArgs("/tmp/t.json"), "|"), run+c.script; got != want {
			t.Errorf("%s: run:\ngot  %s\nwant %s", c.name, got, want)
		}
		if got, want := strings.Join(c.InspectArgs("/tmp/t.json"), "|"), inspect+c.script; got != want {
			t.Errorf("%s: inspect:\ngot  %s\nwant %s", c.name, got, want)
		}
	}
}

// Other users can read a command line, so targets are in a file that they cannot read.
func TestTargetsAreInAFileOfOurUser(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	job := K6Command{Targets: []K6Target{{"go-http@base", "http://127.0.0.1:80/chat"}}, Watched: map[string][]int{"go-http@base": {12, 13}}}
	file, _, err := job.WriteTargets()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	const want = `{"targets":[{"name":"go-http@base","url":"http://127.0.0.1:80/chat"}],"watched":{"go-http@base":[12,13]}}` + "\n"
	if err != nil || string(text) != want {
		t.Errorf("got  %s, %v\nwant %s", text, err, want)
	}
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 {
		t.Errorf("got %v, %v; want mode 0600", info.Mode(), err)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	if file, _, err := job.WriteTargets(); err == nil || file != "" {
		t.Errorf("without a directory: got %q, %v; want an error", file, err)
	}
}

func TestAPlanIsReadFromK6(t *testing.T) {
	for _, c := range []struct {
		file string // of testdata, as k6 printed it for baseline with -quick and for stress with two targets
		want K6Plan
	}{
		{"inspect-paced.json", K6Plan{Duration: 5 * time.Second, Levels: []string{""}}},
		{"inspect-slices.json", K6Plan{Duration: 20 * time.Second, Levels: []string{"10", "100", "200"}}},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", c.file))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ParseK6Plan(data); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, %v; want %+v", c.file, got, err, c.want)
		}
	}
}

func TestAPlanThatCannotBeReadIsAnError(t *testing.T) {
	const noLoad = "k6 inspect: no k6 scenario called load; a script makes its options with plan() of lib/slices.js"
	for _, c := range []struct{ name, data, want string }{
		{"nothing", "", "k6 inspect: unexpected end of JSON input"},
		{"not JSON", "time=now level=error", "k6 inspect: invalid character 'i' in literal true (expecting 'r')"},
		{"no scenarios", `{"scenarios": null, "maxVUs": 1}`, noLoad},
		{"another scenario", `{"scenarios": {"default": {"duration": "5s"}}, "maxVUs": 1}`, noLoad},
		{"nothing planned", `{"scenarios": {"load": {}}}`, `k6 inspect: PLANNED_MS is ""; want milliseconds, at most a day`},
		{"too long", `{"scenarios": {"load": {"env": {"PLANNED_MS": "86400001"}}}}`, `k6 inspect: PLANNED_MS is "86400001"; want milliseconds, at most a day`},
		{"no level", `{"scenarios": {"load": {"env": {"PLANNED_MS": "1", "LEVELS": "[]"}}}}`, `k6 inspect: LEVELS is "[]"; want a list of names, as JSON`},
		{"another type", `{"scenarios": {"load": {"env": {"PLANNED_MS": "1", "LEVELS": "10"}}}}`, `k6 inspect: LEVELS is "10"; want a list of names, as JSON`},
	} {
		if got, err := ParseK6Plan([]byte(c.data)); err == nil || err.Error() != c.want || !reflect.DeepEqual(got, K6Plan{}) {
			t.Errorf("%s: got  %+v, %v\nwant %s", c.name, got, err, c.want)
		}
	}
}

func FuzzAPlanHasNoHiddenError(f *testing.F) {
	f.Add([]byte(`{"scenarios": {"load": {"env": {"PLANNED_MS": "1", "LEVELS": "[\"\"]"}}}}`))
	f.Add([]byte(`{"scenarios": {"load": null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if plan, err := ParseK6Plan(data); err != nil && !reflect.DeepEqual(plan, K6Plan{}) || err == nil && plan.Duration <= 0 {
			t.Errorf("%+v, %v: a plan and an error, or no time", plan, err)
		}
	})
}
