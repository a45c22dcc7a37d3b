package common

import (
	"net/http"
	"sync"
	"time"
)

// An Entry describes one request and its answer. Times are Unix microseconds.
type Entry struct {
	Connection int64       `json:"connection"` // number of the connection, from 1
	Method     string      `json:"method"`
	Path       string      `json:"path"`
	Header     http.Header `json:"header"`
	Body       string      `json:"body"`
	StartedUS  int64       `json:"started_us"`
	Events     int         `json:"events"` // written or packed events so far, with [DONE]
	Sent       string      `json:"sent"`   // their text, up to MaxSent bytes; set by Find
	EndedUS    int64       `json:"ended_us,omitempty"`
	Outcome    string      `json:"outcome,omitempty"` // see answer.go; "" while the answer is being sent
	sent       []byte      // a buffer, since each event appends to it
}

// A Journal holds the entries of requests with an @id. It is bounded, so that a run of hours does
// not fill memory. The oldest id goes first.
type Journal struct {
	mu      sync.Mutex
	entries map[string][]*Entry
	order   []string
}

const (
	maxIDs       = 4096
	maxEntriesID = 1024    // maximum entries for an id
	MaxSent      = 4 << 20 // maximum bytes of an entry's events
)

// add opens an entry and returns it. The caller changes it only through update.
func (j *Journal) add(id string, e Entry) *Entry {
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
func (j *Journal) update(e *Entry, change func(*Entry)) {
	if e == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	change(e)
}

// Find returns copies of the entries under id, oldest first. With brief it leaves out received and
// sent bytes, which may be megabytes.
func (j *Journal) Find(id string, brief bool) []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	found := make([]Entry, 0, len(j.entries[id]))
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

func (e *Entry) end(outcome string) {
	e.EndedUS, e.Outcome = time.Now().UnixMicro(), outcome
}
