package common

import (
	"fmt"
	"strconv"
	"sync/atomic"
	"time"
)

// Outcomes of a request in the journal.
const (
	Completed = "completed" // sent completely
	Cancelled = "cancelled" // the client left first
	Faulted   = "faulted"   // ended by a directive
)

// An Answer is one answer that is being sent. It is counted, and in the journal if it has an @id.
type Answer struct {
	*Conn
	Start   time.Time    // of the request; all deadlines count from here
	ID      string       // that of the script, or else the number of the request
	Written atomic.Int64 // tokens of this answer; no other shares it, so counting is cheap
	script  Script
	entry   *Entry // nil without an @id
}

// Begin begins the answer to a request, whose number counts from 1. The caller must call End.
func (c *Conn) Begin(r *Request, number int64, start time.Time, script Script) (*Answer, error) {
	a := &Answer{Conn: c, Start: start, ID: script.ID, script: script}
	if err := c.Server.Tallies.begin(script.Tally, &a.Written); err != nil {
		return nil, fmt.Errorf("directive @tally=%s: %w", script.Tally, err)
	}
	if a.ID == "" {
		a.ID = strconv.FormatInt(number, 10)
	} else {
		a.entry = c.Server.Journal.add(a.ID, Entry{
			Connection: c.number, Method: r.Method, Path: r.URL.Path, Header: r.Header,
			Body: string(r.Body), StartedUS: start.UnixMicro(),
		})
	}
	c.Server.Stats.Active.Add(1)
	return a, nil
}

// End ends the answer with one of the outcomes.
func (a *Answer) End(outcome string) {
	s := a.Server
	switch outcome {
	case Completed:
		s.Stats.Completed.Add(1)
	case Cancelled:
		s.Stats.Cancelled.Add(1)
	}
	s.Journal.update(a.entry, func(e *Entry) { e.end(outcome) })
	s.Stats.Active.Add(-1)
	s.Stats.StreamUS.Add(time.Since(a.Start).Microseconds())
	s.Tallies.end(a.script.Tally, &a.Written)
}

// Await waits until an event is due and, in a held answer, released. Call it before rendering the
// event, so that a token's stamp is its sending time. It returns false if the client leaves first.
func (a *Answer) Await(due time.Time) bool {
	return a.SleepUntil(due) && (!a.script.Hold || a.Server.Holds.wait(a.ID, a.gone))
}

// Note adds an event that was written or packed to the journal.
func (a *Answer) Note(sent []byte) {
	if a.entry == nil {
		return
	}
	a.Server.Journal.update(a.entry, func(e *Entry) {
		e.Events++
		e.sent = append(e.sent, sent[:min(len(sent), MaxSent-len(e.sent))]...)
	})
}
