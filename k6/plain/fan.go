package plain

import (
	"fmt"
	"hash/maphash"
	"sync"
	"time"

	"fairstream/k6/common/http1"
)

// A fan is a stream that one VU begins and others follow, on one level of a target. It knows when each event came to the
// VU that began it.
type fan struct {
	mu      sync.Mutex
	waiting int // followers whose answer has begun
	came    map[uint64]time.Time
}

var seed = maphash.MakeSeed()

// joined counts a follower.
func (f *fan) joined() {
	f.mu.Lock()
	f.waiting++
	f.mu.Unlock()
}

// begin reports whether at least that many followers wait. Then it begins a stream.
func (f *fan) begin(followers int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.waiting < followers {
		return false
	}
	f.waiting, f.came = 0, map[uint64]time.Time{}
	return true
}

// arrived notes that an event came to the VU that began the stream.
func (f *fan) arrived(data []byte, at time.Time) {
	f.mu.Lock()
	f.came[maphash.Bytes(seed, data)] = at
	f.mu.Unlock()
}

// delay is how much later an event came to a follower; 0 if it came earlier.
func (f *fan) delay(data []byte, at time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	first, ok := f.came[maphash.Bytes(seed, data)]
	if !ok {
		return 0
	}
	return max(0, at.Sub(first))
}

// askEach is the time between two looks at the number of followers.
const askEach = time.Millisecond

// await sends the request once its followers wait. It fails after the timeout of a request.
func (u *user) await(e *exchange, since time.Time) {
	n := e.stream.Followers
	switch waited := time.Since(since); {
	case u.ring.fan.begin(n):
		u.Client.Send(e.request, e.bodyless, u.ring.timeout)
	case waited >= u.ring.timeout:
		u.series.end(u, http1.TimedOut, fmt.Sprintf("%d followers did not come within %v", n, u.ring.timeout))
		u.done(http1.TimedOut)
	default:
		u.Call(u.Loop().Now()+askEach, func() { u.await(e, since) })
	}
}
