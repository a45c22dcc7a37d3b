package common

import (
	"testing"
	"time"
)

func TestSleepEndsWhenTheClientLeaves(t *testing.T) {
	s := NewConn(nil, NewServer())
	if !s.SleepUntil(time.Now().Add(-time.Hour)) {
		t.Error("a time that has passed counts as the client's leaving")
	}
	soon := time.Now().Add(5 * time.Millisecond)
	if !s.SleepUntil(soon) || time.Now().Before(soon) {
		t.Error("the sleep ended early")
	}
	s.left.Store(true)
	close(s.gone)
	if s.SleepUntil(time.Now().Add(5 * time.Millisecond)) {
		t.Error("the client's leaving went unseen at the end of a nap")
	}
	ended := make(chan bool, 1)
	go func() { ended <- s.SleepUntil(time.Now().Add(time.Hour)) }()
	select {
	case stayed := <-ended:
		if stayed {
			t.Error("the client's leaving went unseen")
		}
	case <-time.After(2 * time.Minute):
		t.Error("the sleep goes on without the client")
	}
}
