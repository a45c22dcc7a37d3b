package site

import (
	"cmp"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/page"
	"fairstream/scripts/internal/workload"
)

// Facts are all that the site says something about.
type Facts struct {
	Files       fs.FS    // of the branch: runs/, details/ and events/; nil: there is none
	History     string   // its commit; "": unknown
	Repository  string   // https://github.com/OWNER/NAME; "": unknown
	Main        []Commit // its first parents, oldest first
	Acceptances []accept.Acceptance
	Unread      error // names the files of Acceptances that cannot be read; nil: none
	// IsAncestor says whether a commit is in the history of another.
	IsAncestor func(commit, of string) (bool, error)
	Renamed    map[string]map[string]string // servers, by workload: old name to new
	Local      []Local
	Proven     func(workloads []string) []prove.Table // error rates of some workloads; nil: not measured
	Checks     map[string]int                         // how many the contract of a workload has
	Words      []page.Word                            // the glossary
	Releases   []verdict.Step                         // a year of them, which a site without a history shows
}

// A Commit is what is shown of one.
type Commit struct {
	Hash    string
	Time    int64 // of the committer, unix seconds
	Author  string
	Subject string
}

// A Local is a run on somebody's own machine, or a comparison.
type Local struct {
	Records []record.Record
	Details *record.Details  // nil: there are none
	Answers []verdict.Answer // to the records of a comparison
}

// Out takes the files, by path; it is called from several goroutines.
type Out func(path string, data []byte) error

// A Say is called before a step that may take more than a moment.
type Say func(step string)

// Build writes the site's data, of each workload on its own: nothing compares two workloads. A file that
// cannot be read is named in the manifests and left out.
func Build(facts Facts, out Out, say Say) (Built, error) {
	say("site: reading the history")
	runs, broken, err := load(facts, out)
	if err != nil {
		return Built{}, err
	}
	b := Built{facts: facts}
	for _, w := range workloads(facts, runs) {
		p, err := newPart(facts, w, runs, out)
		if err != nil {
			return Built{}, err
		}
		b.parts = append(b.parts, p)
	}
	broken = append(broken, b.parts[0].verdicts.broken...) // events of all workloads share a file
	say("site: writing series")
	for i, p := range b.parts {
		p.broken, p.brokenCount = named(broken), len(broken)
		if i > 0 {
			p.dir = p.workload.Name + "/"
		}
		if err := p.write(out); err != nil {
			return Built{}, err
		}
		b.Counts.add(p)
	}
	b.Manifest, err = writeManifests(b.parts, out)
	return b, err
}

// A part is what the site says of one workload.
type part struct {
	history
	facts       Facts
	dir         string // of its pages; "": it is the first
	verdicts    verdicts
	results     []result
	compared    []compared          // newest first
	ownRuns     []*run              // those of comparisons on somebody's own machine
	series      map[string][]string // metrics of each scenario
	commitsFile string
	manifest    Manifest
	broken      []Broken // the first of them
	brokenCount int
}

func newPart(facts Facts, w workload.Workload, runs []*run, out Out) (p *part, err error) {
	its := slices.DeleteFunc(slices.Clone(runs), func(r *run) bool { return r.workload != w.Name })
	renamed := facts.Renamed[w.Name]
	p = &part{history: index(w, order(its, facts.Main, renamed), renamed), facts: facts, series: map[string][]string{}}
	if p.results, err = newestResults(p.history, renamed); err != nil {
		return p, err
	}
	if p.verdicts, err = readEvents(facts, p.history, out); err != nil {
		return p, err
	}
	own, its, err := ownComparisons(w, facts.Local, out)
	if err != nil {
		return p, err
	}
	p.ownRuns = its
	for _, of := range p.verdicts.all {
		own = append(own, p.comparisonOfEvent(of.Event, of.path, of.begin))
	}
	slices.SortStableFunc(own, func(a, b compared) int {
		return cmp.Or(noBeforeYes(!a.own, !b.own), b.begin.Compare(a.begin), strings.Compare(a.dir, b.dir))
	})
	p.compared = own
	return p, nil
}

// workloads are those with runs or comparisons, in order; without any the first.
func workloads(facts Facts, runs []*run) (all []workload.Workload) {
	for _, w := range workload.All {
		if slices.ContainsFunc(runs, func(r *run) bool { return r.workload == w.Name }) ||
			slices.ContainsFunc(facts.Local, func(l Local) bool { return l.Records[0].Workload == w.Name }) {
			all = append(all, w)
		}
	}
	if all == nil {
		all = workload.All[:1]
	}
	return all
}

// load reads all runs, with all cores, and writes their trend runs to the site.
func load(facts Facts, out Out) (runs []*run, broken []Broken, err error) {
	if facts.Unread != nil {
		broken = append(broken, brokenBy(accept.Dir, facts.Unread))
	}
	names, unlisted := filesIn(facts.Files, "runs")
	groups, misnamed := grouped(names)
	read, err := parallel(len(groups), func(i int) (r reading, err error) {
		r.runs, r.broken, err = groups[i].load(facts.Files, out)
		return r, err
	})
	if err != nil {
		return nil, nil, err
	}
	broken = slices.Concat(broken, unlisted, misnamed)
	for _, r := range read {
		runs, broken = append(runs, r.runs...), append(broken, r.broken...)
	}
	for _, of := range facts.Local {
		if len(of.Answers) > 0 {
			continue
		}
		local, err := localRuns(of, out)
		if err != nil {
			return nil, nil, err
		}
		runs = append(runs, local...)
	}
	return runs, broken, nil
}

// A reading is what the files of a run say.
type reading struct {
	runs   []*run // one of each workload
	broken []Broken
}

// parallel does n things, as many at a time as there are cores. The results are in order.
func parallel[T any](n int, do func(i int) (T, error)) ([]T, error) {
	all := make([]T, n)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() (err error) {
			all[i], err = do(i)
			return err
		})
	}
	return all, group.Wait()
}
