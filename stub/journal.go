package main

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// stats counts events since the start.
type stats struct {
	Connections atomic.Int64 // accepted connections
	Open        atomic.Int64 // open connections
	Requests    atomic.Int64 // chat requests that were answered or began
	Active      atomic.Int64 // streams that are being sent
	Completed   atomic.Int64 // streams that were sent completely
	Cancelled   atomic.Int64 // streams whose client left first
	StreamUS    atomic.Int64 // sum of the open times of ended streams, in microseconds
}

// snapshot is the form of GET /stats.
func (s *stub) snapshot() map[string]any {
	return map[string]any{
		"connections": s.stats.Connections.Load(),
		"open":        s.stats.Open.Load(),
		"requests":    s.stats.Requests.Load(),
		"active":      s.stats.Active.Load(),
		"completed":   s.stats.Completed.Load(),
		"cancelled":   s.stats.Cancelled.Load(),
		"stream_us":   s.stats.StreamUS.Load(),
		"tokens":      s.tallies.snapshot(),
	}
}

// An entry describes one request and its answer. Times are Unix microseconds.
type entry struct {
	Connection int64       `json:"connection"` // number of the connection, from 1
	Method     string      `json:"method"`
	Path       string      `json:"path"`
	Header     http.Header `json:"header"`
	Body       string      `json:"body"`
	StartedUS  int64       `json:"started_us"`
	Events     int         `json:"events"` // written or packed events so far, with [DONE]
	Sent       string      `json:"sent"`   // their text, up to maxSent bytes; set by find
	EndedUS    int64       `json:"ended_us,omitempty"`
	Outcome    string      `json:"outcome,omitempty"` // see chat.go; "" while the answer is being sent
	sent       []byte      // a buffer, since each event appends to it
}

// A journal holds the entries of requests with an @id. It is bounded, so that a run of hours does
// not fill memory. The oldest id goes first.
type journal struct {
	mu      sync.Mutex
	entries map[string][]*entry
	order   []string
}

const (
	maxIDs       = 4096
	maxEntriesID = 1024    // maximum entries for an id
	maxSent      = 4 << 20 // maximum bytes of an entry's events
)

// add opens an entry and returns it. The caller changes it only through update.
func (j *journal) add(id string, e entry) *entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, ok := j.entries[id]; !ok {
		if len(j.order) == maxIDs {
			delete(j.entries, j.order[0])
			j.order = j.order[1:]
		}
		j.order = append(j.order, id)
	}
	if len(j.entries[id]) == maxEntriesID {
		j.entries[id] = j.entries[id][1:]
	}
	j.entries[id] = append(j.entries[id], &e)
	return &e
}

// update changes an entry under the journal's lock. It ignores a nil entry, which means a request
// without an id.
func (j *journal) update(e *entry, change func(*entry)) {
	if e == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	change(e)
}

// find returns copies of the entries under id, oldest first. With brief it leaves out received and
// sent bytes, which may be megabytes.
func (j *journal) find(id string, brief bool) []entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	found := make([]entry, 0, len(j.entries[id]))
	for _, e := range j.entries[id] {
		found = append(found, *e)
		last := &found[len(found)-1]
		if brief {
			last.Header, last.Body = nil, ""
		} else {
			last.Sent = string(e.sent)
		}
	}
	return found
}

func (e *entry) end(outcome string) {
	e.EndedUS, e.Outcome = time.Now().UnixMicro(), outcome
}
