package sse

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A schedule says who is loaded when. Targets of one turn are loaded side by
// side, each by VUs of its own; turns follow each other without overlapping.
// The order of turns is the caller's.
type schedule struct {
	Targets []targetURL      `json:"targets"`
	Watched map[string][]int `json:"watched"` // pids by name, whose CPU time and memory are noted for each turn
	Cores   []int            `json:"cores"`   // numbers of those whose time is noted; none is all of the machine
	Turns   []turn           `json:"turns"`
}

type targetURL struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// A turn ends when its time is over, or as many streams as it may have are
// begun, and the last of them has ended.
type turn struct {
	Plateau string `json:"plateau"`
	Targets []int  `json:"targets"` // indices
	VUs     int    `json:"vus"`     // of each target
	MS      int64  `json:"ms"`      // for which streams are begun
	Streams int64  `json:"streams"` // of each target, at most; 0 is any number
	// SpreadMS is the time within which the VUs begin, and GapMS that between the
	// tokens of their streams. VUs that begin at once stay in step, since the
	// stub's pace is exact, and so do those that begin whole gaps apart: their
	// tokens would come at the same instants, which is no load that anybody has,
	// and costs a server less than one that has its instants to share.
	SpreadMS int64   `json:"spread_ms"`
	GapMS    float64 `json:"gap_ms"`
	// Places are whose VUs have their tokens in this order, as positions in
	// Targets. The pace being exact, VUs keep their order, and who always comes
	// just after the same neighbour finds the cores and caches as that one leaves
	// them. Without any, targets take places in turn.
	Places []int `json:"places"`
}

// at is whose VU one is, as a position in Targets.
func (t turn) at(vu int) int {
	if len(t.Places) > 0 {
		return t.Places[vu]
	}
	return vu % len(t.Targets)
}

// begins is how long after its turn a VU begins: in one of the gaps of the
// spread, and there at its own place among all VUs. So tokens come evenly, one
// VU's after the other's. Which gap says the golden ratio: whichever VUs one
// looks at, each third or each tenth, they begin all over the spread.
func (t turn) begins(vu int) time.Duration {
	spread := time.Duration(t.SpreadMS) * time.Millisecond
	gap := min(spread, time.Duration(t.GapMS*float64(time.Millisecond)))
	if gap <= 0 {
		return 0
	}
	_, turned := math.Modf(float64(vu) * math.Phi)
	return gap*time.Duration(turned*float64(spread/gap)) + gap*time.Duration(vu)/time.Duration(t.VUs*len(t.Targets))
}

func (s schedule) check() error {
	if len(s.Targets) == 0 || len(s.Turns) == 0 {
		return fmt.Errorf("%d targets, %d turns; want some of both", len(s.Targets), len(s.Turns))
	}
	series := 0
	for _, t := range s.Turns {
		series += len(t.Targets)
	}
	if series > maxSeries {
		return fmt.Errorf("%d turns of targets; want at most %d, as each has histograms of its own: longer slices, or fewer targets", series, maxSeries)
	}
	for name, pids := range s.Watched {
		for _, pid := range pids {
			if pid < 1 || pid > maxPID {
				return fmt.Errorf("watched %q: process %d; want 1 to %d", name, pid, maxPID)
			}
		}
	}
	for i, core := range s.Cores {
		if core < 0 || slices.Contains(s.Cores[:i], core) {
			return fmt.Errorf("core %d: want numbers from 0 on, each once", core)
		}
	}
	for i, t := range s.Turns {
		if len(t.Targets) == 0 || t.VUs < 1 || t.MS < 1 || t.Streams < 0 || t.SpreadMS < 0 || t.SpreadMS > t.MS || t.SpreadMS > 0 && !(t.GapMS > 0) {
			return fmt.Errorf("turn %d: %d targets, %d VUs, %d ms, %d streams, spread over %d ms, tokens %g ms apart; want some of each, or 0 streams, and a spread within the time, or 0",
				i, len(t.Targets), t.VUs, t.MS, t.Streams, t.SpreadMS, t.GapMS)
		}
		if of := t.placed(); len(t.Places) > 0 && (len(of) != len(t.Targets) || slices.ContainsFunc(of, func(n int) bool { return n != t.VUs })) {
			return fmt.Errorf("turn %d: places %v for %d targets with %d VUs; want each target's position as often as it has VUs", i, t.Places, len(t.Targets), t.VUs)
		}
		for _, at := range t.Targets {
			if at < 0 || at >= len(s.Targets) {
				return fmt.Errorf("turn %d: target %d of %d", i, at, len(s.Targets))
			}
		}
	}
	return nil
}

// placed is how many places each target has; nil when one is no target's.
func (t turn) placed() []int {
	of := make([]int, len(t.Targets))
	for _, at := range t.Places {
		if at < 0 || at >= len(of) {
			return nil
		}
		of[at]++
	}
	return of
}
