package branch

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/record"
)

// Unpacking a run's file returns the packed records, except for the digits.
func TestARunsFileKeepsItsRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	in := loaded(random, 7, hash(7), time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), 2, "go-gin", "go-http")
	in[3].Status, in[3].Why = record.Warning, []string{"a <reason>"}
	in = append(in, loaded(random, 8, hash(7), in[0].Started, 1, "go-fiber")...)
	text, err := archive.Pack(in)
	if err != nil || strings.Count(string(text), "\n") != 2 || !strings.Contains(string(text), "a <reason>") {
		t.Fatalf("%v: want a line for each trend run:\n%s", err, text)
	}
	out, err := archive.Records(bytes.NewReader(text))
	if err != nil || len(out) != len(in) {
		t.Fatalf("%v: %d records, want %d", err, len(out), len(in))
	}
	for i, want := range in {
		got := out[i]
		for _, m := range record.Table("relay") {
			w, g := want.Metrics[m.Name], got.Metrics[m.Name]
			if (w == nil) != (g == nil) || w != nil && math.Abs(*w-*g) > 0.002*math.Abs(*w) {
				t.Errorf("record %d: %s differs by more than its digits", i, m.Name)
			}
		}
		want.Metrics, got.Metrics = nil, nil
		for _, v := range []*float64{want.Conditions.LoadBefore, want.Conditions.StealPct, want.Conditions.OthersPct} {
			*v = record.LimitDigits(*v, 2)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("record %d:\n%+v, want\n%+v", i, got, want)
		}
	}
	// They are records as any: written and read.
	var lines bytes.Buffer
	if err := record.Write(&lines, out); err != nil {
		t.Fatal(err)
	}
	if _, err := record.Read(&lines); err != nil {
		t.Error(err)
	}
	for _, r := range archive.OfServers(in) {
		if r.Server.Name == "direct" {
			t.Error("direct is among the servers")
		}
	}
}

func TestBrokenRunsFilesAreRefused(t *testing.T) {
	text, err := archive.Pack(loaded(rand.New(rand.NewPCG(3, 4)), 7, hash(7), time.Now(), 1, "go-gin"))
	if err != nil {
		t.Fatal(err)
	}
	for want, line := range map[string]string{
		"schema 3":      strings.Replace(string(text), `"schema":7`, `"schema":3`, 1),
		"unknown field": strings.Replace(string(text), `"k6_runs"`, `"loads"`, 1),
		"server 9 of 2": strings.Replace(string(text), `"server":1`, `"server":9`, 1),
		"figures of":    strings.Replace(string(text), `"metrics":[`, `"metrics":["mips",`, 1),
		"symbol":        strings.Replace(string(text), `"figures":["`, `"figures":["&`, 1),
		"too early":     regexp.MustCompile(`("figures":\["[^"]*)[^"]"`).ReplaceAllString(string(text), `$1"`),
		"behind":        strings.Replace(string(text), `"figures":["`, `"figures":["!!!!!!!!!!!!!!!!!!!!!!!!!!`, 1),
		"9 figures of":  strings.Replace(string(text), `[0,0,0,0,0,0,0,0,0,0]`, `[0,0,0,0,0,0,0,0,0]`, 1),
		"line 1":        "{",
		"text after":    strings.TrimSuffix(string(text), "\n") + "{}\n",
	} {
		if _, err := archive.Records(strings.NewReader(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// A leaderboard run has a file of its own, beside that of the trend runs and in the same commit. Each attempt
// adds only what is new.
func TestRankHasAFileOfItsOwn(t *testing.T) {
	r, run := bare(t), runOf(1)
	run.TrendRuns, run.Leaderboard, run.Details = nil, []byte("{\"leaderboard\":1}\n"), map[string][]byte{"relay": []byte("{}\n"), "made-up": []byte("{}\n")} // every trend run failed
	publish(t, r, run)
	again := run
	again.Path, again.TrendRuns = strings.Replace(run.Path, "-1.jsonl", "-2.jsonl", 1), []byte("{\"trend_run\":1}\n")
	publish(t, r, again)
	publish(t, r, again)
	if got, want := strings.Fields(git(t, r.URL, "ls-tree", "-r", "--name-only", Branch, "runs", "details")), []string{archive.DetailsPath(run.Path), archive.DetailsPathOf(run.Path, "made-up"), archive.LeaderboardPath(run.Path), again.Path}; !reflect.DeepEqual(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if got := git(t, r.URL, "rev-list", "--count", Branch); got != "2" {
		t.Errorf("%s commits, want one for each attempt", got)
	}
	if got := show(t, r, archive.LeaderboardPath(run.Path)); got != `{"leaderboard":1}` {
		t.Errorf("leaderboard has %q", got)
	}
	again.TrendRuns = []byte("{}\n")
	if _, err := r.Publish(t.Context(), again, func(string) {}); err == nil || !strings.Contains(err.Error(), "a run never changes") {
		t.Errorf("other bytes: %v", err)
	}
}
