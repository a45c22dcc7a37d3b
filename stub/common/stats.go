package common

import (
	"sync/atomic"
	"time"
)

// Stats counts events since the start.
type Stats struct {
	Connections atomic.Int64 // accepted connections
	Open        atomic.Int64 // open connections
	Requests    atomic.Int64 // requests of workloads that were answered or began
	Others      atomic.Int64 // other requests
	Active      atomic.Int64 // answers that are being sent
	Completed   atomic.Int64 // answers that were sent completely
	Cancelled   atomic.Int64 // answers whose client left first
	StreamUS    atomic.Int64 // sum of the open times of ended answers, in microseconds
}

// Snapshot is the form of GET /stats.
func (s *Server) Snapshot() map[string]any {
	return map[string]any{
		"connections": s.Stats.Connections.Load(),
		"open":        s.Stats.Open.Load(),
		"requests":    s.Stats.Requests.Load(),
		"others":      s.Stats.Others.Load(),
		"active":      s.Stats.Active.Load(),
		"completed":   s.Stats.Completed.Load(),
		"cancelled":   s.Stats.Cancelled.Load(),
		"stream_us":   s.Stats.StreamUS.Load(),
		"tokens":      s.Tallies.snapshot(),
		"gaps_us":     s.Gaps.snapshot(),
		"now_us":      time.Now().UnixMicro(), // for servers on a machine with another clock
	}
}
