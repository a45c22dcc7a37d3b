package common

import (
	"fmt"
	"slices"
)

// A Schedule says which targets are loaded when. Targets of one slice are loaded side by side, each
// by its own VUs. Slices follow each other without overlap, in the order of the schedule.
type Schedule struct {
	Targets []Target         `json:"targets"`
	Watched map[string][]int `json:"watched"` // pids by name; each slice has their CPU time and memory
	Cores   []int            `json:"cores"`   // cores whose time is read; empty means all
	Slices  []Slice          `json:"slices"`
	// Of several instances only: when the first slice begins (0: soon), and the time that each slice
	// has for its last requests.
	StartAtMS int64   `json:"start_at_ms"`
	DrainMS   int64   `json:"drain_ms"`
	Segment   Segment `json:"-"` // of this instance
}

// A Target is a name and an address.
type Target struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// A Slice ends when its time is over, or its last allowed request has started, and all requests
// have ended.
type Slice struct {
	Level    string `json:"level"`
	Targets  []int  `json:"targets"`  // indices
	VUs      int    `json:"vus"`      // of each target
	MS       int64  `json:"ms"`       // time in which requests start
	Requests int64  `json:"requests"` // maximum for each target; 0: no limit
	// SpreadMS is the time within which the VUs begin, one after the other.
	SpreadMS int64 `json:"spread_ms"`
	// PauseMS is the longest random pause of a VU before a request. The stub's pace is exact.
	// Without a pause, VUs that begin together stay together, and all their tokens arrive at the
	// same instants. No real load does that, and servers do less work for such tokens. Chance would
	// decide which server gets more of them. A pause of up to one ITL makes every instant equally
	// likely, for every stream anew.
	PauseMS int64 `json:"pause_ms"`
	// RatePerS is the rate of requests to each target, whatever the answers take: an open model. The
	// VUs are then the connections. 0 is a closed model, in which a VU waits for its answer.
	RatePerS float64 `json:"rate_per_s"`
	// Cycle is the number of a cycle on the level, from 1 on. 0: the slice belongs to none. In a cycle
	// each target has one slice at most.
	Cycle int `json:"cycle"`
	// Repeats is how many disturbed cycles of the level are loaded again, at most.
	Repeats int `json:"repeats"`
}

func (s Schedule) check() error {
	if len(s.Targets) == 0 || len(s.Slices) == 0 {
		return fmt.Errorf("%d targets, %d slices; want some of both", len(s.Targets), len(s.Slices))
	}
	if s.StartAtMS < 0 || s.DrainMS < 0 {
		return fmt.Errorf("start_at_ms %d, drain_ms %d; want times from 0 on", s.StartAtMS, s.DrainMS)
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
	for i, t := range s.Slices {
		if err := t.check(len(s.Targets)); err != nil {
			return fmt.Errorf("slice %d: %w", i, err)
		}
	}
	series, err := s.checkCycles()
	for _, t := range s.Slices {
		series += len(t.Targets)
	}
	if err == nil && series > MaxSeries {
		return fmt.Errorf("%d slices of targets; want at most %d with all repeats, as each has histograms of its own: "+
			"longer slices, fewer targets, or fewer repeats", series, MaxSeries)
	}
	return err
}

// maxRate limits the rate of a slice. A request every microsecond is more than a core can send.
const maxRate = 1e6

func (t Slice) check(targets int) error {
	if len(t.Targets) == 0 || t.VUs < 1 || t.MS < 1 || t.Requests < 0 || t.SpreadMS < 0 || t.SpreadMS > t.MS || t.PauseMS < 0 {
		return fmt.Errorf("%d targets, %d VUs, %d ms, %d requests, spread over %d ms, pauses of %d ms; want some of each, or 0 of the last three, and a spread within the time",
			len(t.Targets), t.VUs, t.MS, t.Requests, t.SpreadMS, t.PauseMS)
	}
	if !(t.RatePerS >= 0 && t.RatePerS <= maxRate) || t.RatePerS > 0 && (t.Requests > 0 || t.SpreadMS > 0 || t.PauseMS > 0) {
		return fmt.Errorf("rate_per_s %v with %d requests, spread over %d ms, pauses of %d ms; want 0 to %.0f, and a rate alone",
			t.RatePerS, t.Requests, t.SpreadMS, t.PauseMS, maxRate)
	}
	if t.Cycle < 0 || t.Repeats < 0 || t.Cycle == 0 && t.Repeats > 0 {
		return fmt.Errorf("cycle %d, %d repeats; want both from 0 on, and repeats of cycles only", t.Cycle, t.Repeats)
	}
	for i, at := range t.Targets {
		if at < 0 || at >= targets || slices.Contains(t.Targets[:i], at) {
			return fmt.Errorf("target %d of %d; want indices, each once", at, targets)
		}
	}
	return nil
}

// Open reports whether a slice of the schedule has a rate.
func (s Schedule) Open() bool {
	return slices.ContainsFunc(s.Slices, func(t Slice) bool { return t.RatePerS > 0 })
}

// Levels yields each level of the schedule with each target that is loaded on it, once.
func (s Schedule) Levels(yield func(level string, t Target) bool) {
	type pair struct {
		level  string
		target int
	}
	seen := map[pair]bool{}
	for _, t := range s.Slices {
		for _, at := range t.Targets {
			if p := (pair{t.Level, at}); !seen[p] {
				seen[p] = true
				if !yield(t.Level, s.Targets[at]) {
					return
				}
			}
		}
	}
}
