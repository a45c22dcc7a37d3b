package main

import (
	"strings"
	"testing"
	"time"
)

func TestDeadlinesCountFromTheRequest(t *testing.T) {
	started := time.Now()
	s := &stream{start: started, script: script{ttft: 300 * time.Millisecond, itl: 20 * time.Millisecond}}
	for i, want := range map[int]time.Duration{
		0:         300 * time.Millisecond,
		1:         320 * time.Millisecond,
		2:         340 * time.Millisecond,
		maxTokens: 300*time.Millisecond + 20_000*time.Second,
	} {
		if got := s.deadline(i).Sub(started); got != want {
			t.Errorf("token %d is due after %v, want %v", i, got, want)
		}
	}
	longest := &stream{start: started, script: script{ttft: maxWait, itl: maxWait}}
	if got := longest.deadline(maxTokens).Sub(started); got != (maxTokens+1)*time.Hour {
		t.Errorf("the last token of the longest stream is due after %v", got)
	}
}

func TestEventsComeNoEarlierThanAskedFor(t *testing.T) {
	const ttft, itl, tokens = 40 * time.Millisecond, 15 * time.Millisecond, 5
	_, addr := start(t)
	c := dial(t, addr)
	started := time.Now()
	next := c.begin(chatBody("@ttft=40ms @itl=15ms @tokens=5", false))
	next() // the role
	for i := range tokens + 1 {
		event := next()
		if came, due := time.Since(started), ttft+time.Duration(i)*itl; came < due {
			t.Errorf("event %d came after %v, want %v at least: %s", i, came, due, event)
		}
		if isFinish := strings.Contains(event, `"stop"`); isFinish != (i == tokens) {
			t.Errorf("event %d is %s", i, event)
		}
	}
}

func TestRoleDoesNotWaitForTheFirstToken(t *testing.T) {
	_, addr := start(t)
	next := dial(t, addr).begin(chatBody("@ttft=1h", false))
	if event := next(); !strings.Contains(event, `"role":"assistant"`) {
		t.Errorf("the first event is %s", event)
	}
}

func TestSleepEndsWhenTheClientLeaves(t *testing.T) {
	s := &stream{conn: &conn{gone: make(chan struct{})}}
	if !s.sleepUntil(time.Now().Add(-time.Hour)) {
		t.Error("a time that has passed counts as the client's leaving")
	}
	soon := time.Now().Add(5 * time.Millisecond)
	if !s.sleepUntil(soon) || time.Now().Before(soon) {
		t.Error("the sleep ended early")
	}
	close(s.gone)
	if s.sleepUntil(time.Now().Add(5 * time.Millisecond)) {
		t.Error("the client's leaving went unseen at the end of a nap")
	}
	ended := make(chan bool, 1)
	go func() { ended <- s.sleepUntil(time.Now().Add(time.Hour)) }()
	select {
	case stayed := <-ended:
		if stayed {
			t.Error("the client's leaving went unseen")
		}
	case <-time.After(patience):
		t.Error("the sleep goes on without the client")
	}
}
