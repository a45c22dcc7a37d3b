package compare

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/judge/verdict/comparetest"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/testfile"
)

const mixed = "../../judge/record/testdata/mixed.jsonl"

// verdictsOf is what compare says of a text.
func verdictsOf(t *testing.T, text string) ([]verdict.Answer, string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	testfile.Write(t, path, text)
	answers, _, err := Replay([]string{path})
	if err != nil {
		return nil, "", fmt.Errorf("%s", strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""))
	}
	var said strings.Builder
	if err := (report.Verdicts{Width: 1000, Reasons: true}).Write(&said, "markdown", answers); err != nil {
		t.Fatal(err)
	}
	return answers, said.String(), nil
}

// Records that are cut anywhere, from a comparison of the same program, show no change. The answer names the
// missing scenarios.
func TestTruncatedRecordsSayNothingFalse(t *testing.T) {
	t.Parallel()
	lines := comparetest.Lines(t, mixed, func(*record.Record) {})
	perRound := len(lines) / verdict.Rounds
	random := rand.New(rand.NewPCG(8, 10))
	said := map[verdict.Verdict]int{}
	for n := range len(lines) + 1 {
		text := strings.Join(lines[:n], "")
		answers, _, err := verdictsOf(t, text)
		switch {
		case n == 0:
			if err == nil || !strings.Contains(err.Error(), "these records come from separate runs") {
				t.Errorf("no line: %v", err)
			}
		case n == 1: // direct's
			if err == nil {
				t.Error("one line: no error")
			}
		case n%perRound%3 != 0:
			if err == nil || !strings.HasPrefix(err.Error(), "run.jsonl: no record of go-http@") && n > 1 || !strings.Contains(err.Error(), "was it cut short? scripts/bench record DIR makes them again") {
				t.Errorf("%d lines, in the middle of a k6 run: %v", n, err)
			}
		case err != nil || len(answers) != 1:
			t.Errorf("%d lines: %d answers, %v", n, len(answers), err)
		default:
			a := answers[0]
			said[a.Verdict]++
			if a.Verdict == verdict.Regressed || a.Verdict == verdict.Improved {
				t.Errorf("%d lines: %s", n, a.Verdict)
			}
			// The answer mentions a counted round with missing scenarios.
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
	lines := comparetest.Lines(t, mixed, func(*record.Record) {})
	half := len(lines) / 2
	read := func(name string, lines []string) record.File {
		records, err := record.Read(strings.NewReader(strings.Join(lines, "")))
		if err != nil {
			t.Fatal(err)
		}
		return record.File{Name: name, Records: records}
	}
	whole, short := read("whole.jsonl", lines[half:]), read("short.jsonl", lines[:half-1])
	for _, files := range [][]record.File{{whole, short}, {short, whole}} {
		if err := record.CheckComplete(files...); err == nil || !strings.HasPrefix(err.Error(), "short.jsonl: no record of go-http@head, stress-200, round 12,") {
			t.Errorf("%s first: %v", files[0].Name, err)
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
				r.Status, r.Why = record.Warning, []string{"of " + r.Scenario + " many streams failed"}
				failed := 5.0
				r.Metrics["failed_pct"] = &failed
			}
		},
		"the machine spoils": func(r *record.Record) {
			if r.Round%3 == 1 {
				why := "in " + strings.Repeat("x", int(r.Scenario[len(r.Scenario)-1]%3+1)) + " others were busy for " + r.Target()
				r.Status, r.Why, r.Conditions.Disturbed = record.Warning, []string{why}, []string{why}
			}
		},
	} {
		lines := comparetest.Lines(t, mixed, change)
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

// A replay says what compare said with -confirm: the second comparison beside the records counts.
func TestReplayConfirms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		slower bool // head, in the second comparison too
		want   verdict.Verdict
	}{"found again": {true, verdict.Regressed}, "not found again": {false, verdict.Inconclusive}} {
		dir := t.TempDir()
		write := func(path, run string, slower bool) {
			lines := comparetest.Lines(t, mixed, func(r *record.Record) {
				r.Run.ID = run
				if v := r.Metrics["server_cpu_us_per_stream"]; v != nil && r.Server.Side == "head" && slower {
					*v *= 1.2
				}
			})
			testfile.Write(t, path, strings.Join(lines, ""))
		}
		first := filepath.Join(dir, "run.jsonl")
		write(first, "out", true)
		if answers, _, err := Replay([]string{first}); err != nil || answers[0].Verdict != verdict.Regressed {
			t.Fatalf("%s: %v, %v; want a regression of the first alone", name, answers, err)
		}
		write(filepath.Join(dir, "out-confirm", "run.jsonl"), "out-confirm", c.slower)
		if answers, _, err := Replay([]string{first}); err != nil || len(answers) != 1 || answers[0].Verdict != c.want {
			t.Errorf("%s: %v, %v; want %s", name, answers, err, c.want)
		}
	}
}
