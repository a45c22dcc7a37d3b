package relay

import (
	"strings"
	"testing"
	"time"

	"fairstream/stub/common"
)

func TestDeadlinesCountFromTheRequest(t *testing.T) {
	started := time.Now()
	s := &stream{Answer: &common.Answer{Start: started}, script: script{ttft: 300 * time.Millisecond, itl: 20 * time.Millisecond}}
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
	longest := &stream{Answer: &common.Answer{Start: started}, script: script{ttft: common.MaxWait, itl: common.MaxWait}}
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
