package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"time"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

var (
	runForm      = regexp.MustCompile(`^runs/([0-9]{4}/[0-9]{2})/([0-9a-f]{40})-([0-9]{1,20}-[0-9]{1,20})(\.leaderboard)?\.jsonl$`)
	eventsForm   = regexp.MustCompile(`^events/([0-9]{4}/[0-9]{2})/([0-9a-f]{40})-([0-9]{1,20}-[0-9]{1,20})\.json$`)
	scenarioForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)
)

// largest is how many bytes of a file are read; the runs of eight servers have 100 KB.
const largest = 16 << 20

// A run is what is kept of one, of the servers of one workload.
type run struct {
	workload               string
	path                   string // of its files on the site, without directory and suffix
	commit                 string // 40 hex; "": it is local
	local                  *localRun
	begin, end             time.Time // of its first and its last record
	quick                  bool
	served                 map[string]*served
	others                 map[string]*served // that the leaderboard run alone has: who they are, without points
	epoch                  Epoch              // of its newest record, without places
	trendRuns, leaderboard bool
	leaderboardText        func() ([]record.Record, error) // again: it is too long to keep
	branch                 string                          // of its files there, without directory and suffix; "": it is local
	names                  epochNames
}

// A group holds the files of a run, which may have servers of several workloads.
type group struct {
	path, commit, branch string // as in a run
	names                []string
}

// sitePath is a run's path on the site: of the commit ten digits are enough, which
// the list of commits has too.
func sitePath(month, commit, run string) string { return month + "/" + commit[:10] + "-" + run }

// files are the names below a directory, sorted; what cannot be listed is broken.
func files(fsys fs.FS, dir string) (names []string, broken []Broken) {
	if fsys == nil {
		return nil, nil
	}
	err := fs.WalkDir(fsys, dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == dir: // a history that has none of these
		case err != nil:
			broken = append(broken, brokenBy(name, err))
		case d.Type().IsRegular():
			names = append(names, name)
		case !d.IsDir():
			broken = append(broken, Broken{File: name, Why: "no regular file"})
		}
		return nil
	})
	if err != nil { // the walk itself never fails: each error was taken
		broken = append(broken, brokenBy(dir, err))
	}
	slices.Sort(names)
	return names, broken
}

func brokenBy(name string, err error) Broken {
	var schema archive.SchemaError
	older := errors.As(err, &schema) && schema.Seen < schema.Read
	if older { // in all of its lines
		err = schema
	}
	return Broken{File: cut(name, mostText), Why: cut(err.Error(), mostText), older: older}
}

func read(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > largest {
		return nil, fmt.Errorf("%d bytes; want at most %d", info.Size(), largest)
	}
	return fs.ReadFile(fsys, name)
}

// grouped are the names of runs' files by run, in order.
func grouped(names []string) (groups []*group, broken []Broken) {
	of := map[string]*group{}
	for _, name := range names {
		m := runForm.FindStringSubmatch(name)
		if m == nil {
			broken = append(broken, Broken{File: cut(name, mostText), Why: "want runs/YYYY/MM/COMMIT-RUN-ATTEMPT.jsonl or .leaderboard.jsonl"})
			continue
		}
		p := sitePath(m[1], m[2], m[3])
		if of[p] == nil {
			of[p] = &group{path: p, commit: m[2], branch: m[1] + "/" + m[2] + "-" + m[3]}
			groups = append(groups, of[p])
		}
		of[p].names = append(of[p].names, name)
	}
	return groups, broken
}

// file is the name of the trend runs' file on the branch, or with .leaderboard that of the leaderboard run.
func (r *run) file(which string) string { return branchFile(r.branch, which) }

func branchFile(branch, which string) string { return "runs/" + branch + which + ".jsonl" }

// pathIn is the path on the site of a workload's part of a run. The first workload has the run's own.
func pathIn(path, of string) string {
	if of == workload.Names()[0] {
		return path
	}
	return path + "." + of
}

// load reads a run's files and writes its trend runs, if they can be read, to the site. There is a run for
// each workload with records.
func (g *group) load(fsys fs.FS, out Out) (runs []*run, broken []Broken, err error) {
	of := map[string]*run{}
	part := func(workload string) *run {
		if of[workload] == nil {
			of[workload] = &run{workload: workload, path: pathIn(g.path, workload), commit: g.commit, branch: g.branch, names: epochNames{}}
		}
		return of[workload]
	}
	for _, name := range g.names {
		text, err := read(fsys, name)
		isLeaderboard := name != branchFile(g.branch, "")
		texts := map[string][]byte{}
		if err == nil && isLeaderboard {
			err = addLeaderboard(text, part, func() ([]byte, error) { return read(fsys, name) })
		} else if err == nil {
			texts, err = addTrendRuns(text, part)
		}
		if err != nil {
			broken = append(broken, brokenBy(name, err))
			continue
		}
		for name, text := range texts {
			if err := out("runs/"+of[name].path+".jsonl.gz", zipped(text)); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, name := range workload.Names() {
		if r := of[name]; r != nil && (r.trendRuns || r.leaderboard) {
			runs = append(runs, r)
		}
	}
	return runs, broken, nil
}

var errEmpty = errors.New("no records")

// byWorkload splits trend runs. An unknown workload is an error.
func byWorkload(trendRuns []*archive.TrendRun) (map[string][]*archive.TrendRun, error) {
	of := map[string][]*archive.TrendRun{}
	for _, l := range trendRuns {
		if err := workload.Check(l.Workload); err != nil {
			return nil, err
		}
		of[l.Workload] = append(of[l.Workload], l)
	}
	return of, nil
}

// addTrendRuns returns the trend runs as pages read them, by workload.
func addTrendRuns(text []byte, part func(workload string) *run) (forPages map[string][]byte, err error) {
	all, err := archive.Read(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	split, err := byWorkload(all)
	if err != nil {
		return nil, err
	}
	forPages = map[string][]byte{}
	found := map[string][]record.Record{}
	names := epochNames{}
	servers := map[string]map[string]*served{}
	for name, trendRuns := range split {
		for _, l := range trendRuns {
			found[name] = append(found[name], l.Records()...)
		}
		if len(found[name]) == 0 {
			continue
		}
		if servers[name], err = pointsOf(found[name], names); err != nil {
			return nil, err
		}
		if forPages[name], err = spelled(trendRuns); err != nil {
			return nil, err
		}
	}
	if len(forPages) == 0 {
		return nil, errEmpty
	}
	for name := range forPages {
		r := part(name)
		r.served, r.trendRuns = servers[name], true
		for _, one := range found[name] {
			r.add(one)
		}
	}
	return forPages, nil
}

// addLeaderboard reads only what a list of runs needs: figures are for the newest alone. again reads the text
// once more.
func addLeaderboard(text []byte, part func(workload string) *run, again func() ([]byte, error)) error {
	found := map[string][]record.Record{}
	others := map[string]map[string]*served{}
	for line := range bytes.Lines(text) {
		var trendRun struct {
			Schema   int
			Workload string
			Run      record.Run
			Host     raw.Host
			Servers  []raw.Server
			K6Runs   []struct{ Started time.Time } `json:"k6_runs"`
		}
		if err := json.Unmarshal(line, &trendRun); err != nil {
			return archive.Unread(line, record.Schema, err)
		}
		if trendRun.Schema != record.Schema {
			return archive.SchemaError{Seen: trendRun.Schema, Read: record.Schema}
		}
		name := trendRun.Workload
		if err := workload.Check(name); err != nil {
			return err
		}
		if others[name] == nil {
			others[name] = map[string]*served{}
		}
		for _, s := range trendRun.Servers {
			if s.Name != raw.Direct && workload.IsServerName(s.Name) {
				others[name][s.Name] = servedBy(name, s)
			}
		}
		for _, l := range trendRun.K6Runs {
			found[name] = append(found[name], record.Record{Schema: trendRun.Schema, Workload: name, Run: trendRun.Run, Host: trendRun.Host, Started: l.Started})
		}
	}
	if len(found) == 0 {
		return errEmpty
	}
	for name, records := range found {
		r := part(name)
		maps.DeleteFunc(others[name], func(server string, _ *served) bool { return r.served[server] != nil })
		r.others, r.leaderboard = others[name], true
		for _, one := range records {
			r.add(one)
		}
		r.leaderboardText = func() ([]record.Record, error) {
			text, err := again()
			if err != nil {
				return nil, err
			}
			all, err := archive.Records(bytes.NewReader(text))
			return record.Filter(all, func(r record.Record) bool { return r.Workload == name }), err
		}
	}
	return nil
}

// add notes what of a record the run as a whole has.
func (r *run) add(one record.Record) {
	at := one.Started.UTC()
	if r.begin.IsZero() || at.Before(r.begin) {
		r.begin = at
	}
	if !at.Before(r.end) {
		r.end = at
		if id := r.names.of(one); id != r.epoch.ID {
			r.epoch = epochForm(id, one)
		}
	}
	r.quick = r.quick || one.Run.Quick
}

// epochNames remembers record.Epoch by what it is of. Records of one trend run share their
// host, to the pointer.
type epochNames map[any]string

func (e epochNames) of(r record.Record) string {
	key := struct {
		raw.Host
		rig, placement string
	}{r.Host, r.Run.Rig, r.Run.Placement}
	if e[key] == "" {
		e[key] = record.Epoch(r)
	}
	return e[key]
}

func epochForm(id string, r record.Record) Epoch {
	or := func(s *string) string {
		if s == nil {
			return "unknown"
		}
		return cut(*s, 100)
	}
	memory := "unknown memory"
	if r.Host.MemoryBytes != nil {
		memory = fmt.Sprintf("%d GiB", (*r.Host.MemoryBytes+1<<29)>>30)
	}
	return Epoch{
		ID: id, Rig: fmt.Sprintf("%.10s", r.Run.Rig), Placement: cut(r.Run.Placement, 40),
		Text: fmt.Sprintf("%s, %s, %s, %s, kernel %s", or(r.Host.CPU), Many(r.Host.Cores, "core"), memory, or(r.Host.OS), or(r.Host.Kernel)),
	}
}
