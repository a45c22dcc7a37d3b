package accept

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/testfile"
)

const since = "1111111111111111111111111111111111111111"

// text is a file whose values are replaced by what is given, key and value in turn.
func text(change ...string) string {
	values := map[string]string{
		"workload": `"relay"`, "server": `"go-http"`, "scenario": `"stress*"`, "metric": `"rate_per_s"`, "since": `"` + since + `"`,
		"reason": `"each answer is logged now"`, "by": `"Ann"`, "expires": "null",
	}
	for i := 0; i < len(change); i += 2 {
		values[change[i]] = change[i+1]
	}
	var parts []string
	for _, key := range append([]string{"until"}, keys...) {
		if values[key] != "" {
			parts = append(parts, `"`+key+`": `+values[key])
		}
	}
	return "{" + strings.Join(parts, ", ") + "}\n"
}

func TestFilesAreReadStrictly(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{text(), ""},
		{text("expires", `"2027-01-31"`), ""},
		{text("scenario", `"*"`, "metric", `"*"`), ""},
		{text("expires", ""), "expires is missing; want the keys workload, server, scenario"},
		{text("until", `"2027-01-31"`), `unknown field "until"`},
		{text() + text(), "invalid character"},
		{"", "unexpected end of JSON input"},
		{text("server", `"../go-http"`), `server "../go-http": want lower-case letters and digits, joined by single hyphens; want those of a directory`},
		{text("workload", `"relais"`), `workload "relais": unknown; known are relay`},
		{text("since", `"main"`), `since: "main"; want the full hash`},
		{text("since", `"1111111"`), `want the full hash`},
		{text("reason", `" "`), "reason: 1 bytes; want 1 to 280"},
		{text("by", `"`+strings.Repeat("x", 281)+`"`), "by: 281 bytes"},
		{text("expires", `"31.1.2027"`), `expires: "31.1.2027"; want a day such as 2027-01-31, or null`},
		{text("scenario", `"stress-["`), "syntax error in pattern"},
		{text("scenario", `"stress-10"`), `fit no cell; there are baseline server_cpu_us_per_stream`},
		{text("metric", `"ttft_p95_ms"`), "fit no cell"}, // which stress is not judged by
	} {
		dir := t.TempDir()
		testfile.Write(t, filepath.Join(dir, "a.json"), c.text)
		all, err := Read(dir)
		if c.want == "" && (err != nil || len(all) != 1 || all[0].File != "a.json") {
			t.Errorf("%s: %+v, %v", c.text, all, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "acceptances: gh-pages/accepted/a.json: ")) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, "a.jsn"), text())
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "want regular files called NAME.json only") {
		t.Errorf("another file: %v", err)
	}
}

// Those that the project has.
func TestTheProjectsAreValid(t *testing.T) {
	all, err := Read(filepath.Join("../../../..", Dir))
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d acknowledgements", len(all))
}

func TestAcceptances(t *testing.T) {
	day := "2027-01-31"
	a := Acceptance{Workload: "relay", Server: "go-http", Scenario: "stress*", Metric: "rate_per_s", Since: "2", Expires: &day}
	for when, want := range map[string]int{"2027-01-31T23:59:00Z": 1, "2027-02-01T00:00:00Z": 0, "2027-02-01T00:30:00+01:00": 1} {
		now, err := time.Parse(time.RFC3339, when)
		if err != nil {
			t.Fatal(err)
		}
		if got := Valid([]Acceptance{a, {Workload: "relay", Server: "go-gin"}}, a.ID(), now); len(got) != want {
			t.Errorf("at %s: %d, want %d", when, len(got), want)
		}
	}
	// Commits are 1 to 9, each the parent of the next.
	history := func(commit, of string) (bool, error) { return commit <= of, nil }
	for _, c := range []struct {
		base, head string
		want       int
	}{{"1", "2", 1}, {"1", "5", 1}, {"2", "5", 0}, {"3", "5", 0}, {"0", "1", 0}} {
		if got, err := Between([]Acceptance{a}, c.base, c.head, history); err != nil || len(got) != c.want {
			t.Errorf("from %s to %s: %d, %v; want %d", c.base, c.head, len(got), err, c.want)
		}
	}
	if _, err := Between([]Acceptance{a}, "1", "2", func(string, string) (bool, error) { return false, errors.New("no git") }); err == nil {
		t.Error("an error was lost")
	}
	if Find([]Acceptance{a}, "stress-100", "rate_per_s") == nil || Find([]Acceptance{a}, "stress-100", "stream_p95_ms") != nil || Find([]Acceptance{a}, "steady", "rate_per_s") != nil {
		t.Error("another cell is covered than that which is said")
	}
}
