package site

import (
	"io/fs"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/details"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
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
	Renamed    map[string]string // servers: old name to new
	Local      []Local
	Proven     []prove.Table
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
	Details *details.Details // nil: there are none
	Answers []verdict.Answer // to the records of a comparison
}

// Out takes the files, by path; it is called from several goroutines.
type Out func(path string, data []byte) error

// A Say is called before a step that may take more than a moment.
type Say func(step string)

// Build writes the site's data. A file that cannot be read is named
// in the manifest and left out.
func Build(facts Facts, out Out, say Say) (Built, error) {
	say("publish: reading the history")
	runs, broken, err := load(facts, out)
	if err != nil {
		return Built{}, err
	}
	h := index(order(runs, facts.Main, facts.Renamed), facts.Renamed)
	v, err := readEvents(facts, h, out)
	if err != nil {
		return Built{}, err
	}
	ranked := newestLeaderboards(h, facts.Renamed)
	say("publish: writing runs")
	copies, err := copyLeaderboards(facts.Files, h.places, ranked, out)
	if err != nil {
		return Built{}, err
	}
	say("publish: writing series")
	broken = slices.Concat(broken, v.broken, ranked.broken)
	for _, c := range copies {
		broken = append(broken, c.broken...)
	}
	compared, err := comparisons(facts.Local, out)
	if err != nil {
		return Built{}, err
	}
	return write(facts, h, v, ranked, copies, compared, broken, out)
}

// load reads all runs, with all cores, and writes their trend runs to the site.
func load(facts Facts, out Out) (runs []*run, broken []Broken, err error) {
	if facts.Unread != nil {
		broken = append(broken, brokenBy(accept.Dir, facts.Unread))
	}
	names, unlisted := files(facts.Files, "runs")
	runs, misnamed := grouped(names)
	unread, err := parallel(len(runs), func(i int) ([]Broken, error) { return runs[i].load(facts.Files, out) })
	if err != nil {
		return nil, nil, err
	}
	broken = slices.Concat(broken, unlisted, misnamed, slices.Concat(unread...))
	runs = slices.DeleteFunc(runs, func(r *run) bool { return !r.trendRuns && !r.leaderboard })
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
