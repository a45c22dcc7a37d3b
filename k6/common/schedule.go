package common

import (
	"fmt"
	"slices"
)

// A schedule says which targets are loaded when. Targets of one slice are loaded side by side, each
// by its own VUs. Slices follow each other without overlap, in the order of the schedule.
type schedule struct {
	Targets []targetURL      `json:"targets"`
	Watched map[string][]int `json:"watched"` // pids by name; each slice has their CPU time and memory
	Cores   []int            `json:"cores"`   // cores whose time is read; empty means all
	Slices  []slice          `json:"slices"`
}

type targetURL struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// A slice ends when its time is over, or its last allowed stream has started, and all streams have
// ended.
type slice struct {
	Level   string `json:"level"`
	Targets []int  `json:"targets"` // indices
	VUs     int    `json:"vus"`     // of each target
	MS      int64  `json:"ms"`      // time in which streams start
	Streams int64  `json:"streams"` // maximum for each target; 0: no limit
	// SpreadMS is the time within which the VUs begin, one after the other.
	SpreadMS int64 `json:"spread_ms"`
	// PauseMS is the longest random pause of a VU before a stream. The stub's pace is exact.
	// Without a pause, VUs that begin together stay together, and all their tokens arrive at the
	// same instants. No real load does that, and servers do less work for such tokens. Chance would
	// decide which server gets more of them. A pause of up to one ITL makes every instant equally
	// likely, for every stream anew.
	PauseMS int64 `json:"pause_ms"`
}

func (s schedule) check() error {
	if len(s.Targets) == 0 || len(s.Slices) == 0 {
		return fmt.Errorf("%d targets, %d slices; want some of both", len(s.Targets), len(s.Slices))
	}
	series := 0
	for _, t := range s.Slices {
		series += len(t.Targets)
	}
	if series > MaxSeries {
		return fmt.Errorf("%d slices of targets; want at most %d, as each has histograms of its own: longer slices, or fewer targets", series, MaxSeries)
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
		if len(t.Targets) == 0 || t.VUs < 1 || t.MS < 1 || t.Streams < 0 || t.SpreadMS < 0 || t.SpreadMS > t.MS || t.PauseMS < 0 {
			return fmt.Errorf("slice %d: %d targets, %d VUs, %d ms, %d streams, spread over %d ms, pauses of %d ms; want some of each, or 0 of the last three, and a spread within the time",
				i, len(t.Targets), t.VUs, t.MS, t.Streams, t.SpreadMS, t.PauseMS)
		}
		for _, at := range t.Targets {
			if at < 0 || at >= len(s.Targets) {
				return fmt.Errorf("slice %d: target %d of %d", i, at, len(s.Targets))
			}
		}
	}
	return nil
}
