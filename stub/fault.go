package main

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// faults are the ways in which the stub misbehaves for one request. A number K
// counts the content tokens that are sent first.
//
//	@hold=1        hold each event back until POST /release/ID allows it (with @id=ID)
//	@headers=1s    time from the request to the response's headers
//	@status=500    answer with this status and a JSON error
//	@refuse=1      close the connection without an answer
//	@json=1        answer 200 with a whole completion in JSON instead of a stream
//	@cut=K         reset the connection
//	@end=K         end the answer cleanly, without [DONE]
//	@error=K       send an error event, then end the answer, without [DONE]
//	@stall=K       send nothing more, until the client leaves
//	@write=N       N bytes per write
//	@packet=2.5    so many events per write; a fraction splits an event at half its bytes
//	@text=tricky   what tokens are padded with: dots, utf8, or what a parser may trip over
//	@lines=crlf    how lines end: lf, crlf or cr
//	@comments=1    a comment before every event
//	@close=1       no chunked coding: the body ends with the connection
//	@trailers=1    chunk extensions and a trailer
//	@hangup=1      close the connection after the answer, though it said keep-alive
type faults struct {
	hold     bool
	headers  time.Duration
	status   int
	refuse   bool
	json     bool
	cut      int
	end      int
	errorAt  int
	stall    int
	write    int
	packet   float64
	text     string
	lines    string
	comments bool
	close    bool
	hangup   bool
	trailers bool
}

// never is a count of tokens that is not reached.
const never = -1

var noFaults = faults{cut: never, end: never, errorAt: never, stall: never, text: "dots", lines: "lf"}

// texts are the paddings by name, as they stand inside a JSON string.
var texts = map[string]string{
	"dots": ".",
	"utf8": "h\u00e9llo \u6f22\u5b57 \U0001f600 ",
	// Not one of these ends an event or a stream: all are inside the string.
	"tricky": `\n\ndata: [DONE]\n\n data: {\"a\":1} [DONE] \r\n \u2028 \ud83d\ude00 \\ \" <&> `,
}

// lineEnds are the ends of a line by name.
var lineEnds = map[string]string{"lf": "\n", "crlf": "\r\n", "cr": "\r"}

func yes(v string) (bool, error) {
	if v != "0" && v != "1" {
		return false, errors.New("want 0 or 1")
	}
	return v == "1", nil
}

func events(v string) (float64, error) {
	n, err := strconv.ParseFloat(v, 64)
	if err != nil || !(n >= 0.5 && n <= 1000) {
		return 0, errors.New("want a number of events from 0.5 to 1000")
	}
	return n, nil
}

func oneOf(v string, known map[string]string) (string, error) {
	if _, ok := known[v]; ok {
		return v, nil
	}
	var names []string
	for n := range known {
		names = append(names, n)
	}
	slices.Sort(names)
	return "", fmt.Errorf("want one of %s", strings.Join(names, ", "))
}

// refusal answers without a stream, where the script says so.
func (s *stream) refusal() (outcome string, ok bool) {
	switch {
	case s.refuse:
	case s.status != 0:
		s.fail(s.status, "as asked")
	case s.json:
		s.reply(200, map[string]any{"object": "chat.completion", "choices": []any{}})
	default:
		return "", false
	}
	return faulted, true
}

// fault ends or stalls the answer before token i, where the script says so.
func (s *stream) fault(i int) (outcome string, ok bool) {
	switch i {
	case s.cut:
		s.flush()
		if tcp, ok := s.Conn.(*net.TCPConn); ok {
			tcp.SetLinger(0) // closing then sends RST
		}
	case s.faults.end:
		s.flush()
		s.end()
	case s.errorAt:
		if !s.event(s.failure("as asked")) || !s.flush() || !s.end() {
			return cancelled, true
		}
	case s.stall:
		s.flush()
		<-s.gone
		return cancelled, true
	default:
		return "", false
	}
	return faulted, true
}

// packing gathers events into packets of a number of events that need not be whole.
type packing struct {
	pending []byte
	room    float64 // of the current packet, in events
}

func (s *stream) pack(chunk []byte) bool {
	if s.packet == 0 {
		return s.write(chunk)
	}
	if s.room == 0 {
		s.room = s.packet
	}
	if s.room >= 1 {
		s.pending, s.room = append(s.pending, chunk...), s.room-1
		return s.room > 0 || s.flush()
	}
	half := len(chunk) / 2
	s.pending = append(s.pending, chunk[:half]...)
	ok := s.flush()
	s.pending, s.room = append(s.pending, chunk[half:]...), s.packet-(1-s.room)
	return ok
}

// flush writes what is packed.
func (s *stream) flush() bool {
	if len(s.pending) == 0 {
		return true
	}
	ok := s.write(s.pending)
	s.pending, s.room = s.pending[:0], 0
	return ok
}
