// Package simulate writes a history of any length in the form of the real one, with injected changes,
// failures and oddities, for tests of its readers. The same seed gives the same bytes. It measures nothing.
package simulate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/workload"
)

// Options say how much history there is.
type Options struct {
	Commits, Servers int
	Requests         int // servers of a workload of requests, in runs of their own; 0: none
	Seed             uint64
	Details          bool // of ranks too: they are three quarters of the bytes
}

// A History is what is beside its files: what git and main know.
type History struct {
	Main        []site.Commit                `json:"main"`
	Renamed     map[string]map[string]string `json:"renamed"`
	Acceptances []accept.Acceptance          `json:"accepted"`
}

// Scenarios are those of main.
var Scenarios = []string{"baseline", "steady", "stress-10", "stress-100", "stress-200"}

var names = []string{"bun-hono", "bun-http", "go-fiber", "go-gin", "go-http", "rust-actix", "rust-axum", "rust-http"}

// Subjects that try to be more than text.
var hostile = []string{
	"</script><script>alert(1)</script>", `<img src=x onerror=alert(1)>`, "\u202egnp.exe \U0001F600 \x07 \u2028", "=HYPERLINK(\"http://a\")", "**bold** `code` [a](javascript:b)",
}

// A simulation is one history in the making.
type simulation struct {
	Options
	random *rand.Rand
	put    func(path string, data []byte) error
	drift  []float64 // of each server: a random walk
	drawn  map[string][]byte
	// Places, as shares of the history, in which something happens.
	slower, faster, bigger, failing, warned, renamed, epoch, vanished, stranger, quick, rerun int
}

// Start is when the first run began; one follows each seven hours.
var Start = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// Write writes all files, through put.
func Write(o Options, put func(path string, data []byte) error) (h History, err error) {
	at := func(tenths float64) int { return int(tenths * float64(o.Commits) / 10) }
	s := &simulation{
		Options: o, random: rand.New(rand.NewPCG(o.Seed, 1)), put: put, drift: make([]float64, o.Servers), drawn: map[string][]byte{},
		slower: at(3), faster: at(5), bigger: at(7), failing: at(6), warned: at(6.5), renamed: at(4), epoch: at(8), vanished: at(7.5), stranger: at(1), quick: at(2), rerun: at(2.5),
	}
	if err := put(record.EditionPath, fmt.Appendln(nil, record.Edition)); err != nil {
		return h, err
	}
	for n := range o.Commits {
		c := site.Commit{Hash: SHA(n), Time: s.began(n).Add(-time.Hour).Unix(), Author: "A. Person", Subject: fmt.Sprintf("servers: change %d of something that takes a line (#%d)", n, n)}
		if n%97 == 3 {
			c.Subject = hostile[n/97%len(hostile)]
			c.Author = hostile[n/97%2]
		}
		if n != s.stranger {
			h.Main = append(h.Main, c)
		}
		if err := s.commit(n); err != nil {
			return h, err
		}
	}
	h.Renamed = map[string]map[string]string{workload.Names()[0]: {"old-" + s.name(1): s.name(1)}}
	h.Acceptances = []accept.Acceptance{{File: "memory.json", Workload: workload.Names()[0], Server: s.name(2 % o.Servers), Scenario: "*", Metric: "*", Since: SHA(s.bigger), Reason: "a cache that pays <b>", By: "Ann"}}
	return h, nil
}

// SHA is a commit's hash.
func SHA(n int) string { return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, "commit ", n)))[:40] }

func (s *simulation) began(n int) time.Time { return Start.Add(time.Duration(n) * 7 * time.Hour) }

func (s *simulation) name(i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("server-%02d", i+1)
}

// path of a run's files, without what follows .jsonl.
func (s *simulation) path(n, attempt int) string {
	return fmt.Sprintf("runs/%s/%s-%d-%d.jsonl", s.began(n).Format("2006/01"), SHA(n), 19283746500+n*1771, attempt)
}

func (s *simulation) commit(n int) error {
	for i := range s.drift {
		s.drift[i] += 0.001 * s.random.NormFloat64()
	}
	var all []int
	for i := range s.Servers {
		if i < s.Servers-1 || n < s.vanished {
			all = append(all, i)
		}
	}
	var trendRuns []record.Record
	for k, i := range all {
		trendRuns = append(trendRuns, s.trendRun(n, s.began(n).Add(time.Duration(k)*2*time.Minute), 1, n == s.quick, i)...)
	}
	if err := s.records(s.path(n, 1), trendRuns); err != nil {
		return err
	}
	if n == s.rerun {
		if err := s.records(s.path(n, 2), s.trendRun(n, s.began(n).Add(time.Hour), 1, false, 0)); err != nil {
			return err
		}
	}
	leaderboard := s.trendRun(n, s.began(n).Add(20*time.Minute), 3, n == s.quick, append([]int{-1}, all...)...)
	if err := s.records(record.LeaderboardPath(s.path(n, 1)), leaderboard); err != nil {
		return err
	}
	if s.Details {
		if err := s.details(n, all); err != nil {
			return err
		}
	}
	if err := s.requests(n); err != nil {
		return err
	}
	return s.events(n)
}

// details writes those of a rank. Some runs share them: to make them takes longer than all else.
func (s *simulation) details(n int, all []int) error {
	var servers []string
	for _, i := range all {
		servers = append(servers, s.server(n, i).Name)
	}
	key := fmt.Sprint(n%5, servers)
	if s.drawn[key] == nil {
		if err := s.draw(key, NewDetails(rand.New(rand.NewPCG(s.Seed, uint64(n))), workload.All[0], servers)); err != nil {
			return err
		}
	}
	return s.put(record.DetailsPath(s.path(n, 1)), s.drawn[key])
}

// draw keeps the file of some details under a key.
func (s *simulation) draw(key string, of record.Details) error {
	var text bytes.Buffer
	err := record.WriteDetails(&text, of)
	s.drawn[key] = text.Bytes()
	return err
}

func (s *simulation) records(path string, records []record.Record) error {
	var lines bytes.Buffer
	if err := record.Write(&lines, records); err != nil {
		return err
	}
	return s.put(path, lines.Bytes())
}

// trendRun is what one trend run of servers gives; -1 is direct.
func (s *simulation) trendRun(n int, began time.Time, rounds int, quick bool, servers ...int) []record.Record {
	like := s.like(workload.Names()[0], n, rounds, quick)
	var described []raw.Server
	for _, i := range servers {
		described = append(described, s.server(n, i))
	}
	return s.play(like, n, Scenarios, began, servers, described)
}

// like is what the records of a run of a workload share.
func (s *simulation) like(of string, n, rounds int, quick bool) record.Record {
	cpu, os, kernel, memory := "Intel(R) Core(TM) i5-4200U CPU @ 1.60GHz", "Debian GNU/Linux 12 (bookworm)", "6.1.0-18-amd64", int64(8237096960)
	if n >= s.epoch {
		kernel = "6.1.0-21-amd64"
	}
	rig := "rig"
	if of != workload.Names()[0] {
		rig = "rig of " + of
	}
	commit, clean := SHA(n), false
	return record.Record{
		Schema: record.Schema, Workload: of, Host: raw.Host{CPU: &cpu, Cores: 4, OS: &os, Kernel: &kernel, MemoryBytes: &memory},
		Run: record.Run{
			ID: fmt.Sprintf("%d-1", 19283746500+n*1771), Commit: &commit, Dirty: &clean, Asked: raw.Asked{Quick: quick, Rounds: rounds, Seed: uint64(s.random.Uint32())}, Placement: "split",
			Rig: fmt.Sprintf("%x", sha256.Sum256([]byte(rig))),
		},
		Tools: map[string]string{"go": "1.26.8", "k6": "1.8.1", "sysstat": "12.6.1"},
	}
}

// play are the records of all rounds of servers, which are described in the same order.
func (s *simulation) play(like record.Record, n int, scenarios []string, began time.Time, servers []int, described []raw.Server) (all []record.Record) {
	for round := range like.Run.Rounds {
		for k, scenario := range scenarios {
			machine := s.noise(scatter)
			like.Scenario, like.Round = scenario, round+1
			like.Started = began.Add(time.Duration(round*len(scenarios)+k) * time.Minute)
			for place, i := range servers {
				if _, level := record.Level(scenario); place == 0 || level != "" { // by turns each target has conditions of its own
					like.Conditions = s.conditions()
				}
				like.Server = described[place]
				all = append(all, s.record(like, n, i, machine))
			}
		}
	}
	return all
}

func (s *simulation) server(n, i int) raw.Server {
	if i < 0 {
		return raw.Server{Name: raw.Direct, Versions: map[string]string{}}
	}
	commit, tree, artefact := SHA(n), SHA(1000*i + n/20)[:40], fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, i, n/20)))
	language, _, _ := strings.Cut(s.name(i), "-")
	r := raw.Server{Name: s.name(i), Language: language, Framework: "gin", Commit: &commit, Tree: &tree, Artefact: &artefact, Versions: map[string]string{language: "1.2.3"}}
	if i == 1 && n < s.renamed {
		r.Name = "old-" + r.Name
	}
	return r
}

func (s *simulation) conditions() record.Conditions {
	return record.Conditions{LoadBefore: s.vary(1, 0.5), StealPct: s.vary(0.1, 0.3), OthersPct: s.vary(3, 0.3), Disturbed: []string{}}
}

// events are the verdicts of a commit: of those with a injected change, and now and
// then one that says that nothing changed.
func (s *simulation) events(n int) error {
	var all []verdict.Event
	add := func(i int, v verdict.Verdict, cells ...verdict.EventCell) {
		all = append(all, verdict.Event{
			Schema: verdict.EventSchema, Workload: workload.Names()[0], Server: s.name(i), Base: SHA(max(0, n-1)), Head: SHA(n), Run: fmt.Sprintf("%d-1", 19283746500+n*1771), Epoch: "3f9a1c",
			Verdict: v, Confirmed: v == verdict.Regressed, Rounds: 12, Cells: append([]verdict.EventCell{}, cells...),
		})
	}
	cell := func(scenario, metric string, v verdict.Verdict, base, change float64) verdict.EventCell {
		return verdict.EventCell{Scenario: scenario, Metric: metric, Verdict: v, Base: base, Head: base * (1 + change), Change: change, Low: change - 0.01, High: change + 0.01, Rounds: 12}
	}
	throughput := func(v verdict.Verdict, base, change float64) verdict.EventCell {
		c := cell("stress", "rate_per_s", v, base, change)
		c.Levels = []string{"100", "200"}
		return c
	}
	switch n {
	case s.slower:
		add(0, verdict.Regressed, throughput(verdict.Regressed, 4640, -slowed), cell("steady", "itl_p99_ms", verdict.Unchanged, 10, 0))
	case s.faster:
		add(0, verdict.Improved, throughput(verdict.Improved, 4360, 1/(1-slowed)-1))
	case s.bigger:
		add(2%s.Servers, verdict.Regressed, cell("stress-200", "server_rss_peak_bytes", verdict.Regressed, 2e7, grown))
	}
	if n%30 == 7 {
		add(s.Servers-1, verdict.Unchanged, cell("steady", "server_cpu_us_per_stream", verdict.Unchanged, 450, 0.001))
	}
	if all == nil {
		return nil
	}
	var text bytes.Buffer
	if err := verdict.WriteEvents(&text, all); err != nil {
		return err
	}
	return s.put(record.EventsPath(s.path(n, 1)), text.Bytes())
}
