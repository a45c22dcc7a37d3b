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
)

// mostBroken are named in the manifest, which every reader fetches.
const mostBroken = 20

// mostSubject is how many characters of a commit's subject, or author, are shown.
const mostSubject = 80

// write writes everything; what needs the name of a file comes after the file.
func write(
	facts Facts, h history, v verdicts, ranked ranks, copies map[*run]copied, broken []Broken, out Out,
) (all Built, err error) {
	m := Manifest{
		Schema: Schema, Repository: text(facts.Repository), History: text(facts.History), Newest: h.newest,
		Own: own(h.places), Commits: Blocks{Count: len(h.places), Block: Block}, Servers: h.servers,
		Scenarios: append([]string{}, sortedKeys(h.cells, byLoad)...), Metrics: metricForms(), Columns: columnForms(),
		Epochs: h.epochs.all, Cuts: h.epochs.cuts, Series: map[string]string{}, Headlines: headlines, Broken: named(broken),
	}
	series, err := parallel(len(m.Scenarios)*len(trended), func(i int) (written, error) {
		return writeSeries(h, m.Scenarios[i/len(trended)], i%len(trended), out)
	})
	if err != nil {
		return all, err
	}
	var first []string // what Trend reads first
	for _, of := range series {
		if of.series != "" {
			m.Series[of.series] = of.overview
		}
		if of.series == firstSeries {
			first = append([]string{of.overview}, of.shards[firstBlock(len(h.places)):]...)
		}
	}
	if m.Commits.Files, err = writeCommits(h, out); err != nil {
		return all, err
	}
	if first != nil {
		first = append(first, m.Commits.Files[firstBlock(len(h.places)):]...)
	}
	if m.Runs, err = writeRuns(h.places, facts.Renamed, v.of, copies, out); err != nil {
		return all, err
	}
	if m.Flags, err = out.hashed("data/flags", Flags{Schema, v.flags, v.others}); err != nil {
		return all, err
	}
	if m.Rank, m.Ranks, err = writeRanks(ranked.all, out); err != nil {
		return all, err
	}
	if facts.Proven != nil {
		name, err := out.hashed("data/proven", Proven{Schema, facts.Proven})
		if err != nil {
			return all, err
		}
		m.Proven = &name
	}
	if m.Health, err = out.hashed("data/health", healthOf(h, v.flags)); err != nil {
		return all, err
	}
	data, err := json.Marshal(m)
	if err != nil {
		return all, err
	}
	return Built{m, ranked.newest(), v.flags, first}, out("data/manifest.json", data)
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

func writeCommits(h history, out Out) (names []string, err error) {
	names = []string{}
	for first := 0; first < len(h.places); first += Block {
		c := Commits{Schema: Schema, First: first}
		for i, p := range h.places[first:min(first+Block, len(h.places))] {
			c.SHA, c.Epoch = append(c.SHA, p.commit.Hash[:10]), append(c.Epoch, h.epochs.of[first+i])
			at := p.time()
			var subject, author, run *string
			switch {
			case p.known:
				subject, author = text(cut(p.commit.Subject, mostSubject)), text(cut(p.commit.Author, mostSubject))
			case p.local != nil:
				subject = text(cut(p.local.subject, mostSubject))
			}
			quick := 1
			if p.newest != nil {
				run, quick = &p.newest.path, 0
			}
			c.Time, c.Subject, c.Author, c.Run, c.Quick = append(c.Time, at), append(c.Subject, subject), append(c.Author, author), append(c.Run, run), append(c.Quick, quick)
		}
		name, err := out.hashed(fmt.Sprintf("data/c/%d", first/Block), c)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

func writeRuns(
	places []*place, renamed map[string]string, flagged map[string]bool, copies map[*run]copied, out Out,
) (string, error) {
	all := Runs{Schema: Schema, Files: []string{}, Runs: []RunRow{}}
	for first := 0; first < len(places); first += Block {
		rows := []RunRow{}
		for i, p := range places[first:min(first+Block, len(places))] {
			for _, r := range p.runs {
				rows = append(rows, runRow(first+i, r, copies[r], renamed, flagged[r.path]))
			}
		}
		all.Count += len(rows)
		slices.Reverse(rows)
		all.Runs = rows
		if first+Block > len(places) {
			break // not full: it has no file yet
		}
		name, err := out.hashed(fmt.Sprintf("data/r/%d", first/Block), RunBlock{Schema, first, rows})
		if err != nil {
			return "", err
		}
		all.Files = append(all.Files, name)
	}
	return out.hashed("data/runs", all)
}

func runRow(at int, r *run, c copied, renamed map[string]string, flagged bool) RunRow {
	row := RunRow{
		Run: r.path, Commit: at, Time: r.begin, Servers: []string{}, Legs: r.legs, Rank: c.rank,
		Flags: flagged, Details: c.details, Quick: r.quick,
	}
	for name := range r.served {
		row.Servers = append(row.Servers, current(name, renamed))
	}
	slices.Sort(row.Servers)
	if c.older {
		row.Branch = r.branch
	}
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
	z.Close()     // likewise
	return to.Bytes()
}
