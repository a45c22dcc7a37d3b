package site

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"fairstream/scripts/internal/workload"
)

// mostBroken are named in the manifest, which every reader fetches.
const mostBroken = 20

// mostSubject is how many characters of a commit's subject, or author, are shown.
const mostSubject = 80

// write writes the data of one workload. What needs the name of a file comes after the file.
func (p *part) write(out Out) (err error) {
	w := p.workload
	p.manifest = Manifest{
		Schema: Schema, Workload: w.Name, Workloads: []WorkloadForm{}, Repository: text(p.facts.Repository), History: text(p.facts.History),
		Newest: p.newestRecord(), Commits: CommitFile{Count: len(p.places)}, Servers: p.knownServers(), Metrics: metricForms(w), Columns: columnForms(w),
		Epochs: p.history.epochs.all, Broken: p.broken,
	}
	scenarios, metrics := sortedKeys(p.cells, byLoad(w)), trended[w.Name]
	written, err := parallel(len(scenarios)*len(metrics), func(i int) (bool, error) {
		t, ok := p.newTrend(scenarios[i/len(metrics)], i%len(metrics))
		if !ok {
			return false, nil
		}
		return true, t.write(out)
	})
	if err != nil {
		return err
	}
	for i, ok := range written {
		if ok {
			scenario := scenarios[i/len(metrics)]
			p.series[scenario] = append(p.series[scenario], metrics[i%len(metrics)].Name)
		}
	}
	if p.commitsFile, err = writeCommits(p.history, out); err != nil {
		return err
	}
	p.manifest.Commits.File = p.commitsFile
	if p.manifest.Runs, err = out.hashed("data/runs", p.runs()); err != nil {
		return err
	}
	if p.manifest.Events, err = out.hashed("data/events", Events{Schema, p.verdicts.events, p.verdicts.others}); err != nil {
		return err
	}
	return p.writeLatest(out)
}

// knownServers are those of the history, and of comparisons on somebody's own machine.
func (p *part) knownServers() []Server {
	all := slices.Clone(p.servers)
	for _, r := range p.ownRuns {
		for name, s := range r.served {
			if !slices.ContainsFunc(all, func(known Server) bool { return known.Name == name }) {
				all = append(all, Server{Workload: s.workload, Name: name, Language: s.language, Framework: s.framework, Was: []string{}, First: -1, Last: -1})
			}
		}
	}
	slices.SortFunc(all, func(a, b Server) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// newestRecord is the begin of the newest record, in the history or in a comparison; nil: there is none.
func (p *part) newestRecord() *time.Time {
	newest := p.history.newest
	for _, r := range p.ownRuns {
		if newest == nil || r.end.After(*newest) {
			newest = &r.end
		}
	}
	return newest
}

// writeManifests writes the manifests of all workloads. That of the first lists the others.
func writeManifests(parts []*part, out Out) (first Manifest, err error) {
	first = parts[0].manifest
	for i, p := range parts {
		file := (*string)(nil)
		if i > 0 {
			name, err := out.hashed("data/manifest/"+p.workload.Name, p.manifest)
			if err != nil {
				return first, err
			}
			file = &name
		}
		first.Workloads = append(first.Workloads, workloadForm(p.workload, file))
	}
	data, err := json.Marshal(first)
	if err != nil {
		return first, err
	}
	return first, out("data/manifest.json", data)
}

func workloadForm(w workload.Workload, file *string) WorkloadForm {
	return WorkloadForm{Name: w.Name, Unit: w.Unit, File: file}
}

// text is null for "".
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
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

// runs lists all runs, the newest first.
func (p *part) runs() Runs {
	all := Runs{Schema: Schema, Runs: []RunRow{}}
	for i, one := range p.places {
		for _, r := range one.runs {
			all.Runs = append(all.Runs, runRow(i, r, p.facts.Renamed[p.workload.Name], p.verdicts.of[r.path]))
		}
	}
	for _, r := range p.ownRuns {
		row := runRow(-1, r, nil, false)
		row.Comparison = true
		all.Runs = append(all.Runs, row)
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
