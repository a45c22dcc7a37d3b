package http1

import "time"

// A timer calls a function of its owner on the loop.
type timer struct {
	at   time.Duration // on the loop's clock
	call func()
	in   int // its place in the heap, from 1; 0: not set
}

// timers is a binary heap. container/heap takes three times as long, since it calls an interface.
type timers []*timer

func (h timers) swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].in, h[j].in = i+1, j+1
}

// add sets a timer that is not set.
func (h *timers) add(t *timer) {
	*h = append(*h, t)
	t.in = len(*h)
	h.rise(t)
}

// rise moves a timer to its place after its time became earlier.
func (h timers) rise(t *timer) {
	for i := t.in - 1; i > 0 && h[(i-1)/2].at > t.at; i = (i - 1) / 2 {
		h.swap(i, (i-1)/2)
	}
}

// take removes the first timer if it is due.
func (h *timers) take(now time.Duration) *timer {
	old := *h
	if len(old) == 0 || old[0].at > now {
		return nil
	}
	first, last := old[0], len(old)-1
	h.swap(0, last)
	old[last] = nil
	*h = old[:last]
	first.in = 0
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if old[child].at < old[least].at {
				least = child
			}
		}
		if least == i {
			return first
		}
		h.swap(i, least)
		i = least
	}
}
