package site

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/workload"
)

// mostBroken are named in the manifest, which every reader fetches.
const mostBroken = 20

// mostSubject is how many characters of a commit's subject, or author, are shown.
const mostSubject = 80

// write writes everything of one workload; what needs the name of a file comes after the file.
func write(
	facts Facts, h history, v verdicts, leaderboards []*Leaderboard, compared compared, broken []Broken, out Out,
) (m Manifest, err error) {
	w := h.workload
	metrics := trended[w.Name]
	m = Manifest{
		Schema: Schema, Workload: w.Name, Workloads: []WorkloadForm{}, Repository: text(facts.Repository), History: text(facts.History), Newest: h.newest,
		Own: own(h.places), Comparisons: compared.rows, Commits: CommitFile{Count: len(h.places)}, Servers: compared.withServers(h.servers),
		Scenarios: append([]string{}, sortedKeys(h.cells, byLoad(w))...), Metrics: metricForms(w), Columns: columnForms(w),
		Epochs: h.epochs.all, Cuts: h.epochs.cuts, Series: map[string]string{}, Headlines: headlinesOf(w), Broken: broken, TieRule: answer.TieRule,
	}
	if m.Newest == nil || compared.newest != nil && compared.newest.After(*m.Newest) {
		m.Newest = compared.newest
	}
	series, err := parallel(len(m.Scenarios)*len(metrics), func(i int) ([2]string, error) {
		return writeSeries(h, m.Scenarios[i/len(metrics)], i%len(metrics), out)
	})
	if err != nil {
		return m, err
	}
	for _, of := range series {
		if of[0] != "" {
			m.Series[of[0]] = of[1]
		}
	}
	if m.Commits.File, err = writeCommits(h, out); err != nil {
		return m, err
	}
	if m.Runs, err = out.hashed("data/runs", runsOf(h.places, facts.Renamed[w.Name], v.of)); err != nil {
		return m, err
	}
	if m.Events, err = out.hashed("data/events", Events{Schema, v.events, v.others}); err != nil {
		return m, err
	}
	if m.Leaderboard, m.Leaderboards, err = writeLeaderboards(leaderboards, out); err != nil {
		return m, err
	}
	if facts.Proven != nil {
		name, err := out.hashed("data/proven", Proven{Schema, facts.Proven})
		if err != nil {
			return m, err
		}
		m.Proven = &name
	}
	m.Health, err = out.hashed("data/health", healthOf(h, v.events))
	return m, err
}

// writeManifests writes the manifests of all workloads. That of the first lists the others.
func writeManifests(all []Manifest, checks map[string]int, out Out) (b Built, err error) {
	b.Manifest = all[0]
	for i, m := range all {
		w, file := workload.Named(m.Workload), (*string)(nil)
		if i > 0 {
			name, err := out.hashed("data/manifest/"+w.Name, m)
			if err != nil {
				return b, err
			}
			file = &name
		}
		form := workloadForm(w, file)
		form.Checks, form.Comparisons = checks[w.Name], m.Comparisons
		b.Manifest.Workloads = append(b.Manifest.Workloads, form)
		b.Counts.add(m)
	}
	data, err := json.Marshal(b.Manifest)
	if err != nil {
		return b, err
	}
	if file, ok := b.Manifest.Series[firstSeries]; ok && b.Manifest.Workload == workload.Names()[0] {
		b.First = []string{file, b.Manifest.Commits.File}
	}
	return b, out("data/manifest.json", data)
}

func workloadForm(w workload.Workload, file *string) WorkloadForm {
	return WorkloadForm{
		Name: w.Name, Unit: w.Unit, Upstream: w.Upstream, CostOf: w.CostOf, Scenarios: w.ScenarioNames(), Curves: record.Curves(w.Name),
		Headlines: headlinesOf(w), File: file, Does: w.Does, Shapes: shapes(w), Comparisons: []ComparisonRow{},
	}
}

// shapes are the scenarios of a workload that pages list.
func shapes(w workload.Workload) []Shape {
	all := []Shape{}
	for _, s := range append(slices.Clone(w.Scenarios), w.Soak) {
		if s.Shows != "" {
			all = append(all, Shape{s.Name, append([]string{}, s.Levels...), s.Load, s.Shows})
		}
	}
	return all
}

// text is null for "".
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func own(places []*place) []OwnRun {
	all := []OwnRun{}
	for _, p := range slices.Backward(places) {
		if p.local != nil {
			r := p.runs[0]
			one := OwnRun{r.path, cut(p.local.subject, mostSubject), p.begin(), r.quick, []string{}}
			for _, name := range slices.Sorted(maps.Keys(r.served)) {
				if slices.ContainsFunc(slices.Collect(maps.Values(r.served[name].cells)), func(c *cell) bool { return c.status == record.Invalid }) {
					one.Failed = append(one.Failed, name)
				}
			}
			all = append(all, one)
		}
	}
	return all
}

// named are the broken files, by name, those of an older schema after all others; if
// they are many, the last says how many more.
func named(broken []Broken) []Broken {
	slices.SortFunc(broken, func(x, y Broken) int { return cmp.Or(noBeforeYes(x.older, y.older), strings.Compare(x.File, y.File)) })
	all := append([]Broken{}, broken...)
	if n := len(all) - mostBroken; n > 0 {
		all = append(all[:mostBroken], Broken{Why: fmt.Sprintf("and %d more files", n)})
	}
	return all
}

func writeCommits(h history, out Out) (name string, err error) {
	n := len(h.places)
	c := Commits{
		Schema: Schema, SHA: make([]string, n), Run: make([]*string, n), Time: make([]*int64, n), Subject: make([]*string, n),
		Author: make([]*string, n), Epoch: append([]int{}, h.epochs.of...), Quick: make([]int, n),
	}
	for i, p := range h.places {
		c.SHA[i], c.Time[i], c.Quick[i] = p.commit.Hash[:10], p.time(), 1
		switch {
		case p.known:
			c.Subject[i], c.Author[i] = text(cut(p.commit.Subject, mostSubject)), text(cut(p.commit.Author, mostSubject))
		case p.local != nil:
			c.Subject[i] = text(cut(p.local.subject, mostSubject))
		}
		if p.newest != nil {
			c.Run[i], c.Quick[i] = &p.newest.path, 0
		}
	}
	return out.hashed("data/commits", c)
}

func runsOf(places []*place, renamed map[string]string, flagged map[string]bool) Runs {
	all := Runs{Schema: Schema, Runs: []RunRow{}}
	for i, p := range places {
		for _, r := range p.runs {
			all.Runs = append(all.Runs, runRow(i, r, renamed, flagged[r.path]))
		}
	}
	slices.Reverse(all.Runs)
	return all
}

func runRow(at int, r *run, renamed map[string]string, flagged bool) RunRow {
	row := RunRow{
		Run: r.path, Commit: at, Time: r.begin, Servers: []string{}, TrendRuns: r.trendRuns, Leaderboard: r.leaderboard,
		Events: flagged, Details: r.details, Quick: r.quick,
	}
	for name := range r.served {
		row.Servers = append(row.Servers, current(name, renamed))
	}
	slices.Sort(row.Servers)
	return row
}

// hashed writes JSON under a name that has a hash of it, and returns the name.
func (out Out) hashed(name string, v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	name = fmt.Sprintf("%s.%x.json", name, sum[:5])
	return name, out(name, text)
}

// zipLevel takes a third of the time of the usual 6 for the digits of records, and
// makes 6 % more bytes of them.
const zipLevel = 3

var zippers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, zipLevel) // a level that there is
	return z
}}

// zipped is text compressed by gzip, without a time or a name in it.
func zipped(text []byte) []byte {
	var to bytes.Buffer
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	z.Reset(&to)
	z.Write(text) // to memory
	z.Close()     // as above
	return to.Bytes()
}
