package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/testfile"
)

// comparisonFiles are raw files of one round of go-http; head is another server of that run. Where
// disturbed, the host kept the machine from running.
func comparisonFiles(t *testing.T, head string, disturbed bool) (dir string) {
	t.Helper()
	dir = testfile.Copy(t, "../../judge/record/testdata/mixed")
	targets := strings.NewReplacer(`"go-http"`, `"go-http@base"`, `"`+head+`"`, `"go-http@head"`)
	for _, name := range []string{"1/baseline/facts.json", "1/stress/facts.json", "1/baseline/k6.json", "1/stress/k6.json"} {
		rewrite(t, filepath.Join(dir, name), func(text string) string {
			if disturbed {
				text = strings.Replace(text, `"throttled_seconds": null`, `"throttled_seconds": 5`, 1)
			}
			return targets.Replace(text)
		})
	}
	rewrite(t, filepath.Join(dir, "run.json"), func(text string) string {
		for name, side := range map[string]string{"go-http": "base", head: "head"} {
			before, after, _ := strings.Cut(text, `"name": "`+name+`"`)
			text = before + `"name": "go-http"` + strings.Replace(after, `"side": ""`, `"side": "`+side+`"`, 1)
		}
		return text
	})
	return dir
}

func rewrite(t *testing.T, name string, change func(string) string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, []byte(change(string(text))), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The page of a comparison has its verdicts, and no timeline or distribution is of a
// discarded round.
func TestKeepVerdicts(t *testing.T) {
	for name, of := range map[string]struct {
		head      string
		disturbed bool
		verdict   verdict.Verdict
		counted   int // rounds
	}{
		"head is broken":        {"mute", false, verdict.Regressed, 1},
		"head fails once":       {"tenth-fails", false, verdict.Inconclusive, 0},
		"the machine is shared": {"tenth-fails", true, verdict.Inconclusive, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := comparisonFiles(t, of.head, of.disturbed)
			records, err := KeepRecords(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			if exists(filepath.Join(dir, PageFile)) {
				t.Error("there is a page before there is a verdict")
			}
			answers := verdict.Compare(records)
			if len(answers) != 1 {
				t.Fatalf("%d answers of %d records; want one", len(answers), len(records))
			}
			if err := (&Session{pages: reportOf}).KeepVerdicts(dir, answers); err != nil {
				t.Fatal(err)
			}
			page, err := os.ReadFile(filepath.Join(dir, PageFile))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"Comparison of go-http", "relay/go-http", answer.Capital(string(of.verdict)) + "</h1>"} {
				if !strings.Contains(string(page), want) {
					t.Errorf("no %s in the page: %.300s", want, page)
				}
			}
			kept := testfile.Read(t, filepath.Join(dir, DetailsFile), record.ReadDetails)
			for _, scenario := range []string{"baseline", record.Scenario("stress", "100")} {
				n := 0
				for _, d := range kept.Distributions {
					if d.Scenario == scenario && d.Target == "go-http@base" {
						n++
					}
				}
				if n != of.counted {
					t.Errorf("%d distributions of base in %s; want %d", n, scenario, of.counted)
				}
			}
		})
	}
}
