package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"fairstream/stub/common"
)

// lookup is a tool: an HTTP service that takes its time. Its requests are in the journal of the run.
func lookup(c *common.Conn, r *common.Request) bool {
	start := time.Now()
	number := c.Server.Stats.Requests.Add(1)
	var a arguments
	d := json.NewDecoder(bytes.NewReader(r.Body))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return c.Fail(400, fmt.Sprintf("arguments: %v", err))
	}
	if a.Bytes < 0 || a.Bytes > maxBytes || a.DelayMS < 0 || a.DelayMS > common.MaxWait.Milliseconds() || a.Of < 0 || a.Of > maxCalls {
		return c.Fail(400, fmt.Sprintf("arguments: %s: want those that the model wrote", r.Body))
	}
	id, err := common.Name(a.Run)
	if err != nil {
		return c.Fail(400, fmt.Sprintf("arguments: run %q: %v", a.Run, err))
	}
	answer, err := c.Begin(r, number, start, common.Script{ID: id})
	if err != nil {
		return c.Fail(400, err.Error())
	}
	outcome := a.send(answer)
	c.Server.Gaps.Called(a.Run, time.Since(start))
	answer.End(outcome)
	return outcome != common.Cancelled
}

func (a arguments) send(to *common.Answer) string {
	if !open.all(to.Conn, fmt.Sprintf("%s %d", a.Run, a.Turn), a.Of) || !to.SleepUntil(to.Start.Add(time.Duration(a.DelayMS)*time.Millisecond)) {
		return common.Cancelled
	}
	if a.Broken {
		if !to.Fail(500, "as asked") {
			return common.Cancelled
		}
		return common.Faulted
	}
	body := a.answer()
	if _, err := fmt.Fprintf(to, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		return common.Cancelled
	}
	to.Note([]byte(body))
	return common.Completed
}

// Barriers hold calls of a turn back until all of them are open. So a server that calls one tool after the other waits
// for ever, and no clock is needed to find it.
type barriers struct {
	mu      sync.Mutex
	waiting map[string]*barrier
}

type barrier struct {
	open   int
	passed chan struct{} // closed when all are open
}

var open = barriers{waiting: map[string]*barrier{}}

// all waits until n calls of a turn are open. It returns false if the client leaves first.
func (b *barriers) all(c *common.Conn, turn string, n int) bool {
	if n < 2 {
		return true
	}
	b.mu.Lock()
	of := b.waiting[turn]
	if of == nil {
		of = &barrier{passed: make(chan struct{})}
		b.waiting[turn] = of
	}
	if of.open++; of.open == n {
		close(of.passed)
		delete(b.waiting, turn)
	}
	b.mu.Unlock()
	left := make(chan struct{})
	go func() { // ends with the connection
		c.UntilGone()
		close(left)
	}()
	select {
	case <-of.passed:
		return true
	case <-left:
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if of.open--; of.open == 0 && b.waiting[turn] == of {
		delete(b.waiting, turn)
	}
	return false
}
