package site

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// Verdicts are what the files of events/ say.
type verdicts struct {
	events []Event         // events with a change, newest first
	others map[string]int  // how many say something else, by what they say
	of     map[string]bool // runs that have verdicts, by path
	all    []verdictFile   // the newest of all verdicts
	broken []Broken
}

// A verdictFile is a verdict, the path of its file, and the begin of its run.
type verdictFile struct {
	verdict.Event
	path  string
	begin time.Time
}

// readEvents reads all verdicts, and writes those files that can be read to the site.
func readEvents(facts Facts, h history, out Out) (verdicts, error) {
	begins := map[string]time.Time{}
	for _, p := range h.places {
		for _, r := range p.runs {
			begins[r.path] = r.begin
		}
	}
	names, broken := filesIn(facts.Files, "events")
	v := verdicts{events: []Event{}, others: map[string]int{}, of: map[string]bool{}, broken: broken}
	for _, name := range names {
		path, of, err := eventsIn(facts.Files, name)
		if err != nil {
			v.broken = append(v.broken, brokenBy(name, err))
			continue
		}
		of = slices.DeleteFunc(of, func(f verdict.Event) bool { return f.Workload != h.workload.Name })
		if len(of) == 0 {
			continue
		}
		path = pathIn(path, h.workload.Name)
		var text bytes.Buffer
		if err := verdict.WriteEvents(&text, of); err != nil {
			return v, err
		}
		if err := out("events/"+path+".json", text.Bytes()); err != nil {
			return v, err
		}
		v.of[path] = true
		for _, f := range of {
			v.all = append(v.all, verdictFile{f, path, begins[path]})
			switch changed := f.Verdict == verdict.Regressed || f.Verdict == verdict.Improved; {
			case f.Quick:
				v.others["shortened"]++
			case !changed:
				v.others[string(f.Verdict)]++
			default:
				event, err := eventOf(facts, h, f, path, begins[path])
				if err != nil {
					return v, err
				}
				v.events = append(v.events, event)
			}
		}
	}
	slices.SortFunc(v.all, func(a, b verdictFile) int {
		return cmp.Or(b.begin.Compare(a.begin), strings.Compare(a.path, b.path), strings.Compare(a.Server, b.Server))
	})
	v.all = v.all[:min(len(v.all), mostComparisons)]
	for i, by := range fixes(v.events, h.places) {
		v.events[i].Fixed = by
	}
	slices.SortFunc(v.events, func(x, y Event) int {
		at := func(f Event) time.Time { return *cmp.Or(f.Time, &time.Time{}) }
		return cmp.Or(at(y).Compare(at(x)), strings.Compare(x.Server, y.Server), strings.Compare(x.ID, y.ID))
	})
	return v, nil
}

func eventsIn(fsys fs.FS, name string) (path string, of []verdict.Event, err error) {
	m := eventsForm.FindStringSubmatch(name)
	if m == nil {
		return "", nil, fmt.Errorf("want events/YYYY/MM/COMMIT-RUN-ATTEMPT.json")
	}
	text, err := read(fsys, name)
	if err != nil {
		return "", nil, err
	}
	if of, err = verdict.ReadEvents(bytes.NewReader(text)); err != nil {
		return "", nil, err
	}
	for _, f := range of {
		if f.ID().Check() != nil || !record.IsCommit(f.Base) || !record.IsCommit(f.Head) {
			return "", nil, fmt.Errorf("server %q, base %q, head %q; want a server and two full hashes", cut(f.Server, 60), cut(f.Base, 60), cut(f.Head, 60))
		}
	}
	return sitePath(m[1], m[2], m[3]), of, nil
}

func eventOf(facts Facts, h history, f verdict.Event, path string, begin time.Time) (Event, error) {
	id := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %t %s", f.Server, f.Base, f.Head, f.Gradual, f.Run))
	event := Event{
		ID: fmt.Sprintf("%x", id)[:12], Workload: f.Workload, Server: current(f.Server, facts.Renamed[f.Workload]), Base: f.Base, Head: f.Head,
		Gradual: f.Gradual, Run: cut(f.Run, 60), Path: path, Verdict: string(f.Verdict), Confirmed: f.Confirmed, Rounds: f.Rounds, Discarded: f.Discarded,
		Cells: []verdict.EventCell{},
	}
	if at, ok := h.at[f.Base]; ok {
		event.From = &at
	}
	if at, ok := h.at[f.Head]; ok {
		event.At = &at
		if p := h.places[at]; begin.IsZero() && p.known {
			begin = time.Unix(p.commit.Time, 0).UTC()
		}
	}
	if !begin.IsZero() {
		event.Time = &begin
	}
	for _, c := range f.Cells {
		if c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved {
			event.Cells = append(event.Cells, c)
		}
	}
	var err error
	if f.Verdict == verdict.Regressed {
		event.Accepted, err = accepted(facts, f, event.Server, h.newest)
	}
	event.Now = nowOf(h, event)
	return event, err
}

// accepted is the acceptance of an event, as of the newest record, so that the site
// does not depend on the day of its build.
func accepted(facts Facts, f verdict.Event, name string, newest *time.Time) (*Accepted, error) {
	if newest == nil || facts.IsAncestor == nil {
		return nil, nil
	}
	valid := accept.Valid(facts.Acceptances, f.ID(), *newest)
	if name != f.Server {
		valid = append(valid, accept.Valid(facts.Acceptances, workload.Server{Workload: f.Workload, Name: name}, *newest)...)
	}
	between, err := accept.Between(valid, f.Base, f.Head, facts.IsAncestor)
	if err != nil || len(between) == 0 {
		return nil, err
	}
	var first *accept.Acceptance
	regressed, covered := 0, 0
	for _, c := range f.Cells {
		if c.Verdict != verdict.Regressed {
			continue
		}
		regressed++
		if a := accept.Find(between, c.Scenario, c.Metric); a != nil {
			covered++
			first = cmp.Or(first, a)
		}
	}
	if i := slices.IndexFunc(between, accept.Acceptance.All); regressed == 0 && i >= 0 { // that it fails
		first = &between[i]
	}
	if first == nil {
		return nil, nil
	}
	return &Accepted{By: first.By, Why: first.Reason, Until: first.Expires, Since: first.Since, File: first.File, Cells: covered, All: covered == regressed}, nil
}

// open says that a regression was confirmed, and that not all of it is accepted or
// regained.
func (f Event) open() bool {
	return f.Verdict == string(verdict.Regressed) && f.Confirmed && f.Fixed == nil && (f.Accepted == nil || !f.Accepted.All)
}
