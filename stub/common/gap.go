package common

import (
	"sync"
	"time"

	"fairstream/k6/shared/hist"
)

// Gaps are a server's own time between two turns of a run, by the stub's clock: from the last event of the model's
// answer to the next request to it, less the turn's slowest tool. They are counted by the name that the run gives with @tally.
type Gaps struct {
	mu     sync.Mutex
	open   map[string]*gap // by run
	byName map[string]*hist.Histogram
}

type gap struct {
	since   time.Time
	slowest time.Duration
}

// Said begins a gap of a run.
func (g *Gaps) Said(run string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open == nil {
		g.open = map[string]*gap{}
	}
	g.open[run] = &gap{since: time.Now()}
}

// Called takes the time of a tool out of the run's gap, if it has one.
func (g *Gaps) Called(run string, took time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if of := g.open[run]; of != nil {
		of.slowest = max(of.slowest, took)
	}
}

// Asked ends the run's gap, and counts it under a name.
func (g *Gaps) Asked(run, name string, at time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	of := g.open[run]
	if of == nil {
		return
	}
	delete(g.open, run)
	if g.byName == nil {
		g.byName = map[string]*hist.Histogram{}
	}
	h := g.byName[name]
	if h == nil {
		h = &hist.Histogram{}
		g.byName[name] = h
	}
	h.Add((at.Sub(of.since) - of.slowest).Microseconds())
}

// snapshot copies the counts by name.
func (g *Gaps) snapshot() map[string]hist.Counts {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := map[string]hist.Counts{}
	for name, h := range g.byName {
		all[name] = h.Snapshot()
	}
	return all
}
