package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"testing"
)

// holdsLimits fails the test if a script that was accepted is out of bounds, or
// if it is not read back from its own directives.
func holdsLimits(t *testing.T, s script) {
	t.Helper()
	if s.tokens < 0 || s.tokens > maxTokens || s.size < 0 || s.size > maxSize ||
		s.itl < 0 || s.itl > maxWait || s.ttft < 0 || s.ttft > maxWait {
		t.Errorf("out of bounds: %+v", s)
	}
	if s.id != "" && !nameForm.MatchString(s.id) {
		t.Errorf("bad id: %q", s.id)
	}
	message := fmt.Sprintf("@tokens=%d @itl=%v @ttft=%v @size=%d", s.tokens, s.itl, s.ttft, s.size)
	if s.id != "" {
		message += " @id=" + s.id
	}
	message += rendered(s.faults)
	if again, err := parseScript(message); err != nil || again != s {
		t.Errorf("%s is read as %+v, %v; want %+v", message, again, err, s)
	}
}

// rendered is the directives of faults.
func rendered(f faults) string {
	bit := map[bool]int{true: 1}
	message := fmt.Sprintf(" @hold=%d @headers=%v @refuse=%d @json=%d @write=%d @text=%s @lines=%s @comments=%d @close=%d @trailers=%d @hangup=%d",
		bit[f.hold], f.headers, bit[f.refuse], bit[f.json], f.write, f.text, f.lines,
		bit[f.comments], bit[f.close], bit[f.trailers], bit[f.hangup])
	for key, at := range map[string]int{"cut": f.cut, "end": f.end, "error": f.errorAt, "stall": f.stall} {
		if at != never {
			message += fmt.Sprintf(" @%s=%d", key, at)
		}
	}
	if f.status != 0 {
		message += fmt.Sprint(" @status=", f.status)
	}
	if f.packet != 0 {
		message += fmt.Sprint(" @packet=", f.packet)
	}
	return message
}

func FuzzParseScript(f *testing.F) {
	for _, message := range []string{
		"", "hello", "@tokens=3 @itl=1ms @ttft=2s @size=100 @id=a-b_c", "@tokens=+7", "@tokens=-0",
		"@hold=1 @id=a @headers=1s @status=500 @refuse=1 @json=1 @cut=1 @end=2 @error=3 @stall=4 @write=5 @packet=2.5",
		"@text=tricky @lines=cr @comments=1 @close=1 @trailers=1 @hangup=1", "@packet=0x1p3", "@packet=Inf", "@cut=-1",
		"@itl=1h @ttft=1h", "@itl=0.5us", "@itl=-0s", "@itl=1e9s", "@itl=9223372036854775807ns",
		"@tokens=99999999999999999999", "@id=a\x00b", "@id=é", "@=", "@tokens", "@x=y", "@@=@=", "\xff@size=1\u2003@size=2",
	} {
		f.Add(message)
	}
	f.Fuzz(func(t *testing.T, message string) {
		if s, err := parseScript(message); err == nil {
			holdsLimits(t, s)
		}
	})
}

func FuzzParseChat(f *testing.F) {
	for _, body := range []string{
		"", "null", "[]", "{}", `{"stream":true}`, `{"stream":true,"messages":null}`,
		`{"stream":true,"messages":[null,{}]}`, `{"stream":1,"messages":[]}`,
		`{"stream":true,"messages":[{"role":"user","content":null}],"stream_options":null}`,
		`{"stream":true,"messages":[{"role":"user","content":["a"]}]}`,
		`{"model":"\ud800","stream":true,"messages":[{"role":"user","content":"@size=9 @id=z"}],"stream_options":{"include_usage":true}}`,
		chatBody("hello @tokens=3", true),
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		chat, s, err := parseChat(body)
		if err != nil {
			return
		}
		if !chat.Stream || len(chat.Messages) == 0 {
			t.Errorf("accepted without stream or messages: %+v", chat)
		}
		holdsLimits(t, s)
	})
}

// wire is a connection on which bytes come in pieces, and what is written is lost.
type wire struct {
	bytes []byte
	size  int
}

func (w *wire) Read(b []byte) (int, error) {
	if len(w.bytes) == 0 {
		return 0, io.EOF
	}
	n := copy(b, w.bytes[:min(w.size, len(w.bytes))])
	w.bytes = w.bytes[n:]
	return n, nil
}

func (*wire) Write(b []byte) (int, error) { return len(b), nil }

// Requests that come one behind the other are those that net/http reads, also
// where one repeats the last.
func FuzzRequests(f *testing.F) {
	one := post(chatBody("@tokens=1", false), "")
	f.Add([]byte(one+one+one), uint16(len(one)-1))
	f.Add([]byte(one+post("{}", "Expect: 100-continue")+one), uint16(5000))
	f.Add([]byte("GET /stats HTTP/1.1\r\nHost: stub\r\n\r\nPOST / HTTP/1.1\r\nHost: stub\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"), uint16(0))
	f.Fuzz(func(t *testing.T, text []byte, size uint16) {
		ours := newRequests(&wire{slices.Clone(text), int(size) + 1})
		theirs := bufio.NewReader(bytes.NewReader(text))
		for i := 0; ; i++ {
			got, gotErr := ours.next()
			want, err := http.ReadRequest(theirs)
			var body []byte
			if err == nil {
				body, err = readBody(want)
			}
			if (gotErr == nil) != (err == nil) {
				t.Fatalf("%q: request %d: %v; net/http says %v", text, i, gotErr, err)
			}
			if err != nil {
				return
			}
			if got.Method != want.Method || got.URL.String() != want.URL.String() || !bytes.Equal(got.body, body) || !maps.EqualFunc(got.Header, want.Header, slices.Equal) {
				t.Fatalf("%q: request %d: %s %s %q; net/http has %s %s %q", text, i, got.Method, got.URL, got.body, want.Method, want.URL, body)
			}
		}
	})
}
