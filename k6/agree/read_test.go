package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// answer is an answer of three tokens. The stub sent token i 2 i seconds after the request; <i> is its event.
// The text is cut into pieces at |, which arrived at the given seconds. <i|> is an event in two pieces.
func answer(text string, seconds ...int) *received {
	r := &received{started: time.Now()}
	at := func(seconds int) time.Time { return r.started.Add(time.Duration(seconds) * time.Second) }
	for i := range 4 {
		whole := event(fmt.Sprintf("%d:%s. ", i, strconv.FormatInt(at(2*i).UnixNano(), 36)))
		text = strings.ReplaceAll(text, fmt.Sprintf("<%d>", i), whole)
		text = strings.ReplaceAll(text, fmt.Sprintf("<%d|>", i), whole[:len(whole)-5]+"|"+whole[len(whole)-5:])
	}
	for i, p := range strings.Split(text, "|") {
		r.text = append(r.text, p...)
		r.pieces = append(r.pieces, piece{at(seconds[i]), len(r.text)})
	}
	return r
}

func event(content string) string {
	return fmt.Sprintf("5a\r\ndata: {\"choices\":[{\"delta\":{\"content\":%q}}]}\n\n\r\n", content)
}

const (
	head = "HTTP/1.1 200 OK\r\n\r\n"
	last = "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"
)

// Without a clock: a token arrives with the piece that has its empty line. The role does not count as a
// token.
func TestReadTimes(t *testing.T) {
	role := event("")
	for name, test := range map[string]struct {
		r    *received
		want [6]time.Duration // in s: TTFT, two itls, three token delays
	}{
		"one by one":  {answer(head+"|"+role+"|<0>|<1>|<2>|"+last, 1, 2, 3, 5, 8, 9), [6]time.Duration{3, 2, 3, 3, 3, 4}},
		"two at once": {answer(head+role+"<0>|<1><2>|"+last, 1, 4, 9), [6]time.Duration{1, 3, 0, 1, 2, 0}},
		"in two":      {answer(head+role+"<0>|<1|><2>|"+last, 1, 3, 4, 9), [6]time.Duration{1, 3, 0, 1, 2, 0}},
		"all at once": {answer(head+role+"<0><1><2>"+last, 7), [6]time.Duration{7, 0, 0, 7, 5, 3}},
	} {
		s, err := test.r.read(3)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := slices.Concat([]time.Duration{s.ttft}, s.itls, s.tokenDelays)
		for i := range test.want {
			test.want[i] *= time.Second
		}
		if !slices.Equal(got, test.want[:]) {
			t.Errorf("%s: %v; want %v", name, got, test.want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		head + "<0><1>" + last:                      "2 tokens, [DONE] true; want 3",
		head + "<0><1><2><3>" + last:                "4 tokens, [DONE] true; want 3",
		head + "<0><1><2>":                          "3 tokens, [DONE] false",
		head + "<0><2><1>" + last:                   "token 1: content \"2:",
		head + "<0>" + event("1 token") + last:      "token 1: content \"1 token\"",
		head + "<0>data: {\"choices\":[]}":          "event 1 does not end",
		head + "<0>data: {\"choices\":\n\n" + last:  "unexpected end of JSON",
		"HTTP/1.1 500 Oh\r\n\r\n{\"error\":\"no\"}": "0 tokens, [DONE] false",
	} {
		if _, err := answer(text, 1).read(3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}
