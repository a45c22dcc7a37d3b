package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A stream has the raw client's times of one answer.
type stream struct {
	started           time.Time
	ttft              time.Duration
	itls, tokenDelays []time.Duration
}

// read computes the times of an answer of the stub. It looks for lines that begin with "data: " and
// skips HTTP's chunk sizes: the stub makes one chunk of each event, so a size never stands within
// an event. (A server that splits events into chunks is an error here.) An event arrives with the
// empty line at its end.
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
		index, stamp, _ := strings.Cut(strings.TrimRight(content, ". "), ":") // padding of a token
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

// contentOf returns the text that an event adds to the answer.
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
