package main

import "sync"

// holds are the permits of streams whose events are held back: how a checker
// proves, without a clock, that an event was forwarded before the next existed.
//
// Unlike the journal they forget nothing: a stream whose permits were forgotten
// would wait for ever, and an id, which only a checker's streams have, costs
// some 200 bytes, the channel's elements being empty.
type holds struct {
	mu      sync.Mutex
	permits map[string]chan struct{}
}

// maxPermits bounds how far a release may run ahead of its stream.
const maxPermits = 1 << 16

// of is the permits under id, for a caller who has locked mu. They may be
// released before the stream begins.
func (h *holds) of(id string) chan struct{} {
	if h.permits == nil {
		h.permits = map[string]chan struct{}{}
	}
	if h.permits[id] == nil {
		h.permits[id] = make(chan struct{}, maxPermits)
	}
	return h.permits[id]
}

// release lets the next n events go, or none and returns false if more than
// maxPermits would then be out.
func (h *holds) release(id string, n int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	permits := h.of(id)
	if n > maxPermits-len(permits) {
		return false
	}
	for range n {
		permits <- struct{}{} // there is room: only the lock's holder fills it
	}
	return true
}

// wait waits for a permit; it returns false if gone comes first.
func (h *holds) wait(id string, gone <-chan struct{}) bool {
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
