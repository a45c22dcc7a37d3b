package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"fairstream/scripts/internal/judge/accept"
)

// Say is told each step that may take more than a moment.
type Say func(step string)

// A builder holds what is known of the whole history.
type builder struct {
	facts   Facts
	out     Out
	places  []*place
	at      map[string]int // by commit, 40 hex
	epochs  []Epoch
	epochOf []int // by place
	cuts    [][2]int
	servers []Server
	cells   map[string]map[string][]*cell // by scenario and server, by place
	flags   []Flag
	others  map[string]int // verdicts of flags that nothing changed in
	paths   map[string]bool
	broken  []Broken
	ranked  []*Rank  // the newest first
	first   []string // what Trend reads first
}

// Build writes the site's data. A file that cannot be read is named
// in the manifest and left out.
func Build(facts Facts, out Out, say Say) (Built, error) {
	b := &builder{facts: facts, out: out, at: map[string]int{}, others: map[string]int{}, paths: map[string]bool{}}
	say("publish: reading the history")
	runs, err := b.load()
	if err != nil {
		return Built{}, err
	}
	if facts.Unread != nil {
		b.broken = append(b.broken, brokenBy(accept.Dir, facts.Unread))
	}
	b.places = order(runs, facts.Main, facts.Renamed)
	for i, p := range b.places {
		b.at[p.commit.Hash] = i
	}
	b.listEpochs()
	b.listServers()
	b.listCells()
	if err := b.readFlags(); err != nil {
		return Built{}, err
	}
	b.ranked = b.ranks()
	say("publish: writing runs")
	if err := b.copyRanks(); err != nil {
		return Built{}, err
	}
	say("publish: writing series")
	return b.write()
}

// load reads all runs, with all cores.
func (b *builder) load() (runs []*run, err error) {
	names, broken := files(b.facts.Files, "runs")
	b.broken = append(b.broken, broken...)
	all, broken := grouped(names)
	b.broken = append(b.broken, broken...)
	var mutex sync.Mutex
	err = parallel(len(all), func(i int) error {
		broken, err := all[i].load(b.facts.Files, b.out)
		mutex.Lock()
		defer mutex.Unlock()
		b.broken = append(b.broken, broken...)
		return err
	})
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(r *run) bool { return !r.legs && !r.rank })
	for _, of := range b.facts.Local {
		local, err := localRuns(of, b.out)
		if err != nil {
			return nil, err
		}
		all = append(all, local...)
	}
	return all, nil
}

// parallel does n things, as many at a time as there are cores.
func parallel(n int, do func(i int) error) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error { return do(i) })
	}
	return group.Wait()
}

// hashed writes JSON under a name that has a hash of it, and returns the name.
func (b *builder) hashed(name string, v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	name = fmt.Sprintf("%s.%x.json", name, sum[:5])
	return name, b.out(name, text)
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

func (b *builder) listEpochs() {
	forms := map[string]Epoch{}
	for i, p := range b.places {
		e, ok := forms[p.epoch]
		if !ok {
			for _, r := range p.runs {
				if r.epochs[p.epoch].ID != "" {
					e = r.epochs[p.epoch]
				}
			}
			e.First = i
		}
		e.Last = i
		forms[p.epoch] = e
	}
	b.epochs = slices.SortedFunc(maps.Values(forms), func(x, y Epoch) int { return x.First - y.First })
	for i, p := range b.places {
		at := slices.IndexFunc(b.epochs, func(e Epoch) bool { return e.ID == p.epoch })
		if i == 0 || at != b.epochOf[i-1] {
			b.cuts = append(b.cuts, [2]int{i, at})
		}
		b.epochOf = append(b.epochOf, at)
	}
}

// epoch is an epoch's place; -1 when no commit is of it.
func (b *builder) epoch(id string) int {
	return slices.IndexFunc(b.epochs, func(e Epoch) bool { return e.ID == id })
}

// listServers lists all that any run has, also those that shortened runs and ranks
// alone have: a page that shows them needs to know how they look.
func (b *builder) listServers() {
	all, pointless := map[string]Server{}, map[string]Server{}
	note := func(in map[string]Server, name string, s *served, at int) {
		one, ok := in[name]
		if !ok {
			one = Server{Name: name, Was: []string{}, First: at}
		}
		one.Last, one.Workload, one.Language, one.Framework = at, s.workload, s.language, s.framework
		in[name] = one
	}
	for i, p := range b.places {
		for name, s := range p.served {
			note(all, name, s, i)
		}
		for _, r := range p.runs {
			for _, of := range []map[string]*served{r.served, r.others} {
				for _, name := range slices.Sorted(maps.Keys(of)) {
					note(pointless, current(name, b.facts.Renamed), of[name], -1)
				}
			}
		}
	}
	for name, one := range pointless {
		if _, ok := all[name]; !ok {
			all[name] = one
		}
	}
	for old := range b.facts.Renamed {
		if one, ok := all[current(old, b.facts.Renamed)]; ok && one.Name != old {
			one.Was = append(one.Was, old)
			slices.Sort(one.Was)
			all[one.Name] = one
		}
	}
	b.servers = slices.SortedFunc(maps.Values(all), func(x, y Server) int { return strings.Compare(x.Name, y.Name) })
}

// scenarios are those with points, by load.
func (b *builder) scenarios() []string { return sortedKeys(b.cells, byLoad) }
