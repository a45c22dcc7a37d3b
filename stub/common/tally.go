package common

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Tallies count written tokens by the name that a request gave with @tally, or "". A token counts
// at the end of its event's write, or when it was packed. Each stream counts for itself and adds
// its count at its end, so streams share nothing meanwhile.
type Tallies struct {
	mu     sync.Mutex
	byName map[string]*tally
}

type tally struct {
	ended   int64                      // tokens of ended streams
	running map[*atomic.Int64]struct{} // open streams
}

// MaxTallies limits the names that clients can add.
const MaxTallies = 1024

var errTallies = errors.New("more than 1024 names; want the same few again and again")

// begin includes a stream's count in a name's tally until end.
func (t *Tallies) begin(name string, written *atomic.Int64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.byName[name]
	if of == nil {
		if len(t.byName) >= MaxTallies {
			return errTallies
		}
		of = &tally{running: map[*atomic.Int64]struct{}{}}
		t.byName[name] = of
	}
	of.running[written] = struct{}{}
	return nil
}

func (t *Tallies) end(name string, written *atomic.Int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.byName[name]
	of.ended += written.Load()
	delete(of.running, written)
}

// snapshot returns the tokens written so far, by name.
func (t *Tallies) snapshot() map[string]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	sums := map[string]int64{}
	for name, of := range t.byName {
		sums[name] = of.ended
		for written := range of.running {
			sums[name] += written.Load()
		}
	}
	return sums
}
