package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/record"
)

// mostBroken are named in the manifest, which every reader fetches.
const mostBroken = 20

// mostSubject is how many characters of a commit's subject, or author, are shown.
const mostSubject = 80

// write writes everything; what needs the name of a file comes after the file.
func (b *builder) write() (all Built, err error) {
	m := Manifest{
		Schema: Schema, Repository: text(b.facts.Repository), History: text(b.facts.History), Newest: b.newest(), Own: b.own(),
		Commits: Blocks{Count: len(b.places), Block: Block, Files: []string{}},
		Servers: b.servers, Scenarios: b.scenarios(), Metrics: metricForms(), Columns: columnForms(), Epochs: b.epochs, Cuts: b.cuts, Series: map[string]string{}, Headlines: headlines,
	}
	if m.Servers == nil {
		m.Servers = []Server{}
	}
	if m.Epochs == nil {
		m.Epochs, m.Cuts = []Epoch{}, [][2]int{}
	}
	if m.Scenarios == nil {
		m.Scenarios = []string{}
	}
	names := make([]string, len(m.Scenarios)*len(trended))
	err = parallel(len(names), func(i int) (err error) {
		names[i], err = b.writeSeries(m.Scenarios[i/len(trended)], i%len(trended))
		return err
	})
	if err != nil {
		return all, err
	}
	for i, name := range names {
		if name != "" {
			m.Series[m.Scenarios[i/len(trended)]+"/"+trended[i%len(trended)].Name] = name
		}
	}
	if m.Commits.Files, err = b.writeCommits(); err != nil {
		return all, err
	}
	if m.Runs, err = b.writeRuns(); err != nil {
		return all, err
	}
	if m.Flags, err = b.hashed("data/flags", Flags{Schema, b.flags, b.others}); err != nil {
		return all, err
	}
	if err := b.writeRanks(&m); err != nil {
		return all, err
	}
	if b.facts.Proven != nil {
		name, err := b.hashed("data/proven", Proven{Schema, b.facts.Proven})
		if err != nil {
			return all, err
		}
		m.Proven = &name
	}
	if m.Health, err = b.hashed("data/health", b.health()); err != nil {
		return all, err
	}
	m.Broken = b.named()
	data, err := json.Marshal(m)
	if err != nil {
		return all, err
	}
	var newest *Rank
	if len(b.ranked) > 0 {
		newest = b.ranked[0]
	}
	if len(b.first) > 0 {
		b.first = append(b.first, m.Commits.Files[b.firstBlock():]...)
	}
	return Built{m, newest, b.flags, b.first}, b.out("data/manifest.json", data)
}

// text is null for "".
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (b *builder) own() []OwnRun {
	all := []OwnRun{}
	for _, p := range slices.Backward(b.places) {
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

// newest is the begin of the newest record.
func (b *builder) newest() (at *time.Time) {
	for _, p := range b.places {
		for _, r := range p.runs {
			if at == nil || r.end.After(*at) {
				at = &r.end
			}
		}
	}
	return at
}

// named are the broken files, by name, those of an older schema after all others; if
// they are many, the last says how many more.
func (b *builder) named() []Broken {
	slices.SortFunc(b.broken, func(x, y Broken) int { return cmp.Or(noBeforeYes(x.older, y.older), strings.Compare(x.File, y.File)) })
	all := append([]Broken{}, b.broken...)
	if n := len(all) - mostBroken; n > 0 {
		all = append(all[:mostBroken], Broken{Why: fmt.Sprintf("and %d more files", n)})
	}
	return all
}

func (b *builder) writeCommits() (names []string, err error) {
	names = []string{}
	for first := 0; first < len(b.places); first += Block {
		c := Commits{Schema: Schema, First: first}
		for i, p := range b.places[first:min(first+Block, len(b.places))] {
			c.SHA, c.Epoch = append(c.SHA, p.commit.Hash[:10]), append(c.Epoch, b.epochOf[first+i])
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
		name, err := b.hashed(fmt.Sprintf("data/c/%d", first/Block), c)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

func (b *builder) writeRuns() (string, error) {
	all := Runs{Schema: Schema, Files: []string{}, Runs: []RunRow{}}
	for first := 0; first < len(b.places); first += Block {
		rows := []RunRow{}
		for i, p := range b.places[first:min(first+Block, len(b.places))] {
			for _, r := range p.runs {
				rows = append(rows, b.runRow(first+i, r))
			}
		}
		all.Count += len(rows)
		slices.Reverse(rows)
		all.Runs = rows
		if first+Block > len(b.places) {
			break // not full: it has no file yet
		}
		name, err := b.hashed(fmt.Sprintf("data/r/%d", first/Block), RunBlock{Schema, first, rows})
		if err != nil {
			return "", err
		}
		all.Files = append(all.Files, name)
	}
	return b.hashed("data/runs", all)
}

func (b *builder) runRow(at int, r *run) RunRow {
	row := RunRow{
		Run: r.path, Commit: at, Time: r.begin, Servers: []string{}, Legs: r.legs, Rank: r.rank,
		Flags: b.paths[r.path], Details: r.details, Quick: r.quick,
	}
	for name := range r.served {
		row.Servers = append(row.Servers, current(name, b.facts.Renamed))
	}
	slices.Sort(row.Servers)
	if r.older {
		row.Branch = r.branch
	}
	return row
}
