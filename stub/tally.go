package main

import (
	"errors"
	"sync"
	"sync/atomic"
)

// tallies count the tokens that were written, each under the name that its request
// gave with @tally, or under "". A token counts once its event's write has ended; with
// @packet, once it was packed. Nothing is shared by streams while they are sent: each
// counts for itself, and its count is added when it ends.
type tallies struct {
	mu     sync.Mutex
	byName map[string]*tally
}

type tally struct {
	ended   int64                      // tokens of streams that have ended
	running map[*atomic.Int64]struct{} // those of the others
}

// maxTallies bounds what clients can make the stub remember.
const maxTallies = 1024

var errTallies = errors.New("more than 1024 names; want the same few again and again")

// begin has a stream's count told under a name until end.
func (t *tallies) begin(name string, written *atomic.Int64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.byName[name]
	if of == nil {
		if len(t.byName) >= maxTallies {
			return errTallies
		}
		of = &tally{running: map[*atomic.Int64]struct{}{}}
		t.byName[name] = of
	}
	of.running[written] = struct{}{}
	return nil
}

func (t *tallies) end(name string, written *atomic.Int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.byName[name]
	of.ended += written.Load()
	delete(of.running, written)
}

// snapshot is the tokens written up to now, by name.
func (t *tallies) snapshot() map[string]int64 {
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
