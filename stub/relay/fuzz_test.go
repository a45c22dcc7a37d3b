package relay

import (
	"fmt"
	"testing"

	"fairstream/stub/common"
)

// holdsLimits fails the test if a script that was accepted is out of bounds, or
// if it is not read back from its own directives.
func holdsLimits(t *testing.T, s script) {
	t.Helper()
	if s.tokens < 0 || s.tokens > maxTokens || s.size < 0 || s.size > maxSize ||
		s.itl < 0 || s.itl > common.MaxWait || s.ttft < 0 || s.ttft > common.MaxWait {
		t.Errorf("out of bounds: %+v", s)
	}
	if _, err := common.Name(s.ID); s.ID != "" && err != nil {
		t.Errorf("bad id: %q", s.ID)
	}
	message := fmt.Sprintf("@tokens=%d @itl=%v @ttft=%v @size=%d", s.tokens, s.itl, s.ttft, s.size)
	if s.ID != "" {
		message += " @id=" + s.ID
	}
	if s.Tally != "" {
		message += " @tally=" + s.Tally
	}
	if s.Hold {
		message += " @hold=1"
	}
	message += rendered(s.faults)
	if again, err := parseScript(message); err != nil || again != s {
		t.Errorf("%s is read as %+v, %v; want %+v", message, again, err, s)
	}
}

// rendered is the directives of faults.
func rendered(f faults) string {
	bit := map[bool]int{true: 1}
	message := fmt.Sprintf(" @headers=%v @refuse=%d @json=%d @write=%d @text=%s @lines=%s @comments=%d @close=%d @trailers=%d @hangup=%d",
		f.headers, bit[f.refuse], bit[f.json], f.write, f.text, f.lines,
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
		"", "hello", "@tokens=3 @itl=1ms @ttft=2s @size=100 @id=a-b_c", "@tokens=+7", "@tokens=-0", "@tally=go-http@base",
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
