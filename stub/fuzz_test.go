package main

import (
	"fmt"
	"testing"
)

// holdsLimits fails the test if a script that was accepted is out of bounds, or
// if it is not read back from its own directives.
func holdsLimits(t *testing.T, s script) {
	t.Helper()
	if s.tokens < 0 || s.tokens > maxTokens || s.size < 0 || s.size > maxSize ||
		s.gap < 0 || s.gap > maxWait || s.ttft < 0 || s.ttft > maxWait {
		t.Errorf("out of bounds: %+v", s)
	}
	if s.id != "" && !nameForm.MatchString(s.id) {
		t.Errorf("bad id: %q", s.id)
	}
	message := fmt.Sprintf("@tokens=%d @gap=%v @ttft=%v @size=%d", s.tokens, s.gap, s.ttft, s.size)
	if s.id != "" {
		message += " @id=" + s.id
	}
	if again, err := parseScript(message); err != nil || again != s {
		t.Errorf("%s is read as %+v, %v; want %+v", message, again, err, s)
	}
}

func FuzzParseScript(f *testing.F) {
	for _, message := range []string{
		"", "hello", "@tokens=3 @gap=1ms @ttft=2s @size=100 @id=a-b_c", "@tokens=+7", "@tokens=-0",
		"@gap=1h @ttft=1h", "@gap=0.5us", "@gap=-0s", "@gap=1e9s", "@gap=9223372036854775807ns",
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
