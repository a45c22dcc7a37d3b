package common

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fairstream/k6/common/http1"
	"fairstream/k6/shared/hist"
)

// Outcomes counts the requests of one series by their ends. The zero value is ready.
type Outcomes struct {
	Started, OK atomic.Int64
	Connect     hist.Histogram // of all new connections, whatever happened to the request
	retried     atomic.Int64

	mu      sync.Mutex
	failed  map[string]int64  // by kind; there are few kinds
	reasons map[string]string // the text of the first failure of each kind
}

// Sent counts what happened to the connection of a request that has ended.
func (o *Outcomes) Sent(c *http1.Client) {
	if c.Connect > 0 {
		o.Connect.Add(US(c.Connect))
	}
	if c.Retried {
		o.retried.Add(1)
	}
}

// Retried is the number of requests that were sent twice, since the server had closed an idle connection.
func (o *Outcomes) Retried() int64 { return o.retried.Load() }

// mostReason limits the text of a failure in bytes, since it may quote the server.
const mostReason = 300

// Fail counts a failure.
func (o *Outcomes) Fail(kind, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed == nil {
		o.failed, o.reasons = map[string]int64{}, map[string]string{}
	}
	if o.failed[kind] == 0 {
		o.reasons[kind] = strings.ToValidUTF8(text[:min(len(text), mostReason)], "?")
	}
	o.failed[kind]++
}

// Failed copies the failures by kind, and the text of the first of each.
func (o *Outcomes) Failed() (failed map[string]int64, reasons map[string]string) {
	failed = map[string]int64{}
	o.mu.Lock()
	defer o.mu.Unlock()
	maps.Copy(failed, o.failed)
	return failed, maps.Clone(o.reasons)
}

// US rounds a time to microseconds.
func US(d time.Duration) int64 { return (int64(d) + 500) / 1000 }
