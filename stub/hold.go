package main

import "sync"

// holds are the permits of streams whose events are held back: how a checker
// proves, without a clock, that an event was forwarded before the next existed.
type holds struct {
	mu      sync.Mutex
	permits map[string]chan struct{}
}

// maxPermits bounds how far a release may run ahead of its stream.
const maxPermits = 1 << 16

// of is the permits under id. They may be released before the stream begins.
func (h *holds) of(id string) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.permits == nil {
		h.permits = map[string]chan struct{}{}
	}
	if h.permits[id] == nil {
		h.permits[id] = make(chan struct{}, maxPermits)
	}
	return h.permits[id]
}

// release lets the next n events go. It returns false if so many permits are
// out already.
func (h *holds) release(id string, n int) bool {
	permits := h.of(id)
	for range n {
		select {
		case permits <- struct{}{}:
		default:
			return false
		}
	}
	return true
}

// wait waits for a permit; it returns false if gone comes first.
func (h *holds) wait(id string, gone <-chan struct{}) bool {
	select {
	case <-h.of(id):
		return true
	case <-gone:
		return false
	}
}
