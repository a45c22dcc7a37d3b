// Package simulate writes a history of any length in the form of the real one, for tests of its readers. It repeats the
// results and details of real runs, with noise, injected changes, failures and oddities. The same seed gives the same
// bytes. It measures nothing.
package simulate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
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

// Second is the workload of requests that a history may have.
var Second = workload.All[slices.IndexFunc(workload.All, func(w workload.Workload) bool { return w.Unit == workload.Request })]

// Subjects that try to be more than text.
var hostile = []string{
	"</script><script>alert(1)</script>", `<img src=x onerror=alert(1)>`, "\u202egnp.exe \U0001F600 \x07 \u2028", "=HYPERLINK(\"http://a\")", "**bold** `code` [a](javascript:b)",
}

// Injected changes: throughput of server 0 falls by slowed and recovers, memory of server 2 grows by grown.
const slowed, grown = 0.06, 0.20

// scatter is that between two runs, and between two rounds of one.
const scatter = 0.02

// old begins the name of a server before it is renamed.
const old = "old-"

// A simulation is one history in the making.
type simulation struct {
	Options
	random *rand.Rand
	put    func(path string, data []byte) error
	drift  []float64 // of each server: a random walk
	of     map[string]template
	// Places, as shares of the history, in which something happens.
	slower, faster, bigger, failing, warned, renamed, epoch, vanished, stranger, quick, rerun int
}

// Start is when the first run began; one follows each seven hours.
var Start = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// Write writes all files, through put.
func Write(o Options, put func(path string, data []byte) error) (h History, err error) {
	at := func(tenths float64) int { return int(tenths * float64(o.Commits) / 10) }
	s := &simulation{
		Options: o, random: rand.New(rand.NewPCG(o.Seed, 1)), put: put, drift: make([]float64, o.Servers),
		slower: at(3), faster: at(5), bigger: at(7), failing: at(6), warned: at(6.5), renamed: at(4), epoch: at(8), vanished: at(7.5), stranger: at(1), quick: at(2), rerun: at(2.5),
	}
	if s.of, err = templates(); err != nil {
		return h, err
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
	h.Renamed = map[string]map[string]string{workload.Names()[0]: {old + s.name(1): s.name(1)}}
	h.Acceptances = []accept.Acceptance{{File: "memory.json", Workload: workload.Names()[0], Server: s.name(2 % o.Servers), Scenario: "*", Metric: "*", Since: SHA(s.bigger), Reason: "a cache that pays <b>", By: "Ann"}}
	return h, nil
}

// SHA is a commit's hash.
func SHA(n int) string { return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, "commit ", n)))[:40] }

func (s *simulation) began(n int) time.Time { return Start.Add(time.Duration(n) * 7 * time.Hour) }

// name is that of a server: of the real ones, as long as there are some.
func (s *simulation) name(i int) string {
	if names := s.of[workload.Names()[0]].names; i < len(names) {
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
	first := workload.All[0]
	var all []raw.Server
	for i := range s.Servers {
		if i < s.Servers-1 || n < s.vanished {
			all = append(all, s.server(n, i, s.name(i)))
		}
	}
	if err := s.run(s.path(n, 1), s.began(n), first, n, n == s.quick, all); err != nil {
		return err
	}
	if n == s.rerun {
		if err := s.records(s.path(n, 2), s.play(first, n, 1, false, first.ComparedRecords(), s.began(n).Add(time.Hour), all[:1])); err != nil {
			return err
		}
	}
	if s.Requests > 0 && n%2 == 0 { // in a run of its own, on every other commit
		own := *s // with noise of its own, so that the first workload stays as it is without it
		own.random = rand.New(rand.NewPCG(s.Seed, uint64(1_000_000+n)))
		all = nil
		for i := range s.Requests {
			all = append(all, s.server(n, 2+i, s.of[Second.Name].names[i])) // 1 is renamed
		}
		path := strings.Replace(s.path(n, 1), fmt.Sprint(19283746500+n*1771), fmt.Sprint(19283746500+n*1771+7), 1)
		if err := own.run(path, s.began(n).Add(2*time.Hour), Second, n, false, all); err != nil {
			return err
		}
	}
	return s.events(n)
}

// run writes the files of a run of some servers: alone, and side by side.
func (s *simulation) run(path string, began time.Time, w workload.Workload, n int, quick bool, servers []raw.Server) error {
	var alone []record.Record
	for i := range servers {
		alone = append(alone, s.play(w, n, 1, quick, w.ComparedRecords(), began.Add(time.Duration(i)*2*time.Minute), servers[i:i+1])...)
	}
	direct := raw.Server{Name: raw.Direct, Versions: map[string]string{}}
	together := s.play(w, n, 3, quick, s.of[w.Name].scenarios, began.Add(20*time.Minute), append([]raw.Server{direct}, servers...))
	if err := s.records(path, alone); err != nil {
		return err
	}
	if err := s.records(record.LeaderboardPath(path), together); err != nil || !s.Details {
		return err
	}
	return s.put(record.DetailsPathOf(path, w.Name), s.of[w.Name].detailsOf(servers))
}

func (s *simulation) records(path string, records []record.Record) error {
	var lines bytes.Buffer
	if err := record.Write(&lines, records); err != nil {
		return err
	}
	return s.put(path, lines.Bytes())
}

// play are the records of all rounds of servers.
func (s *simulation) play(w workload.Workload, n, rounds int, quick bool, scenarios []string, began time.Time, servers []raw.Server) (all []record.Record) {
	cpu, os, kernel, memory := "Intel(R) Core(TM) i5-4200U CPU @ 1.60GHz", "Debian GNU/Linux 12 (bookworm)", "6.1.0-18-amd64", int64(8237096960)
	if n >= s.epoch {
		kernel = "6.1.0-21-amd64"
	}
	commit, clean := SHA(n), false
	like := record.Record{
		Schema: record.Schema, Workload: w.Name, Host: raw.Host{CPU: &cpu, Cores: 4, OS: &os, Kernel: &kernel, MemoryBytes: &memory},
		Run: record.Run{
			ID: fmt.Sprintf("%d-1", 19283746500+n*1771), Commit: &commit, Dirty: &clean, Asked: raw.Asked{Quick: quick, Rounds: rounds, Seed: uint64(s.random.Uint32())}, Placement: "split",
			Rig: fmt.Sprintf("%x", sha256.Sum256([]byte("rig of "+w.Name))),
		},
		Tools: map[string]string{"go": "1.26.8", "k6": "1.8.1", "sysstat": "12.6.1"},
	}
	for round := range rounds {
		for k, scenario := range scenarios {
			machine := s.noise(scatter)
			like.Scenario, like.Round = scenario, round+1
			like.Started = began.Add(time.Duration(round*len(scenarios)+k) * time.Minute)
			for place, of := range servers {
				if place == 0 || !paced(w, scenario) { // by turns each target has conditions of its own
					like.Conditions = record.Conditions{LoadBefore: four(s.noise(0.5)), StealPct: four(0.1 * s.noise(0.3)), OthersPct: four(3 * s.noise(0.3)), Disturbed: []string{}}
				}
				like.Server = of
				all = append(all, s.record(like, w, n, machine))
			}
		}
	}
	return all
}

func paced(w workload.Workload, scenario string) bool {
	_, level := record.Level(scenario)
	return level == "" || w.FixedRate(scenario)
}

func (s *simulation) server(n, i int, name string) raw.Server {
	commit, tree, artefact := SHA(n), SHA(1000*i + n/20)[:40], fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, i, n/20)))
	language, _, _ := strings.Cut(name, "-")
	if i == 1 && n < s.renamed {
		name = old + name
	}
	return raw.Server{Name: name, Language: language, Framework: "gin", Commit: &commit, Tree: &tree, Artefact: &artefact, Versions: map[string]string{language: "1.2.3"}}
}

// record gives a server its figures in a round. All records of these minutes share the speed of the machine.
func (s *simulation) record(r record.Record, w workload.Workload, n int, machine float64) record.Record {
	i := -1 // of the first workload; direct and servers of the second have no place
	for k := range s.Servers {
		if w.Name == workload.Names()[0] && strings.TrimPrefix(r.Server.Name, old) == s.name(k) {
			i = k
		}
	}
	slow, dear, fat := machine*s.noise(scatter/4), s.noise(scatter), s.noise(scatter)
	r.Status, r.Why = record.OK, []string{}
	if i >= 0 {
		drift := math.Exp(s.drift[i])
		slow, dear, fat = slow*drift, dear*drift, fat*drift
		switch {
		case i == 0 && n >= s.slower && n < s.faster:
			slow /= 1 - slowed
		case i == 2 && n >= s.bigger:
			fat *= 1 + grown
		}
		switch {
		case i == 3 && n == s.failing:
			r.Status, r.Why = record.Invalid, []string{"all 155 streams failed: \"status\" <script>alert(1)</script>"}
		case n == s.warned:
			r.Status, r.Why = record.Warning, []string{"k6 waited for a core"}
		}
	}
	if paced(w, r.Scenario) {
		slow = 1
	}
	real := s.of[w.Name].metrics(r.Server.Name, max(0, i), r.Scenario)
	r.Metrics = record.Metrics{}
	for _, m := range record.Table(w.Name) {
		v := real[m.Name]
		switch {
		case m.Name == "failed_pct":
			var failed float64
			if r.Status == record.Invalid {
				failed = 100
			}
			v = &failed
		case r.Status == record.Invalid:
			v = nil
		case v != nil && m.Unit == record.MSOverhead: // by noise even below 0
			v = four(*v + 0.1*s.random.NormFloat64())
		case v != nil:
			v = four(*v * factor(m, slow, dear, fat))
		}
		r.Metrics[m.Name] = v
	}
	return r
}

// factor is that of a figure, if the server is slower, takes more CPU time and more memory.
func factor(m record.Metric, slow, dear, fat float64) float64 {
	switch {
	case m.Name == "rate_per_s" || m.Name == "rate_x_direct" || m.Name == "body_mb_per_s":
		return 1 / slow
	case strings.HasPrefix(m.Name, "server_cpu_us") || m.Name == "server_cpu_x_rig":
		return dear
	case strings.Contains(m.Name, "rss"):
		return fat
	case strings.HasSuffix(m.Name, "_ms"):
		return slow
	}
	return 1
}

// four are the digits that a history keeps.
func four(v float64) *float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64) // this number was formatted just now
	return &v
}

func (s *simulation) noise(share float64) float64 { return math.Exp(share * s.random.NormFloat64()) }

// events are the verdicts of a commit: of those with an injected change, and now and
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
