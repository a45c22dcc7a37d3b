package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A stream is what the raw client measured of one answer.
type stream struct {
	started           time.Time
	ttft              time.Duration
	itls, tokenDelays []time.Duration
}

// read makes times of an answer of the stub. It looks for lines that begin
// with "data: " and leaves HTTP's chunks where they are: the stub makes a chunk
// of each event, so their sizes stand between events and never within one. (A
// server that cuts events into chunks of its own makes an error here.)
// An event has come when the empty line that ends it has.
func (r *received) read(tokens int) (stream, error) {
	s := stream{started: r.started}
	var last time.Time
	n, p, done := 0, 0, false
	for at := 0; ; {
		i := bytes.Index(r.text[at:], []byte("data: "))
		if i < 0 {
			break
		}
		data := at + i + len("data: ")
		end := bytes.Index(r.text[data:], []byte("\n\n"))
		if end < 0 {
			return s, fmt.Errorf("event %d does not end", n)
		}
		at = data + end + len("\n\n")
		if done = string(r.text[data:data+end]) == "[DONE]"; done {
			continue
		}
		content, err := contentOf(r.text[data : data+end])
		if err != nil {
			return s, fmt.Errorf("%q: %w", r.text[data:data+end], err)
		}
		if content == "" {
			continue
		}
		for r.pieces[p].end < at {
			p++
		}
		came := r.pieces[p].at
		index, stamp, _ := strings.Cut(strings.TrimRight(content, ". "), ":") // what pads a token to its size
		sent, err := strconv.ParseInt(stamp, 36, 64)
		if err != nil || index != strconv.Itoa(n) {
			return s, fmt.Errorf("token %d: content %q; want its index and the time of sending", n, content)
		}
		if n == 0 {
			s.ttft = came.Sub(r.started)
		} else {
			s.itls = append(s.itls, came.Sub(last))
		}
		s.tokenDelays = append(s.tokenDelays, time.Duration(came.UnixNano()-sent))
		last = came
		n++
	}
	if n != tokens || !done {
		return s, fmt.Errorf("%d tokens, [DONE] %v; want %d and [DONE]", n, done, tokens)
	}
	return s, nil
}

// contentOf is what an event adds to the answer.
func contentOf(data []byte) (string, error) {
	var event struct {
		Choices []struct{ Delta struct{ Content string } }
	}
	if err := json.Unmarshal(data, &event); err != nil {
		return "", err
	}
	if len(event.Choices) == 0 {
		return "", nil
	}
	return event.Choices[0].Delta.Content, nil
}
