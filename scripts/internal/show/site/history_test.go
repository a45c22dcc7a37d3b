package site_test

import (
	"bytes"
	"cmp"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
)

const long = 40 // commits: everything that the simulation injects has a commit of its own

func commits(t *testing.T, s written, m site.Manifest) site.Commits {
	return get[site.Commits](t, s, m.Commits.File)
}

// Commits are in main's order, and one that git does not know by its begin.
func TestOrder(t *testing.T) {
	facts := simulated(t, long, 2)
	s, m := build(t, facts)
	c := commits(t, s, m)
	for n := range long {
		if c.SHA[n] != simulate.SHA(n)[:10] {
			t.Errorf("place %d: %s, want %.10s", n, c.SHA[n], simulate.SHA(n))
		}
		if stranger := n == long/10; stranger != (c.Subject[n] == nil) || stranger != (c.Time[n] == nil) {
			t.Errorf("place %d: subject %v", n, c.Subject[n])
		}
	}
	// Main says otherwise than the clock: it is believed.
	slices.Reverse(facts.Main)
	s, m = build(t, facts)
	if c := commits(t, s, m); c.SHA[0] != simulate.SHA(long - 1)[:10] && c.SHA[1] != simulate.SHA(long - 1)[:10] {
		t.Errorf("newest of a reversed main at %d", slices.Index(c.SHA, simulate.SHA(long - 1)[:10]))
	}
}

// A new kernel starts an epoch, which has a name and its own noise.
func TestEpochs(t *testing.T) {
	s, m := build(t, simulated(t, long, 2))
	if len(m.Epochs) != 2 || m.Epochs[1].First != long*8/10 || m.Epochs[0].Last != m.Epochs[1].First-1 || !strings.HasSuffix(m.Epochs[1].Text, "kernel 6.1.0-21-amd64") {
		t.Errorf("%+v", m.Epochs)
	}
	c := commits(t, s, m)
	for i, e := range c.Epoch {
		if want := map[bool]int{true: 1}[i >= m.Epochs[1].First]; e != want {
			t.Errorf("place %d: epoch %d, want %d", i, e, want)
		}
	}
	noise := series(t, s, "stress-100/rate_per_s").Noise["bun-hono"]
	if len(noise) != 2 || noise[0][0] != 0 || noise[1][0] != 1 || noise[1][2] != 7 {
		t.Errorf("noise %v, want one for each epoch, the second of 7 differences", noise)
	}
}

// The band is as wide as the simulation scattered: 2 %, so 3.9 % are 1.96 sd.
func TestNoise(t *testing.T) {
	s, _ := build(t, simulated(t, 500, 2))
	for _, name := range []string{"stress-100/rate_per_s", "steady/server_cpu_us_per_stream"} {
		for server, noise := range series(t, s, name).Noise {
			if got := noise[0][1]; math.Abs(got-3.92) > 0.9 { // of 400 differences: 5 % sd
				t.Errorf("%s %s: %v %%, want 3.9", name, server, got)
			}
		}
	}
	o := series(t, s, "baseline/ttft_p95_overhead_ms")
	if got := o.Noise["bun-hono"][0][1]; math.Abs(got-0.196) > 0.045 {
		t.Errorf("added: %v ms, want 0.196, absolute", got)
	}
}

// A renamed server goes on under its new name; one that vanished ends; one that failed
// has a gap, and a reason.
func TestServers(t *testing.T) {
	s, m := build(t, simulated(t, long, 5))
	var names []string
	for _, server := range m.Servers {
		names = append(names, server.Name)
	}
	if !slices.Equal(names, []string{"bun-hono", "bun-http", "go-fiber", "go-gin", "go-http"}) || !slices.Equal(m.Servers[1].Was, []string{"old-bun-http"}) {
		t.Errorf("%q, the second was %q", names, m.Servers[1].Was)
	}
	if gone := m.Servers[4]; gone.First != 0 || gone.Last != long*75/100-1 {
		t.Errorf("vanished: %+v", gone)
	}
	series := series(t, s, "steady/rate_per_s")
	failing, warned, quick := long*6/10, long*65/100, long*2/10
	for name, c := range series.Servers {
		for i := range c.Mid {
			null := i == quick || name == "go-gin" && i == failing || name == "go-http" && i >= long*75/100
			status := map[bool]int{true: site.Absent}[null]
			if i == warned {
				status = site.Warning
			}
			if (c.Mid[i] == nil) != null || c.Status[i] != status {
				t.Errorf("%s at %d: %v with status %d, want null %v, status %d", name, i, c.Mid[i], c.Status[i], null, status)
			}
		}
	}
}

// withoutServer is a history in which a commit's run has no records of a server.
func withoutServer(t *testing.T, facts site.Facts, sha, server string) site.Facts {
	path := pathOf(t, facts, sha)
	text, err := fs.ReadFile(facts.Files, path)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.SplitAfter(string(text), "\n"), func(line string) bool { return strings.Contains(line, `"name":"`+server+`"`) })
	return with(facts, map[string][]byte{path: []byte(strings.Join(lines, ""))})
}

func without(facts site.Facts, sha string) site.Facts {
	less := map[string][]byte{}
	fs.WalkDir(facts.Files, ".", func(path string, _ fs.DirEntry, _ error) error { // its function returns none
		if strings.Contains(path, sha) {
			less[path] = nil
		}
		return nil
	})
	return with(facts, less)
}

// A second run for one server replaces its points. Figures of another epoch are not a
// point of the commit.
func TestRunAgain(t *testing.T) {
	facts := simulated(t, long, 2)
	at := long * 25 / 100
	s, m := build(t, facts)
	mid := func(server string) *float64 {
		return series(t, s, "steady/server_cpu_us_per_stream").Servers[server].Mid[at]
	}
	first := map[string]float64{"bun-hono": *mid("bun-hono"), "bun-http": *mid("bun-http")}
	again := strings.Replace(pathOf(t, facts, simulate.SHA(at)), "-1.jsonl", "-2.jsonl", 1)
	text, err := fs.ReadFile(facts.Files, again)
	if err != nil {
		t.Fatal(err)
	}
	s, m = build(t, with(facts, map[string][]byte{again: nil}))
	if *mid("bun-hono") == first["bun-hono"] || *mid("bun-http") != first["bun-http"] {
		t.Errorf("with the rerun %v, without %g and %g", first, *mid("bun-hono"), *mid("bun-http"))
	}
	other := strings.ReplaceAll(string(text), `"cores":4`, `"cores":5`)
	s, m = build(t, with(facts, map[string][]byte{again: []byte(other)}))
	if got := mid("bun-http"); got != nil || len(m.Epochs) != 3 {
		t.Errorf("%v of another epoch than the newest run's; epochs %+v", got, m.Epochs)
	}
}

// Events keep their places and ids. An accepted or completely regained event is not
// open.
func TestEvents(t *testing.T) {
	facts := simulated(t, long, 3)
	s, m := build(t, facts)
	f := get[site.Events](t, s, m.Events)
	if len(f.Events) != 3 || f.Others[string(verdict.Unchanged)] != 2 {
		t.Fatalf("%+v", f)
	}
	bigger, faster, slower := f.Events[0], f.Events[1], f.Events[2]
	if *slower.At != long*3/10 || *slower.From != *slower.At-1 || len(slower.Cells) != 1 || slower.Accepted != nil || faster.Verdict != "improved" {
		t.Errorf("%+v, %+v", slower, faster)
	}
	if a := bigger.Accepted; a == nil || !a.All || a.By != "Ann" || open(facts, t) != "" || bigger.Fixed != nil || slower.Fixed == nil || *slower.Fixed != faster.Head {
		t.Errorf("open %q, accepted %+v, fixed %v, %v", open(facts, t), a, bigger.Fixed, slower.Fixed)
	}
	// Not of another cell, not before it, and not by less than was lost.
	for name, change := range map[string]func(*verdict.Event){
		"another server": func(f *verdict.Event) { f.Server = "go-http" },
		"another metric": func(f *verdict.Event) { f.Cells[0].Metric = "ttft_p95_ms" },
		"a part of it":   func(f *verdict.Event) { f.Cells[0].Change, f.Cells[0].Low, f.Cells[0].High = 0.03, 0.02, 0.04 },
		"another commit": func(f *verdict.Event) { f.Head = simulate.SHA(long * 2 / 10) },
	} {
		changed := eventsWith(t, facts, faster.Path, change)
		if got := open(changed, t); got != "1 open regression" {
			t.Errorf("%s: %q; want what was lost", name, got)
		}
	}
	for _, path := range []string{slower.Path, bigger.Path} {
		get[[]verdict.Event](t, s, "events/"+path+".json")
	}
	// A server that fails is so until it has figures again; what of its figures is left says nothing.
	facts = simulated(t, long, 5)
	for at, want := range map[int]string{long * 6 / 10: simulate.SHA(long*6/10 + 1), long*6/10 + 2: "nothing"} {
		s, m := build(t, eventsWith(t, facts, slower.Path, func(f *verdict.Event) {
			f.Server, f.Head, f.Cells = "go-gin", simulate.SHA(at), nil
		}))
		got := "no event"
		for _, f := range get[site.Events](t, s, m.Events).Events {
			if f.Server == "go-gin" && len(f.Cells) == 0 {
				got = *cmp.Or(f.Fixed, new("nothing"))
			}
		}
		if got != want {
			t.Errorf("failed at %d: %s fixed it, want %s", at, got, want)
		}
	}
	// An acceptance that expired before the newest record does not count, whatever the day is. One of an
	// older change does not count either.
	for name, change := range map[string]func(*site.Facts){
		"expired": func(f *site.Facts) { day := "2024-01-02"; f.Acceptances[0].Expires = &day },
		"older":   func(f *site.Facts) { f.Acceptances[0].Since = simulate.SHA(2) },
	} {
		facts := simulated(t, long, 3)
		change(&facts)
		s, m := build(t, facts)
		if a := get[site.Events](t, s, m.Events).Events[0].Accepted; a != nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// open is what the badge says of open regressions; "" for none.
func open(facts site.Facts, t *testing.T) string {
	s, _ := build(t, facts)
	message := get[struct {
		SchemaVersion         int
		Label, Message, Color string
	}](t, s, "badge.json").Message
	return strings.TrimPrefix(message, "No open regression")
}

// eventsWith are facts with the first event of a run changed.
func eventsWith(t *testing.T, facts site.Facts, path string, change func(*verdict.Event)) site.Facts {
	var name string
	fs.WalkDir(facts.Files, "events", func(p string, _ fs.DirEntry, _ error) error { // an unreadable file is not found, and then the test fails
		if strings.Contains(p, path[len("2024/01/"):][:10]) {
			name = p
		}
		return nil
	})
	text, err := fs.ReadFile(facts.Files, name)
	if err != nil {
		t.Fatal(err)
	}
	events, err := verdict.ReadEvents(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	change(&events[0])
	var out bytes.Buffer
	if err := verdict.WriteEvents(&out, events); err != nil {
		t.Fatal(err)
	}
	return with(facts, map[string][]byte{name: out.Bytes()})
}

// The present state comes from single commits, however many there are, and never across machines.
func TestNow(t *testing.T) {
	facts := simulated(t, long, 3)
	now := func(facts site.Facts) (all []*site.Now) {
		s, m := build(t, facts)
		for _, f := range get[site.Events](t, s, m.Events).Events {
			all = append(all, f.Now)
		}
		return all
	}
	if all := now(facts); all[0] != nil || all[1] != nil || all[2] != nil {
		t.Errorf("%v; want none: the machine changed", all)
	}
	// A run of one's own on that machine, shown beside what main has, changes nothing.
	own := recordsIn(t, facts, pathOf(t, facts, simulate.SHA(long-1)))
	for i := range own {
		own[i].Run.ID, own[i].Server.Commit = "here", nil
	}
	facts.Local = append(facts.Local, site.Local{Records: own})
	for n := long * 8 / 10; n < long; n++ {
		facts = without(facts, simulate.SHA(n))
	}
	all := now(facts)
	for i, want := range []struct {
		low, high float64
		inside    bool
	}{
		{0.15, 0.3, false},  // bigger, and it stays
		{0.02, 0.1, false},  // faster
		{-0.05, 0.05, true}, // slower, until it was fixed: as it was before
	} {
		if n := all[i]; n == nil || n.Change < want.low || n.Change > want.high || n.Inside != want.inside {
			t.Errorf("event %d: %+v; want %+v", i, n, want)
		}
	}
}

// The newest run of all servers is for other programs, too, with the ranks and figures of the report.
func TestLatest(t *testing.T) {
	s, m := build(t, simulated(t, long, 4))
	k := get[site.Latest](t, s, "latest.json")
	if *k.Commit != simulate.SHA(long-1) || k.Rounds != 3 || k.Quick || len(k.Rankings) != 3 || len(k.Answers) != 3 || len(m.Broken) > 0 {
		t.Errorf("%+v", k)
	}
	for _, r := range k.Rankings {
		if r.ApartPct == nil || len(r.Ranked) != 3 || r.Ranked[0].Best != 1 {
			t.Errorf("%+v", r)
		}
	}
	for _, f := range k.Figures {
		if f.Low > f.Mean || f.Mean > f.High {
			t.Errorf("%+v", f)
		}
	}
	if lines := bytes.Count(s["latest.csv"], []byte("\n")); lines != len(k.Figures)+1 || !bytes.HasPrefix(s["latest.csv"], []byte("scenario,target,metric,unit,mean,low,high\n")) {
		t.Errorf("%d lines of %d figures: %.100s", lines, len(k.Figures), s["latest.csv"])
	}
	if !bytes.Contains(s["picture.svg"], []byte("Cheapest")) {
		t.Errorf("picture: %.200s", s["picture.svg"])
	}
	// Of a newest that cannot be read, it is the one before.
	facts := simulated(t, long, 4)
	path := record.LeaderboardPath(pathOf(t, facts, simulate.SHA(long-1)))
	text, _ := fs.ReadFile(facts.Files, path) // an absent file has none
	s, m = build(t, with(facts, map[string][]byte{path: []byte(strings.ReplaceAll(string(text), `"metrics":{`, `"metrics":{"none":1,`))}))
	if k := get[site.Latest](t, s, "latest.json"); *k.Commit != simulate.SHA(long-2) || len(m.Broken) != 1 {
		t.Errorf("results of %s, broken %v", *k.Commit, m.Broken)
	}
	// A server that only leaderboard runs have is known.
	s, m = build(t, with(facts, map[string][]byte{path: []byte(strings.ReplaceAll(string(text), `"name":"go-fiber"`, `"name":"go-new"`))}))
	if i := slices.IndexFunc(m.Servers, func(s site.Server) bool { return s.Name == "go-new" }); i < 0 || m.Servers[i].First != -1 || m.Servers[i].Language == "" {
		t.Errorf("servers %+v", m.Servers)
	}
	// Of very many, the newest have a page.
	n := 0
	for path := range pages(t, simulated(t, 60, 2)) {
		if strings.HasPrefix(path, "results/") {
			n++
		}
	}
	if n != 49 {
		t.Errorf("%d pages of older results, want 49 beside the first page", n)
	}
}
