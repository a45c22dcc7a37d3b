package site

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// A place is a commit of the history: what its runs say of it.
type place struct {
	commit  Commit
	known   bool // without git only the hash is known
	local   *localRun
	runs    []*run // by their begin
	newest  *run   // that is not quick; nil: there is none
	epoch   Epoch
	served  map[string]*served // by current name: of the newest run that has it
	figures bool               // something is in served
}

// order puts commits with runs into main's order. One that git does not know comes,
// by its begin, before the first known one that began later.
func order(runs []*run, main []Commit, renamed map[string]string) []*place {
	of := map[string]*place{}
	for _, r := range runs {
		if of[r.commit] == nil {
			of[r.commit] = &place{commit: Commit{Hash: r.commit}, local: r.local}
		}
		of[r.commit].runs = append(of[r.commit].runs, r)
	}
	var known, others []*place
	for _, c := range main {
		if p := of[c.Hash]; p != nil && !p.known {
			p.commit, p.known = c, true
			known = append(known, p)
		}
	}
	for _, p := range of {
		slices.SortFunc(p.runs, func(a, b *run) int { return cmp.Or(a.begin.Compare(b.begin), strings.Compare(a.path, b.path)) })
		if !p.known {
			others = append(others, p)
		}
		p.merge(renamed)
	}
	slices.SortFunc(others, func(a, b *place) int {
		return cmp.Or(a.begin().Compare(b.begin()), strings.Compare(a.commit.Hash, b.commit.Hash))
	})
	var all []*place
	for _, p := range known {
		for len(others) > 0 && others[0].begin().Before(p.begin()) {
			all, others = append(all, others[0]), others[1:]
		}
		all = append(all, p)
	}
	return append(all, others...)
}

func (p *place) begin() time.Time { return p.runs[0].begin }

// time is the commit's, or of a local run that of its begin, in unix seconds; nil: unknown.
func (p *place) time() *int64 {
	switch {
	case p.known:
		return &p.commit.Time
	case p.local != nil:
		unix := p.begin().Unix()
		return &unix
	}
	return nil
}

// merge takes of each server its newest points of the epoch that the newest run is in.
func (p *place) merge(renamed map[string]string) {
	p.served = map[string]*served{}
	last := p.runs[len(p.runs)-1]
	for _, r := range slices.Backward(p.runs) {
		if !r.quick && (p.newest == nil || !p.newest.trendRuns && r.trendRuns) {
			p.newest = r
		}
	}
	if p.newest != nil {
		last = p.newest
	}
	p.epoch = last.epoch
	for _, r := range slices.Backward(p.runs) {
		for name, s := range r.served {
			if r.quick || s.epoch != p.epoch.ID {
				continue
			}
			p.figures = true
			if name = current(name, renamed); p.served[name] == nil {
				p.served[name] = s
			}
		}
	}
}

// current is what a server is called today.
func current(name string, renamed map[string]string) string {
	for range renamed { // no longer than there are names: a circle ends too
		to, ok := renamed[name]
		if !ok {
			break
		}
		name = to
	}
	return name
}

// noBeforeYes orders by a question, as functions for sorting do.
func noBeforeYes(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func sortedKeys[V any](m map[string]V, compare func(a, b string) int) []string {
	return slices.SortedFunc(maps.Keys(m), compare)
}
