package verify

import (
	"fmt"
	"sync"
	"time"

	"fairstream/scripts/internal/measure/process"
)

// Patience is the time that a check waits for something that must come. The time itself proves nothing: a
// check fails only when nothing comes. A slow server works meanwhile, so time in which it runs or waits for a core does
// not count.
const Patience = 10 * time.Second

// mostPatience limits a wait for a server that works. It may work for ever.
var mostPatience = time.Minute

// tick is the most that a machine standing still takes from patience at once.
const tick = 100 * time.Millisecond

// A Wait is over when a server has done nothing for some time.
type Wait struct {
	server         *process.Process // nil: all time counts
	patience, ends time.Duration
	passed         time.Duration
	seen           time.Time
	busy           func() time.Duration // of the server, since it was worth a look
}

func newWait(server *process.Process, patience time.Duration) *Wait {
	return &Wait{server: server, patience: patience, ends: patience, seen: time.Now()}
}

// Wait begins one for the server.
func (s *Subject) Wait(patience time.Duration) *Wait { return newWait(s.Server, patience) }

// Over reports whether the wait has ended. It must be asked every tick. It watches the server after a tenth of the time,
// since nearly all waits are shorter.
func (w *Wait) Over() bool {
	now := time.Now()
	w.passed += min(now.Sub(w.seen), tick)
	w.seen = now
	if w.busy == nil && w.server != nil && w.passed >= w.patience/10 {
		w.busy = w.server.Busy()
	}
	if w.passed >= w.ends && w.busy != nil {
		w.ends = min(w.patience+w.busy().Truncate(tick), max(w.patience, mostPatience))
	}
	return w.passed >= w.ends
}

// Silence is the error of a wait that is over, in which nothing came.
func (w *Wait) Silence() error { return Silence(w.passed.Truncate(tick)) }

// A Silence is the error of a wait without any byte.
type Silence time.Duration

func (s Silence) Error() string { return fmt.Sprintf("nothing within %v", time.Duration(s)) }

// serving has the servers by their ports, for clients that know only the port.
var serving sync.Map // int: *process.Process

// at is the server on a port; nil if a check did not start it.
func at(port int) *process.Process {
	p, _ := serving.Load(port)
	server, _ := p.(*process.Process)
	return server
}
