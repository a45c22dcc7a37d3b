package sse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"fairstream/k6/common"
	"fairstream/k6/common/http1"
	"fairstream/k6/shared/events"
)

// The reference is the plainest reading of WHATWG HTML 9.2.6, of a whole body.
func reference(body string) (events []string) {
	body = strings.TrimPrefix(body, "\ufeff")
	body = strings.ReplaceAll(strings.ReplaceAll(body, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(body, "\n")
	var data []string
	for _, line := range lines[:len(lines)-1] { // the last has no end
		field, value, _ := strings.Cut(line, ":")
		switch {
		case line == "" && data != nil:
			events, data = append(events, strings.Join(data, "\n")), nil
		case field == "data":
			data = append(data, strings.TrimPrefix(value, " "))
		}
	}
	return events
}

// FuzzEvents holds a body in pieces to the reference: as many events and
// tokens, [DONE] or not, and something behind it or not.
func FuzzEvents(f *testing.F) {
	f.Add([]byte(roleEvent+tokenEvent(0, "")+tokenEvent(1, "é")+doneEvent), uint16(7))
	f.Add([]byte("\ufeffdata: a\r\n\r\n:c\rdata\r\rdata:b\ndata: c\n\ndata: [DONE]\r\n\r\n\n"), uint16(1))
	f.Add([]byte("data:[DONE]\n\ndata: x\n\n"), uint16(3))
	f.Add([]byte("data: [DONE]\n\n \n"), uint16(0))
	f.Fuzz(func(t *testing.T, body []byte, size uint16) {
		var e events.Reader
		var m measure
		for piece := range pieces(body, int(size)+1) {
			if err := e.Feed(piece, &m); err != nil {
				t.Fatal(err)
			}
		}
		var want measure
		for _, data := range reference(string(body)) {
			if want.done {
				break
			}
			want.Event([]byte(data))
		}
		if m.events != want.events || m.tokens != want.tokens || m.done != want.done || m.ordered() != want.ordered() {
			t.Errorf("%q in pieces of %d: %+v; want %+v", body, size+1, m, want)
		}
		if after := behindDone(body); want.done && e.After != after {
			t.Errorf("%q: bytes after [DONE]: %v; want %v", body, e.After, after)
		}
	})
}

// behindDone says whether bytes follow the shortest beginning of a body that
// has [DONE] in it. An LF behind a CR is of its line.
func behindDone(body []byte) bool {
	for n := range len(body) + 1 {
		if found := reference(string(body[:n])); len(found) > 0 && found[len(found)-1] == "[DONE]" {
			if n < len(body) && body[n-1] == '\r' && body[n] == '\n' {
				n++
			}
			return n < len(body)
		}
	}
	return false
}

func pieces(b []byte, size int) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(b) > 0 {
			n := min(size, len(b))
			if !yield(bytes.Clone(b[:n])) { // a buffer is used again
				return
			}
			b = b[n:]
		}
	}
}

// FuzzContent holds the search for content to a parser of JSON.
func FuzzContent(f *testing.F) {
	for _, text := range []string{
		`{"choices":[{"index":0,"delta":{"content":"0:abc "}}]}`, `{"content" : "a\"b\\"}`, `{"content":null}`,
		`{"model":"\"content\":\"x\"","content":"y"}`, `{"a":"content","b":{"content":[{"content":""}]}}`, `"content"`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got := contentOf(data)
		if !json.Valid(data) {
			return // it must only not panic
		}
		want, found := firstContent(json.NewDecoder(bytes.NewReader(data)))
		if !found {
			if got != nil {
				t.Errorf("%s: %q; want none", data, got)
			}
			return
		}
		var text string
		if err := json.Unmarshal([]byte(`"`+string(got)+`"`), &text); err != nil || text != want {
			t.Errorf("%s: %q, %v; want %q", data, text, err, want)
		}
	})
}

// firstContent walks a JSON value to its first member "content" with a string.
func firstContent(d *json.Decoder) (string, bool) {
	type level struct{ object, key bool }
	var stack []level
	var name string
	for {
		token, err := d.Token()
		if err != nil {
			return "", false
		}
		var in *level
		if len(stack) > 0 {
			in = &stack[len(stack)-1]
		}
		text, isText := token.(string)
		if in != nil && in.object && in.key && isText {
			name, in.key = text, false
			continue
		}
		if in != nil && in.object && isText && name == "content" {
			return text, true
		}
		if in != nil {
			in.key = true
		}
		switch token {
		case json.Delim('{'):
			stack = append(stack, level{true, true})
		case json.Delim('['):
			stack, name = append(stack, level{}), ""
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:len(stack)-1]
		}
	}
}

func TestStamp(t *testing.T) {
	now := time.Now().UnixNano()
	for content, want := range map[string]int{
		tokenContent(0): 0, tokenContent(12): 12, tokenContent(999_999): 999_999,
	} {
		i, ns, ok := stampOf([]byte(content))
		if !ok || i != want || ns < now || ns > now+int64(time.Minute) {
			t.Errorf("%s: %d, %d, %v", content, i, ns, ok)
		}
	}
	for _, content := range []string{"", "0", ":", "0:", "0:abc", ":0123456789ab", "x:0123456789ab", "0:0123456789AB", "0 0123456789ab", "9999999999:0123456789ab"} {
		if _, _, ok := stampOf([]byte(content)); ok {
			t.Errorf("%q has a stamp", content)
		}
	}
}

func tokenContent(i int) string { return string(contentOf([]byte(tokenEvent(i, "...")))) }

// A token must cost no memory: a long stream would otherwise be paid for by
// the collector, on the cores that are measured.
func TestTokensAllocateNothing(t *testing.T) {
	a, s := new(http1.Answer), new(stream)
	feed := func(wire []byte) {
		if err := a.Take(wire, s); err != nil {
			t.Fatal(err)
		}
	}
	feed([]byte(header200))
	wire := []byte(chunk(tokenEvent(0, "") + tokenEvent(1, "")[:50]))
	half := []byte(chunk(tokenEvent(1, "")[50:]))
	s.m.itls.Buckets, s.m.tokenDelays.Buckets = make([]uint16, 0, 100_000), make([]uint16, 0, 100_000)
	if n := testing.AllocsPerRun(1000, func() { feed(wire); feed(half) }); n != 0 || s.m.tokens < 2000 {
		t.Errorf("%v allocations for two tokens, %d seen", n, s.m.tokens)
	}
}

func BenchmarkToken(b *testing.B) {
	a, s := new(http1.Answer), new(stream)
	_ = a.Take([]byte(header200), s) // the test made this data
	event := []byte(chunk(strings.Replace(tokenEvent(0, ""), `{"choices`, `{"id":"chatcmpl-123456","object":"chat.completion.chunk","created":1694268190,"model":"stub-model","system_fingerprint":"fp_stub","choices`, 1)))
	for b.Loop() {
		_ = a.Take(event, s)                                                                 // as above
		s.m.itls, s.m.tokenDelays, s.m.tokens = s.m.itls.Reset(), s.m.tokenDelays.Reset(), 0 // the next is in order again
	}
}

// FuzzAnswer holds an answer in pieces to the same answer at once: as many events and tokens, and
// the same words on what is wrong. Not if enough was seen before its end: where that is, the pieces
// decide.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(whole(3)), uint16(5))
	f.Add([]byte("HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno"), uint16(1))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: [DONE]\n\n"), uint16(0))
	f.Fuzz(func(t *testing.T, wire []byte, size uint16) {
		whole, wholeOver, wholeErr := taken(wire, len(wire)+1)
		parts, partsOver, partsErr := taken(wire, int(size)+1)
		if wholeErr == errEnough || partsErr == errEnough {
			return
		}
		if fmt.Sprint(wholeErr) != fmt.Sprint(partsErr) {
			t.Fatalf("%q in pieces of %d: %v; want %v", wire, size+1, partsErr, wholeErr)
		}
		if wholeErr != nil {
			return
		}
		for _, s := range []*stream{whole, parts} { // times
			s.m.itls, s.m.tokenDelays = common.Durations{}, common.Durations{}
		}
		if !reflect.DeepEqual(whole.m, parts.m) || whole.events.After != parts.events.After || whole.status != parts.status || whole.good != parts.good ||
			wholeOver != partsOver || !bytes.Equal(whole.excerpt, parts.excerpt) {
			t.Errorf("%q in pieces of %d: %+v; want %+v", wire, size+1, parts.m, whole.m)
		}
	})
}

var errEnough = errors.New("enough was seen")

// taken reads an answer of three tokens that comes in pieces, as a client does.
func taken(wire []byte, size int) (s *stream, over bool, err error) {
	a := new(http1.Answer)
	s = &stream{want: 3}
	for piece := range pieces(wire, size) {
		if err := a.Take(piece, s); err != nil {
			return s, a.Over(), err
		}
		if s.Enough() {
			return s, a.Over(), errEnough
		}
	}
	return s, a.Over(), nil
}
