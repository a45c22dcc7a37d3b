package site

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"time"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

var (
	runForm    = regexp.MustCompile(`^runs/([0-9]{4}/[0-9]{2})/([0-9a-f]{40})-([0-9]{1,20}-[0-9]{1,20})(\.leaderboard)?\.jsonl$`)
	eventsForm = regexp.MustCompile(`^events/([0-9]{4}/[0-9]{2})/([0-9a-f]{40})-([0-9]{1,20}-[0-9]{1,20})\.json$`)
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
	leaderboardRecords     func() ([]record.Record, error)
	details                bool
	branch                 string // of its files there, without directory and suffix; "": it is local
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

// filesIn are the names below a directory, sorted; what cannot be listed is broken.
func filesIn(fsys fs.FS, dir string) (names []string, broken []Broken) {
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
	var schema files.SchemaError
	older := errors.As(err, &schema) && schema.Seen < schema.Read
	why := err.Error()
	if older { // in all of its lines
		why = fmt.Sprintf("older %v: scripts/bench site in a checkout of the commit that was measured shows it", schema)
	}
	return Broken{File: cut(name, mostText), Why: cut(why, mostText), older: older}
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

// load reads a run's files and writes what can be read to the site. There is a run for each workload with records.
func (g *group) load(fsys fs.FS, out Out) (runs []*run, broken []Broken, err error) {
	of := map[string]*run{}
	for _, name := range g.names {
		text, err := read(fsys, name)
		var files map[string]*recordFile
		if err == nil {
			files, err = byWorkload(text)
		}
		if err != nil {
			broken = append(broken, brokenBy(name, err))
			continue
		}
		for workload, f := range files {
			if of[workload] == nil {
				of[workload] = &run{workload: workload, path: pathIn(g.path, workload), commit: g.commit, branch: g.branch, names: epochNames{}}
			}
			r := of[workload]
			suffix := ".jsonl.gz"
			if name == branchFile(g.branch, "") {
				r.addTrendRuns(f.records)
			} else {
				suffix = ".leaderboard.jsonl.gz"
				r.addLeaderboard(f.records, func() ([]record.Record, error) { return again(fsys, name, workload) })
				has, unread, err := r.copyDetails(fsys, out)
				if err != nil {
					return nil, nil, err
				}
				r.details, broken = has, append(broken, unread...)
			}
			page, err := f.forPages(everyRecord)
			if err != nil {
				return nil, nil, err
			}
			if err := out("runs/"+r.path+suffix, zipped(page)); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, name := range workload.Names() {
		if of[name] != nil {
			runs = append(runs, of[name])
		}
	}
	return runs, broken, nil
}

var errEmpty = errors.New("no records")

// again reads the records of a workload once more: a history has too many to keep.
func again(fsys fs.FS, name, workload string) ([]record.Record, error) {
	text, err := read(fsys, name)
	if err != nil {
		return nil, err
	}
	files, err := byWorkload(text)
	if err != nil || files[workload] == nil {
		return nil, cmp.Or(err, errEmpty)
	}
	return files[workload].records, nil
}

func (r *run) addTrendRuns(records []record.Record) {
	r.served, r.trendRuns = pointsOf(records, r.names), true
	for _, one := range records {
		r.add(one)
	}
}

// addLeaderboard takes what a list of runs needs. Tables and ranks are of the newest alone, which again reads.
func (r *run) addLeaderboard(records []record.Record, again func() ([]record.Record, error)) {
	r.leaderboard, r.leaderboardRecords, r.others = true, again, map[string]*served{}
	for _, one := range records {
		if name := one.Server.Name; one.OfServer() && r.served[name] == nil {
			r.others[name] = servedBy(one.Workload, one.Server)
		}
		r.add(one)
	}
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
	e := Epoch{
		ID: id, Rig: fmt.Sprintf("%.10s", r.Run.Rig), Placement: cut(r.Run.Placement, 40),
		machine: fmt.Sprintf("%s, %s, %s", or(r.Host.CPU), Many(r.Host.Cores, "core"), memory), system: or(r.Host.OS), kernel: or(r.Host.Kernel),
	}
	e.Text = fmt.Sprintf("%s, %s, kernel %s", e.machine, e.system, e.kernel)
	return e
}

// copyDetails writes what the branch has of a run's details, and says whether it has any.
func (r *run) copyDetails(fsys fs.FS, out Out) (has bool, broken []Broken, err error) {
	name := record.DetailsPathOf(r.file(""), r.workload)
	text, err := read(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil, nil
	}
	var of record.Details
	if err == nil {
		of, err = record.ReadDetails(bytes.NewReader(text))
	}
	if err != nil {
		return false, []Broken{brokenBy(name, err)}, nil
	}
	if of.Workload != r.workload { // a leaderboard run of another workload
		return false, nil, nil
	}
	return true, nil, r.writeDetails(of, out)
}

// writeDetails writes them as pages read them.
func (r *run) writeDetails(of record.Details, out Out) error {
	var text bytes.Buffer
	if err := record.WriteDetails(&text, of); err != nil {
		return err
	}
	return out("details/"+r.path+".json.gz", zipped(text.Bytes()))
}
