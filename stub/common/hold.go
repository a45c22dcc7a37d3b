package common

import "sync"

// Holds count the permits of streams whose events are held back. With them a checker proves without
// a clock that an event was forwarded before the next one existed.
//
// Unlike the journal they keep everything, since a stream without its permits would wait for ever.
// Only a checker's streams have an id, which costs about 200 bytes.
type Holds struct {
	mu      sync.Mutex
	permits map[string]chan struct{}
}

// maxPermits limits how many events a release may be ahead of its stream.
const maxPermits = 1 << 16

// of returns the permits under id. The caller must hold mu. A release may come before its stream.
func (h *Holds) of(id string) chan struct{} {
	if h.permits == nil {
		h.permits = map[string]chan struct{}{}
	}
	if h.permits[id] == nil {
		h.permits[id] = make(chan struct{}, maxPermits)
	}
	return h.permits[id]
}

// release allows the next n events. It returns false and allows none if more than maxPermits would
// be unused.
func (h *Holds) release(id string, n int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	permits := h.of(id)
	if n > maxPermits-len(permits) {
		return false
	}
	for range n {
		permits <- struct{}{} // there is room, since only the lock's holder adds
	}
	return true
}

// wait waits for a permit. It returns false if gone closes first.
func (h *Holds) wait(id string, gone <-chan struct{}) bool {
	h.mu.Lock()
	permits := h.of(id)
	h.mu.Unlock()
	select {
	case <-permits:
		return true
	case <-gone:
		return false
	}
}
