package workload

import (
	"strings"
	"testing"
)

func TestABareNameMeansTheFirstWorkload(t *testing.T) {
	for text, want := range map[string]string{"go-http": "relay/go-http", "relay/go-http": "relay/go-http"} {
		if s, err := Parse(text); err != nil || s.String() != want || s.Dir() != "servers/"+want || s.Dotted() != strings.Replace(want, "/", ".", 1) {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
}

func TestInvalidServerNames(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `server "": want lower-case`,
		"../x":                  `workload "..": unknown; known are ` + strings.Join(Names(), ", "),
		"relais/go-http":        `workload "relais": unknown; known are ` + strings.Join(Names(), ", "),
		"relay/go-http/":        `server "go-http/": want lower-case`,
		"relay/Go":              `server "Go": want lower-case`,
		"relay.go-http":         `server "relay.go-http": want lower-case`,
		"direct":                `server "direct": the name stands for k6 straight to the stub`,
		"relay/leaderboard":     `server "leaderboard": the name stands for the job that loads all servers`,
		strings.Repeat("a", 51): `the name has 51 letters; want at most 50`,
	} {
		if s, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %s", text, s, err, want)
		}
	}
}

// The tables name a record by its level, so a person may name its scenario so.
func TestScenarioOf(t *testing.T) {
	for name, want := range map[string]string{"stress-200": "stress", "stress": "stress", "steady": "steady", "stress-7": "stress-7", "nope-200": "nope-200"} {
		if got := All[0].ScenarioOf(name); got != want {
			t.Errorf("%s is of %q, want %q", name, got, want)
		}
	}
	// The level is all that follows the first hyphen.
	for name, want := range map[string]string{"stress-8k-100": "stress", "stress-200k-500": "stress", "stress-8k": "stress-8k", "stress-100": "stress-100", "small": "small"} {
		if got := Named("files").ScenarioOf(name); got != want {
			t.Errorf("%s of files is of %q, want %q", name, got, want)
		}
		if got := Named("files").Columns(name)[0].Metric; strings.HasPrefix(name, "stress") != (got == "rate_per_s") {
			t.Errorf("the first column of %s is %s", name, got)
		}
	}
}

// Scenarios belong to a workload, so servers of two have no load in common.
func TestALoadHasOneWorkload(t *testing.T) {
	_, err := Common([]Server{{"relay", "a"}, {"relay", "c"}, {"web", "b"}})
	if want := "relay/a and web/b: one load has servers of one workload; name servers of one of them"; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
	if w, err := Common(nil); err != nil || w.Name != All[0].Name {
		t.Errorf("%s, %v; want the first", w.Name, err)
	}
}
