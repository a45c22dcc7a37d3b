package relay

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"fairstream/stub/common"
)

// faults control how the stub misbehaves for one request. K is the number of content tokens before
// the fault.
//
//	@headers=1s    time from the request to the response's headers
//	@status=500    answer with this status, 400 to 599, and a JSON error
//	@refuse=1      close the connection without an answer
//	@json=1        answer 200 with a completion in JSON instead of a stream
//	@cut=K         reset the connection, once the client's kernel has what was sent
//	@end=K         end the answer cleanly, without [DONE]
//	@error=K       send an error event, then end the answer, without [DONE]
//	@stall=K       send nothing more, until the client leaves
//	@write=N       N bytes per write
//	@packet=2.5    so many events per write, in halves; a half splits an event near its
//	               middle, inside a multi-byte character if one is there. With 0.5 each
//	               write is the second half of one event and the first of the next, so
//	               with @text=utf8 @itl=5ms a character arrives in two parts 5 ms apart
//	@text=tricky   what tokens are padded with: dots, utf8, or what a parser may trip over
//	@lines=crlf    how lines end: lf, crlf or cr
//	@comments=1    a comment before every event
//	@close=1       no chunked coding: the body ends with the connection
//	@trailers=1    chunk extensions and a trailer
//	@hangup=1      close the connection after the answer, though it said keep-alive
type faults struct {
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

// never is a count of tokens that no stream reaches.
const never = -1

var noFaults = faults{cut: never, end: never, errorAt: never, stall: never, text: "dots", lines: "lf"}

// texts are the paddings by name, in JSON form.
var texts = map[string]string{
	"dots": ".",
	"utf8": "h\u00e9llo \u6f22\u5b57 \U0001f600 ",
	// None of these ends an event or a stream, since all are inside the string.
	"tricky": `\n\ndata: [DONE]\n\n data: {\"a\":1} [DONE] \r\n \u2028 \ud83d\ude00 \\ \" <&> `,
}

// lineEnds are the line ends by name.
var lineEnds = map[string]string{"lf": "\n", "crlf": "\r\n", "cr": "\r"}

func events(v string) (float64, error) {
	n, err := strconv.ParseFloat(v, 64)
	if err != nil || !(n >= 0.5 && n <= 1000) || n*2 != math.Trunc(n*2) {
		return 0, errors.New("want a number of events from 0.5 to 1000, in halves")
	}
	return n, nil
}

// check refuses combinations of directives whose faults would never happen.
func (s *script) check() error {
	if err := s.Script.Check("@"); err != nil {
		return err
	}
	for _, at := range []int{s.cut, s.end, s.errorAt, s.stall} {
		if at > s.tokens {
			return fmt.Errorf("a fault after %d tokens: the answer has only %d", at, s.tokens)
		}
	}
	return nil
}

// refusal answers without a stream, if the script asks for it.
func (s *stream) refusal() (outcome string, ok bool) {
	sent := true
	switch {
	case s.refuse:
		s.spent = true
	case s.status != 0:
		sent = s.Fail(s.status, "as asked")
	case s.json:
		sent = s.Reply(200, map[string]any{"object": "chat.completion", "choices": []any{map[string]any{
			"index": 0, "message": map[string]any{"role": "assistant", "content": "as asked"}, "finish_reason": "stop",
		}}})
	default:
		return "", false
	}
	if !sent {
		return common.Cancelled, true
	}
	return common.Faulted, true
}

// fault ends or stalls the answer before token i, if the script asks for it.
func (s *stream) fault(i int) (outcome string, ok bool) {
	sent := true
	switch i {
	case s.cut:
		s.spent = true
		sent = s.flush() && s.Drained() && s.Resets()
	case s.faults.end:
		sent = s.flush() && s.end()
	case s.errorAt:
		sent = s.Await(s.Start) && s.event(s.failure("as asked")) && s.flush() && s.end()
	case s.stall:
		s.flush()
		s.UntilGone()
		return common.Cancelled, true
	default:
		return "", false
	}
	if !sent {
		return common.Cancelled, true
	}
	return common.Faulted, true
}
