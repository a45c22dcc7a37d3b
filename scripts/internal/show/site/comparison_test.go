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
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/testfile"
)

// pairForm is base and head of a round, which a golden file has in one line.
var pairForm = regexp.MustCompile(`\[\s+([0-9.e+-]+),\s+([0-9.e+-]+)\s+\]`)

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
	of, _ := dataIn(t, page)
	got, err := json.MarshalIndent(of.Comparison, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = pairForm.ReplaceAll(got, []byte("[$1, $2]"))
	testfile.Check(t, "testdata/comparison.golden", append(got, '\n'))
	if of.Title != "Comparison "+records[0].Run.ID || of.Leaderboard != nil || !strings.Contains(of.Records, `"side":"head"`) {
		t.Errorf("title %q, leaderboard %v; want a comparison, no leaderboard, and the sides", of.Title, of.Leaderboard)
	}
}

// The report says what the terminal says: every figure of the table, and every mean and
// number of rounds of the tables below.
func TestReportAndTerminalAgree(t *testing.T) {
	records := compared(t)
	answers := verdict.Compare(records)
	var terminal strings.Builder
	if err := report.WriteVerdicts(&terminal, "text", answers); err != nil {
		t.Fatal(err)
	}
	page, err := runPage(t, emptyPage, records, nil, answers...)
	if err != nil {
		t.Fatal(err)
	}
	of, _ := dataIn(t, page)
	v := of.Comparison.Verdicts[0]
	lines := strings.Split(terminal.String(), "\n")
	if want := v.Server + "  " + v.Headline; lines[0] != want {
		t.Errorf("the terminal begins with %q, the report with %q", lines[0], want)
	}
	table := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "  scenario ") })
	figures := figuresIn(t, of.Records)
	a := answers[0]
	if a.Verdict != verdict.Regressed || len(a.Cells) == 0 || len(v.Cells) != len(a.Cells) || slices.Contains(v.Rounds, disturbedRound) || len(v.Rounds) != a.Rounds {
		t.Fatalf("%s, %d cells and %d, rounds %v; want a regression without round %d", a.Verdict, len(a.Cells), len(v.Cells), v.Rounds, disturbedRound)
	}
	for i, c := range v.Cells {
		line := strings.Join(strings.Fields(lines[table+1+i]), " ")
		if want := strings.Join([]string{c.Scenario, c.Metric, c.Base, c.Head, c.Change, c.Interval, c.Result}, " "); line != want {
			t.Errorf("the terminal says %q, the report %q", line, want)
		}
		if c.Effect.Margin != a.Cells[i].Criterion.Margin || len(c.Values) != len(v.Rounds) {
			t.Errorf("%s: margin %g and %d rounds; want %g and %d", c.Metric, c.Effect.Margin, len(c.Values), a.Cells[i].Criterion.Margin, len(v.Rounds))
		}
		if len(a.Cells[i].Criterion.Levels) > 0 { // the tables below have a row for each level
			continue
		}
		for side, mean := range map[string]float64{"base": a.Cells[i].Base, "head": a.Cells[i].Head} {
			at := figures[fmt.Sprintf("go-http@%s %s %s", side, c.Scenario, c.Name)]
			if at == nil || at[0] != record.LimitDigits(mean, 7) || at[3] != float64(a.Rounds) {
				t.Errorf("%s %s of %s: %v; want the mean %g of %d rounds", c.Scenario, c.Name, side, at, mean, a.Rounds)
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
	if len(m.Comparisons) != 1 || len(m.Own) != 0 || m.Commits.Count != 0 || len(m.Series) != 0 || m.Leaderboard != nil || m.Newest == nil {
		t.Fatalf("%d comparisons, %d runs, %d commits, %d series, leaderboard %v, newest %v; want one comparison alone", len(m.Comparisons), len(m.Own), m.Commits.Count, len(m.Series), m.Leaderboard, m.Newest)
	}
	row := m.Comparisons[0]
	of := get[site.Comparison](t, s, row.File)
	if row.Text != "go-http, aaaaaaaaaa against bbbbbbbbbb" || row.Verdicts[0].Headline != of.Verdicts[0].Headline || of.Verdicts[0].Headline != answer.Headline(answers[0]) {
		t.Errorf("%+v; want the headline %q", row, answer.Headline(answers[0]))
	}
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

	// Beside a history it changes none of it.
	facts := simulated(t, 20, 3)
	before, _ := build(t, facts)
	facts.Local = []site.Local{{Records: records, Answers: answers}}
	after, _ := build(t, facts)
	for _, path := range changed(before, after) {
		if path != "data/manifest.json" && !strings.HasPrefix(path, "data/comparison.") && !strings.HasPrefix(path, "runs/local/") {
			t.Errorf("a comparison changes %s", path)
		}
	}
}
