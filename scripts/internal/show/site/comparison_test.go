package site_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/testfile"
)

// disturbedRound is the round of compared that the machine disturbed.
const disturbedRound = 3

// compared are the records of a comparison in which head takes a tenth more CPU. In one round
// another program ran, and head took ten times as much.
func compared(t *testing.T) []record.Record {
	t.Helper()
	loaded, _, _, err := record.FromRaw("../../judge/record/testdata/mixed")
	if err != nil {
		t.Fatal(err)
	}
	var template []record.Record
	for _, r := range loaded {
		if !slices.Contains([]string{"baseline", "stress-100", "stress-200"}, r.Scenario) || r.Server.Name != "go-http" && r.Server.Name != raw.Direct {
			continue
		}
		template = append(template, r)
		if r.Scenario == "baseline" { // steady is its like
			r.Scenario = "steady"
			template = append(template, r)
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	var records []record.Record
	for round := 1; round <= verdict.Rounds; round++ {
		for _, r := range template {
			sides := []string{"base", "head"}
			if r.Server.Name == raw.Direct {
				sides = []string{""}
			}
			r.Round, r.Run.Rounds, r.Run.Quick = round, verdict.Rounds, false
			plain := r.Metrics
			for _, r.Server.Side = range sides {
				r.Metrics = record.Metrics{}
				for _, name := range slices.Sorted(maps.Keys(plain)) {
					if plain[name] == nil {
						r.Metrics[name] = nil
						continue
					}
					v := record.LimitDigits(*plain[name]*math.Exp(0.01*random.NormFloat64()), 5)
					if name == "server_cpu_us_per_stream" && r.Server.Side == "head" {
						v *= 1.1
						if round == disturbedRound {
							v *= 10
						}
					}
					r.Metrics[name] = &v
				}
				commit := strings.Repeat(map[string]string{"base": "b", "head": "a"}[r.Server.Side], 40)
				r.Server.Commit = &commit
				r.Status, r.Why, r.Conditions.Disturbed = record.OK, []string{}, []string{}
				if round == disturbedRound {
					r.Conditions.Disturbed = []string{"other programs used 40 % of the machine"}
					r.Status, r.Why = record.Warning, r.Conditions.Disturbed
				}
				records = append(records, r)
			}
		}
	}
	return records
}

// The page of a comparison has the verdict, and only the rounds that it rests on.
func TestComparisonGolden(t *testing.T) {
	records := compared(t)
	page, err := runPage(t, emptyPage, records, nil, verdict.Compare(records)...)
	if err != nil {
		t.Fatal(err)
	}
	_, answer, _ := strings.Cut(page, "<main>")
	answer, _, _ = strings.Cut(answer, "</main>")
	testfile.Check(t, "testdata/comparison.golden", []byte(answer+"\n"))
}

// The report says what the terminal says: every figure of the table, and every mean and
// number of rounds of the tables below.
func TestReportAndTerminalAgree(t *testing.T) {
	records := compared(t)
	answers := verdict.Compare(records)
	page, err := runPage(t, emptyPage, records, nil, answers...)
	if err != nil {
		t.Fatal(err)
	}
	of, _ := dataIn(t, page)
	seen := says([]byte(page))
	a := answers[0]
	_, sentence, _ := strings.Cut(answer.Headline(a), ": ")
	if a.Verdict != verdict.Regressed || !strings.Contains(seen, "▼ Regressed "+typeset(sentence)) {
		t.Errorf("%s, and the page says %.600s", answer.Headline(a), seen)
	}
	figures := figuresIn(t, of.Records)
	for _, c := range a.Cells {
		r := answer.NewRow(c)
		for _, want := range []string{r.Base + " → " + r.Head, typeset(r.Change + " " + r.Interval), r.Result} {
			if !strings.Contains(seen, want) {
				t.Errorf("%s %s: no %q", c.Scenario, c.Metric.Name, want)
			}
		}
		if len(c.Criterion.Levels) > 0 { // the tables below have a row for each level
			continue
		}
		for side, mean := range map[string]float64{"base": c.Base, "head": c.Head} {
			at := figures[fmt.Sprintf("go-http@%s %s %s", side, c.Scenario, c.Metric.Name)]
			if at == nil || at[0] != record.LimitDigits(mean, 7) || at[3] != float64(a.Rounds) {
				t.Errorf("%s %s of %s: %v; want the mean %g of %d rounds", c.Scenario, c.Metric.Name, side, at, mean, a.Rounds)
			}
		}
	}
}

// figuresIn are the cells of the first line of a run's file, by target, scenario and metric.
func figuresIn(t *testing.T, text string) map[string]*[4]float64 {
	t.Helper()
	var f site.Figures
	line, _, _ := strings.Cut(text, "\n")
	if err := json.Unmarshal([]byte(line), &f); err != nil {
		t.Fatal(err)
	}
	all := map[string]*[4]float64{}
	for _, row := range f.Rows {
		for i, metric := range f.Metrics {
			all[row.Target+" "+row.Scenario+" "+metric] = row.Cells[i]
		}
	}
	return all
}

// A comparison of one's own has a page, and no place in the trend and on the leaderboard.
func TestLocalComparison(t *testing.T) {
	records := compared(t)
	answers := verdict.Compare(records)
	s, m := build(t, site.Facts{Local: []site.Local{{Records: records, Answers: answers, Details: &record.Details{Schema: record.DetailsSchema}}}})
	runs := get[site.Runs](t, s, m.Runs).Runs
	if len(runs) != 1 || !runs[0].Comparison || m.Commits.Count != 0 || s["latest.json"] != nil || m.Newest == nil {
		t.Fatalf("runs %+v, %d commits, newest %v; want one comparison alone", runs, m.Commits.Count, m.Newest)
	}
	row := runs[0]
	page, err := runPage(t, emptyPage, records, nil, answers...)
	if err != nil {
		t.Fatal(err)
	}
	if in, _ := dataIn(t, page); string(unzipped(t, s["runs/"+row.Run+".jsonl.gz"])) != in.Records {
		t.Error("the records are others than those of the report")
	}
	if !row.Details || s["details/"+row.Run+".json.gz"] == nil || s["runs/"+row.Run+".leaderboard.jsonl.gz"] != nil {
		t.Error("want details, and no leaderboard run")
	}
	if len(m.Servers) != 1 || m.Servers[0].Name != "go-http" || m.Servers[0].Last != -1 {
		t.Errorf("servers %+v; want go-http, without points", m.Servers)
	}
	of := pages(t, site.Facts{Local: []site.Local{{Records: records, Answers: answers}}})
	for _, path := range []string{"comparisons/index.html", "comparisons/" + row.Run + "/index.html"} {
		if got := says(of[path]); !strings.Contains(got, "go-http, aaaaaaaaaa against bbbbbbbbbb") || !strings.Contains(got, "▼ Regressed") {
			t.Errorf("%s: %.300s", path, got)
		}
	}

	// Beside a history it changes none of it.
	facts := simulated(t, 20, 3)
	before, _ := build(t, facts)
	facts.Local = []site.Local{{Records: records, Answers: answers}}
	after, _ := build(t, facts)
	for _, path := range changed(before, after) {
		if path != "data/manifest.json" && !strings.HasPrefix(path, "data/runs.") && !strings.HasPrefix(path, "runs/local/") {
			t.Errorf("a comparison changes %s", path)
		}
	}
}

// typeset is a text as pages write it: with minus signs and µs, and without line breaks before a per cent.
func typeset(text string) string {
	text = strings.ReplaceAll(regexp.MustCompile(`(^|[ (])-([0-9])`).ReplaceAllString(text, "$1−$2"), " us/", " µs/")
	return strings.Join(strings.Fields(text), " ")
}
