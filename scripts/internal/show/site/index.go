package site

import (
	"maps"
	"slices"
	"time"

	"fairstream/scripts/internal/workload"
)

// A history is what all runs of a workload say, by place. index makes it, and nothing changes it later.
type history struct {
	workload workload.Workload
	places   []*place
	at       map[string]int // places by commit, 40 hex
	ofHealth []bool         // by place
	newest   *time.Time     // the begin of the newest record; nil: there is none
	epochs   epochs
	servers  []Server
	cells    map[string]map[string][]*cell // by scenario and server, by place
}

// Epochs are in the order of their first places.
type epochs struct {
	all  []Epoch
	of   []int    // by place
	cuts [][2]int // where one begins: the place, and which
}

// index takes the places from the oldest, and servers' new names by their old ones.
func index(w workload.Workload, places []*place, renamed map[string]string) history {
	h := history{
		workload: w, places: places, at: map[string]int{}, ofHealth: ofHealth(places),
		epochs: epochsOf(places), servers: serversOf(places, renamed), cells: cellsOf(places),
	}
	for i, p := range places {
		h.at[p.commit.Hash] = i
		for _, r := range p.runs {
			if h.newest == nil || r.end.After(*h.newest) {
				h.newest = &r.end
			}
		}
	}
	return h
}

func epochsOf(places []*place) epochs {
	e := epochs{all: []Epoch{}, cuts: [][2]int{}}
	for i, p := range places {
		at := e.find(p.epoch.ID)
		if at < 0 {
			at = len(e.all)
			e.all = append(e.all, p.epoch)
			e.all[at].First = i
		}
		e.all[at].Last = i
		if i == 0 || at != e.of[i-1] {
			e.cuts = append(e.cuts, [2]int{i, at})
		}
		e.of = append(e.of, at)
	}
	return e
}

// find is the index of an epoch in all; -1 when no commit is of it.
func (e epochs) find(id string) int {
	return slices.IndexFunc(e.all, func(one Epoch) bool { return one.ID == id })
}

// serversOf lists the servers of all runs, including shortened runs and leaderboard
// runs, since pages that show them need their looks.
func serversOf(places []*place, renamed map[string]string) []Server {
	all := map[string]Server{}
	note := func(name string, s *served, at int) {
		one, ok := all[name]
		if !ok || one.First < 0 {
			one = Server{Name: name, Was: []string{}, First: at}
		}
		one.Last, one.Workload, one.Language, one.Framework = at, s.workload, s.language, s.framework
		all[name] = one
	}
	for _, p := range places {
		for _, r := range p.runs {
			for _, of := range []map[string]*served{r.served, r.others} {
				for _, name := range slices.Sorted(maps.Keys(of)) {
					note(current(name, renamed), of[name], -1)
				}
			}
		}
	}
	for i, p := range places {
		for name, s := range p.served {
			note(name, s, i)
		}
	}
	for old := range renamed {
		if one, ok := all[current(old, renamed)]; ok && one.Name != old {
			one.Was = append(one.Was, old)
			slices.Sort(one.Was)
			all[one.Name] = one
		}
	}
	servers := []Server{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		servers = append(servers, all[name])
	}
	return servers
}

// cellsOf puts the cells in columns: by scenario and server, one a place, nil where
// there is none. Each of some hundred series goes through all of them.
func cellsOf(places []*place) map[string]map[string][]*cell {
	all := map[string]map[string][]*cell{}
	for i, p := range places {
		for name, s := range p.served {
			for scenario, c := range s.cells {
				if all[scenario] == nil {
					all[scenario] = map[string][]*cell{}
				}
				if all[scenario][name] == nil {
					all[scenario][name] = make([]*cell, len(places))
				}
				all[scenario][name][i] = c
			}
		}
	}
	return all
}

// ofHealth are the places with figures of main, or of somebody's own runs where there are
// no others.
func ofHealth(places []*place) (of []bool) {
	main := slices.ContainsFunc(places, func(p *place) bool { return p.figures && p.local == nil })
	for _, p := range places {
		of = append(of, p.figures && (p.local == nil) == main)
	}
	return of
}

// latest is the last place of health before another; -1: there is none.
func (h history) latest(end int) int {
	for end--; end >= 0 && !h.ofHealth[end]; end-- {
	}
	return end
}
