package branch

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/testfile"
)

func point(name string, value float64) Bench { return Bench{Name: name, Unit: "ms", Value: value} }

func TestARerunReplacesItsPointsAndKeepsTheOthers(t *testing.T) {
	c, _ := ParseChart(nil) // the test made this data
	c.Merge(Bigger, entry(1, point("a", 1), point("b", 2)))
	c.Merge(Bigger, entry(2, point("a", 3)))
	again := entry(1, point("b", 20), point("c", 30))
	again.Date = 77
	c.Merge(Bigger, again)
	want := []Bench{point("a", 1), point("b", 20), point("c", 30)}
	if got := c.Entries[Bigger]; len(got) != 2 || got[0].Date != 77 || !reflect.DeepEqual(got[0].Benches, want) {
		t.Errorf("%+v, want %+v first of two", got, want)
	}
}

func TestPublishingARerunGivesNoSecondPoint(t *testing.T) {
	r := bare(t)
	publish(t, r, runOf(1))
	again := runOf(1)
	again.Path = strings.Replace(again.Path, "-1.jsonl", "-2.jsonl", 1)
	again.TrendRuns = append(again.TrendRuns, "{\"run\":\"a trend run that failed the first time\"}\n"...)
	again.Points[Bigger].Benches[0].Value = 42
	publish(t, r, again)
	got := chart(t, r).Entries[Bigger]
	if len(got) != 1 || len(got[0].Benches) != 1 || got[0].Benches[0].Value != 42 {
		t.Errorf("%+v", got)
	}
	// The artifacts of the trend runs that were not run again come a second time.
	if text := show(t, r, again.Path); text != "{\"run\":\"a trend run that failed the first time\"}" {
		t.Errorf("the rerun's file has %q, want what is new in it", text)
	}
	nothing := again
	nothing.Path = strings.Replace(again.Path, "-2.jsonl", "-3.jsonl", 1)
	publish(t, r, nothing)
	if files := strings.Fields(git(t, r.URL, "ls-tree", "-r", "--name-only", Branch, "runs")); len(files) != 2 {
		t.Errorf("files %q, want those of the attempts that brought records", files)
	}
	// Another run of the same commit measured anew, even if it saw the same.
	other := runOf(1)
	other.Path = strings.Replace(other.Path, "-1-1.jsonl", "-11-1.jsonl", 1)
	publish(t, r, other)
	if files := strings.Fields(git(t, r.URL, "ls-tree", "-r", "--name-only", Branch, "runs")); len(files) != 3 {
		t.Errorf("files %q, want that of the other run too", files)
	}
}

func TestEntriesAreInTheOrderOfCommits(t *testing.T) {
	c, _ := ParseChart(nil) // the test made this data
	for _, n := range []int{5, 1, 3, 2, 4} {
		c.Merge(Bigger, entry(n))
	}
	for i, e := range c.Entries[Bigger] {
		if e.Commit.ID != hash(i+1) {
			t.Errorf("entry %d is %s", i, e.Commit.ID)
		}
	}
}

func TestTheOldestIsTrimmed(t *testing.T) {
	c, _ := ParseChart(nil) // the test made this data
	for n := range 300 {
		c.Merge(Bigger, entry(n, point("a", 1)))
		c.Merge(Smaller, entry(n, point("a", 1)))
	}
	if err := c.Trim(20_000); err != nil {
		t.Fatal(err)
	}
	script, _ := c.Script() // the test made this data
	if len(script) > 20_000 || len(script) < 19_000 {
		t.Errorf("%d bytes, want just below 20000", len(script))
	}
	for suite, entries := range c.Entries {
		if last := entries[len(entries)-1].Commit.ID; last != hash(299) || len(entries) < 20 {
			t.Errorf("%s: %d entries, the last is %s", suite, len(entries), last)
		}
	}
	if err := (&Chart{RepoURL: strings.Repeat("x", 100)}).Trim(50); err == nil {
		t.Error("a chart that cannot be made small enough was trimmed")
	}
}

func TestTheFileStaysBelowAMegabyte(t *testing.T) {
	c, _ := ParseChart(nil) // the test made this data
	for n := range 5000 {
		c.Entries[Smaller] = append(c.Entries[Smaller], entry(n, point("a", 1)))
	}
	script, err := runOf(5000).chart(c)
	if err != nil || len(script) > maxChart || len(script) < maxChart-1000 || !strings.Contains(string(script), hash(5000)) {
		t.Errorf("%v: %d bytes, want just below %d, with the new point", err, len(script), maxChart)
	}
}

// The action appends; only its last entry of our commit is new.
func TestTheLastEntryOfACommitCounts(t *testing.T) {
	c := Chart{Entries: map[string][]Entry{Bigger: {entry(1, point("a", 1)), entry(2, point("a", 2)), entry(1, point("a", 3))}}}
	if e, ok := c.Last(Bigger, hash(1)); !ok || e.Benches[0].Value != 3 {
		t.Errorf("%+v", e)
	}
	if _, ok := c.Last(Smaller, hash(1)); ok {
		t.Error("an entry of a suite that is not there")
	}
}

func TestBeforeIsTheLatestOfEachSeries(t *testing.T) {
	c, _ := ParseChart(nil) // the test made this data
	c.Merge(Bigger, entry(1, point("a", 1), point("b", 1)))
	c.Merge(Bigger, entry(2, point("a", 2)))
	c.Merge(Bigger, entry(3, point("a", 3)))
	c.Merge(Bigger, entry(4, point("a", 4)))
	at := func(n int) time.Time { return entry(n).Commit.Timestamp }
	for _, c2 := range []struct {
		n    int
		want []Bench
		last string
	}{
		{5, []Bench{point("a", 4), point("b", 1)}, hash(4)}, // a new commit
		{3, []Bench{point("a", 2), point("b", 1)}, hash(2)}, // a rerun of an old one
		{1, nil, ""},
	} {
		got := c.Before(hash(c2.n), at(c2.n)).Entries[Bigger]
		if c2.want == nil {
			if got != nil {
				t.Errorf("before %d: %+v", c2.n, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Commit.ID != c2.last || !reflect.DeepEqual(got[0].Benches, c2.want) {
			t.Errorf("before %d: %+v, want %+v of %s", c2.n, got, c2.want, c2.last)
		}
	}
	if len(c.Entries[Bigger][1].Benches) != 1 {
		t.Error("the chart itself was changed")
	}
}

// Commit messages and names are anybody's. They stay text, also for a reader
// that takes the file for a script in a page.
func TestHostileCommitsStayText(t *testing.T) {
	hostile := "</script><script>alert(1)</script> \"; alert(2); // <!-- \u2028 \u2029 \x00 ` ${x}"
	c, _ := ParseChart(nil) // the test made this data
	e := entry(1, point("a", 1))
	e.Commit.Message = hostile + "\nsecond line " + strings.Repeat("x", 100_000)
	e.Commit.Author.Name, e.Commit.URL = hostile, "javascript:alert(1)"
	c.Merge(Bigger, e)
	script, err := c.Script()
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(string(script), "<>\u2028\u2029\x00") || len(script) > 2000 {
		t.Errorf("%d bytes: %.3000s", len(script), script)
	}
	again, err := ParseChart(script)
	if err != nil || again.Entries[Bigger][0].Commit.Message != hostile {
		t.Errorf("%v: %+v", err, again)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node: not found")
	}
	path := t.TempDir() + "/data.js"
	testfile.Write(t, path, string(script))
	program := `globalThis.window={};globalThis.alert=()=>{throw 1};require(process.argv[1]);process.stdout.write(JSON.stringify(window.BENCHMARK_DATA.entries))`
	out, err := exec.Command(node, "-e", program, path).Output()
	var read map[string][]Entry
	if err != nil || json.Unmarshal(out, &read) != nil || read[Bigger][0].Commit.Message != hostile {
		t.Errorf("as a script: %v: %s", err, out)
	}
}

// testdata/charts.json was written by github-action-benchmark 1.22.0 with
// external-data-json-path, from made-up figures. It has keys that we drop.
func TestTheActionsFormIsRead(t *testing.T) {
	text, err := os.ReadFile("testdata/charts.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := ParseChart(text)
	if err != nil {
		t.Fatal(err)
	}
	e, ok := c.Last("throughput, records v2", strings.Repeat("1", 40))
	want := []Bench{{"go-http stress req/s", "req/s", 2335.1, "2300 to 2400", ""}, {"go-gin stress req/s", "req/s", 2351.9, "", "1 of 3 rounds warned"}}
	if !ok || !reflect.DeepEqual(e.Benches, want) || e.Tool != "customBiggerIsBetter" || !e.Commit.Timestamp.Equal(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", e)
	}
	if script, _ := c.Script(); strings.Contains(string(script), "x.example") { // the test made this data
		t.Errorf("an address is kept: %s", script)
	}
	for _, broken := range []string{"<html>", "{", string(text[:300]), string(text) + "}", prefix + "[]", `{"entries":{"x":7}}`} {
		if _, err := ParseChart([]byte(broken)); err == nil || !strings.HasPrefix(err.Error(), "no chart data: byte ") {
			t.Errorf("%.20q: error %v", broken, err)
		}
	}
}

func FuzzParseChart(f *testing.F) {
	f.Add([]byte(prefix + `{"entries":{"a":[{"commit":{"id":"x"},"benches":[{"name":"n","value":1}]}]}}`))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseChart(data)
		if err != nil {
			return
		}
		for _, suite := range slices.Collect(maps.Keys(c.Entries)) {
			c.Merge(suite, entry(1, point("a", 1)))
		}
		script, err := c.Script()
		if err != nil {
			return // a year that JSON cannot write
		}
		if _, err := ParseChart(script); err != nil {
			t.Errorf("not read again: %v\n%s", err, script)
		}
	})
}
