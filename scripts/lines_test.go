package main

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/report"
)

// pairLines are the records of a pair of one server with itself, with noise. Change
// makes other records of some.
func pairLines(t *testing.T, change func(*record.Record)) []string {
	t.Helper()
	records, err := readFile("internal/judge/record/testdata/mixed.jsonl", record.Read)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(8, 9))
	var lines []string
	for round := 1; round <= verdict.Rounds; round++ {
		for _, r := range records {
			sides := []string{"base", "head"}
			if r.Server.Name == "direct" {
				sides = []string{""}
			} else if r.Server.Name != "go-http" {
				continue
			}
			if r.Scenario != "baseline" && r.Scenario != "stress-100" { // enough, and quicker
				continue
			}
			r.Round, r.Run.Rounds, r.Run.Quick = round, verdict.Rounds, false
			plain := r.Metrics
			for _, r.Server.Side = range sides {
				r.Metrics = record.Metrics{}
				for _, name := range slices.Sorted(maps.Keys(plain)) { // else each run draws other noise
					v := plain[name]
					if v != nil {
						noisy := *v * math.Exp(0.01*random.NormFloat64())
						v = &noisy
					}
					r.Metrics[name] = v
				}
				r.Status, r.Why, r.Conditions.Unfit = record.OK, []string{}, []string{}
				change(&r)
				var line strings.Builder
				if err := record.Write(&line, []record.Record{r}); err != nil {
					t.Fatal(err)
				}
				lines = append(lines, line.String())
			}
		}
	}
	return lines
}

// verdictsOf is what compare says of a text.
func verdictsOf(t *testing.T, text string) ([]verdict.Answer, string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), recordsFile)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	answers, _, err := compared([]string{path})
	if err != nil {
		return nil, "", fmt.Errorf("%s", strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""))
	}
	var said strings.Builder
	if err := report.WriteVerdicts(&said, "markdown", answers); err != nil {
		t.Fatal(err)
	}
	return answers, said.String(), nil
}

// Wherever the records of a pair of the same program are cut, nothing is said to
// have changed, and what lacks is told.
func TestTruncatedRecordsSayNothingFalse(t *testing.T) {
	t.Parallel()
	lines := pairLines(t, func(*record.Record) {})
	perRound := len(lines) / verdict.Rounds
	random := rand.New(rand.NewPCG(8, 10))
	said := map[verdict.Verdict]int{}
	for n := range len(lines) + 1 {
		text := strings.Join(lines[:n], "")
		answers, _, err := verdictsOf(t, text)
		switch {
		case n == 0:
			if err == nil || !strings.Contains(err.Error(), "its records are of no pair") {
				t.Errorf("no line: %v", err)
			}
		case n == 1: // direct's
			if err == nil {
				t.Error("one line: no error")
			}
		case n%perRound%3 != 0:
			if err == nil || !strings.HasPrefix(err.Error(), "run.jsonl: no record of go-http@") && n > 1 || !strings.Contains(err.Error(), "was it cut short? scripts/bench record DIR makes them again") {
				t.Errorf("%d lines, in the middle of a loading: %v", n, err)
			}
		case err != nil || len(answers) != 1:
			t.Errorf("%d lines: %d answers, %v", n, len(answers), err)
		default:
			a := answers[0]
			said[a.Verdict]++
			if a.Verdict == verdict.Regressed || a.Verdict == verdict.Improved {
				t.Errorf("%d lines: %s", n, a.Verdict)
			}
			// A round that lacks scenarios is told where it counts.
			if n%perRound != 0 && n > perRound && a.Rounds > n/perRound && a.Verdict != verdict.NotMeasured {
				t.Errorf("%d lines: %s after %d rounds, of which one lacks scenarios", n, a.Verdict, a.Rounds)
			}
		}
		if n == len(lines) {
			break
		}
		inside := 1 + random.IntN(len(lines[n])-2)
		if _, _, err := verdictsOf(t, text+lines[n][:inside]); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("run.jsonl: line %d: ", n+1)) {
			t.Errorf("cut %d bytes into line %d: %v", inside, n+1, err)
		}
	}
	t.Logf("%d whole prefixes of %d lines: %v", len(lines), len(lines), said)
}

// Of several files the one that was cut short is named.
func TestTheFileThatWasCutShortIsNamed(t *testing.T) {
	t.Parallel()
	lines := pairLines(t, func(*record.Record) {})
	half := len(lines) / 2
	read := func(name string, lines []string) recordFile {
		records, err := record.Read(strings.NewReader(strings.Join(lines, "")))
		if err != nil {
			t.Fatal(err)
		}
		return recordFile{name, records}
	}
	whole, short := read("whole.jsonl", lines[half:]), read("short.jsonl", lines[:half-1])
	for _, files := range [][]recordFile{{whole, short}, {short, whole}} {
		if err := cutShort(files...); err == nil || !strings.HasPrefix(err.Error(), "short.jsonl: no record of go-http@head, stress-100, round 6,") {
			t.Errorf("%s first: %v", files[0].name, err)
		}
	}
}

// The order of lines says nothing: it gives the same verdicts and the same words.
func TestReorderedRecordsGiveTheSameVerdicts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 11))
	for name, change := range map[string]func(*record.Record){
		"as they are": func(*record.Record) {},
		"head fails": func(r *record.Record) {
			if r.Server.Side == "head" && r.Round%3 == 1 {
				r.Status, r.Why = record.Suspect, []string{"of " + r.Scenario + " many streams failed"}
				failed := 5.0
				r.Metrics["failed_pct"] = &failed
			}
		},
		"the machine spoils": func(r *record.Record) {
			if r.Round%3 == 1 {
				why := "in " + strings.Repeat("x", int(r.Scenario[len(r.Scenario)-1]%3+1)) + " others were busy for " + r.Target()
				r.Status, r.Why, r.Conditions.Unfit = record.Suspect, []string{why}, []string{why}
			}
		},
	} {
		lines := pairLines(t, change)
		_, want, err := verdictsOf(t, strings.Join(lines, ""))
		if err != nil || want == "" {
			t.Fatalf("%s: %q, %v", name, want, err)
		}
		for range 5 {
			shuffled := slices.Clone(lines)
			random.Shuffle(len(lines), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			if _, got, err := verdictsOf(t, strings.Join(shuffled, "")); err != nil || got != want {
				t.Fatalf("%s: another order says\n%s\nwant\n%s\n%v", name, got, want, err)
			}
		}
	}
}

// Two records of one place are an error of whoever reads them, which names both.
func TestTheSameRecordTwice(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	pair := pairLines(t, func(*record.Record) {})
	p.write("pair.jsonl", strings.Join(pair, ""))
	p.write("twice.jsonl", strings.Join(slices.Insert(slices.Clone(pair), 7, pair[2]), ""))
	p.copy("internal/judge/record/testdata/mixed.jsonl", "run.jsonl")
	first, _, _ := strings.Cut(p.text("run.jsonl"), "\n")
	p.write("run2.jsonl", p.text("run.jsonl")+first+"\n")
	p.git("init", "-q")
	const want = "scripts/bench record DIR makes them again from the raw files"
	for command, says := range map[string]string{
		"compare twice.jsonl":                      "compare: twice.jsonl: line 3 and twice.jsonl: line 8 are both of go-http@head, baseline, round 1; want one",
		"compare pair.jsonl pair.jsonl":            "compare: pair.jsonl: line 1 and pair.jsonl: line 1 are both of direct, baseline, round 1; want one",
		"report run2.jsonl":                        "report: run2.jsonl: line 1 and run2.jsonl: line 21 are both of all-fail, baseline, round 1; want one",
		"publish -history none -o site run2.jsonl": "publish: run2.jsonl: line 1 and run2.jsonl: line 21 are both of all-fail, baseline, round 1; want one",
	} {
		r := p.bench(strings.Fields(command)...)
		if r.expect(t, 2, says, want); r.stdout != "" {
			t.Errorf("%s says %s", command, r.stdout)
		}
	}
	// One that was interrupted, or cut where a round ends, is told beside its answer.
	p.write("some.jsonl", strings.Join(pair[:len(pair)/2], ""))
	p.bench("compare", "some.jsonl").expect(t, 0, "compare: go-http: 6 rounds of 12 that are planned, and not all is decided: the pair was interrupted, or its records were cut short")
}

// What an error or a doubt quotes of records gives a terminal no orders.
func TestErrorsGiveATerminalNoOrders(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.git("init", "-q")
	pair := pairLines(t, func(r *record.Record) {
		if r.Server.Side != "" {
			r.Server.Name = "go-http\x1b[2J"
		}
	})
	p.write("twice.jsonl", strings.Join(append(pair, pair[2]), ""))
	p.write("some.jsonl", strings.Join(pair[:len(pair)/2], ""))
	p.bench("compare", "twice.jsonl").expect(t, 2, "are both of go-http?[2J@head, baseline, round 1; want one")
	p.bench("compare", "some.jsonl").expect(t, 0, "compare: go-http?[2J: 6 rounds of 12 that are planned")
}
