package relay

import (
	"strings"
	"testing"
	"time"

	"fairstream/stub/common"
)

func TestScriptIsReadFromTheDirectivesInAMessage(t *testing.T) {
	plain := script{tokens: 20, itl: 50 * time.Millisecond, size: 16, faults: noFaults}
	with := func(change func(*script)) script {
		s := plain
		change(&s)
		return s
	}
	cases := map[string]script{
		"":                    plain,
		"hello":               plain,
		"a=b user@tokens=3":   plain,
		"@tokens 3 @ @alice":  plain,
		"@tokens=0":           with(func(s *script) { s.tokens = 0 }),
		"@tokens=1000000":     with(func(s *script) { s.tokens = maxTokens }),
		"@itl=0s":             with(func(s *script) { s.itl = 0 }),
		"@itl=1h":             with(func(s *script) { s.itl = common.MaxWait }),
		"@ttft=1.5s":          with(func(s *script) { s.ttft = 1500 * time.Millisecond }),
		"@size=4194304":       with(func(s *script) { s.size = maxSize }),
		"@id=a_B-9":           with(func(s *script) { s.ID = "a_B-9" }),
		"@tally=go-http@base": with(func(s *script) { s.Tally = "go-http@base" }),
		"@tokens=3 @tokens=4": with(func(s *script) { s.tokens = 4 }),
		"say\n@id=x\tin @size=0 words @ttft=1ms @itl=2ms @tokens=5 please": {
			tokens: 5, itl: 2 * time.Millisecond, ttft: time.Millisecond, Script: common.Script{ID: "x"}, faults: noFaults},
		"@hold=1 @cut=3 @tokens=3 @id=x @packet=2.5": with(func(s *script) {
			s.cut, s.Hold, s.tokens, s.ID, s.packet = 3, true, 3, "x", 2.5
		}),
		"@text=tricky @lines=crlf": with(func(s *script) { s.text, s.lines = "tricky", "crlf" }),
	}
	for message, want := range cases {
		if got, err := parseScript(message); err != nil || got != want {
			t.Errorf("%q: got %+v, %v; want %+v", message, got, err, want)
		}
	}
}

const (
	wantTokens = "want a whole number from 0 to 1000000"
	wantSize   = "want a whole number from 0 to 4194304"
	wantWait   = "want a duration from 0s to 1h0m0s, such as 50ms"
	wantName   = "want 1 to 64 letters, digits, - or _"
	wantPacket = "want a number of events from 0.5 to 1000, in halves"
	wantKnown  = "unknown; known are @close, @comments, @cut, @end, @error, @hangup, @headers, @hold, @id, @itl, " +
		"@json, @lines, @packet, @refuse, @size, @stall, @status, @tally, @text, @tokens, @trailers, @ttft, @write"
)

func TestBadDirectivesAreErrorsThatSayWhatIsWanted(t *testing.T) {
	long := strings.Repeat("x", 65)
	cases := map[string]string{
		"@speed=3":               "directive @speed: " + wantKnown,
		"@Tokens=3":              "directive @Tokens: " + wantKnown,
		"@=3":                    "directive @: " + wantKnown,
		"@@tokens=3":             "directive @@tokens: " + wantKnown,
		"@tokens=":               "directive @tokens=: " + wantTokens,
		"@tokens=many":           "directive @tokens=many: " + wantTokens,
		"@tokens=1.5":            "directive @tokens=1.5: " + wantTokens,
		"@tokens=-1":             "directive @tokens=-1: " + wantTokens,
		"@tokens=1000001":        "directive @tokens=1000001: " + wantTokens,
		"@tokens=1=2":            "directive @tokens=1=2: " + wantTokens,
		"@size=4194305":          "directive @size=4194305: " + wantSize,
		"@size=9999999999999999": "directive @size=9999999999999999: " + wantSize,
		"@itl=5":                 "directive @itl=5: " + wantWait,
		"@itl=-1ms":              "directive @itl=-1ms: " + wantWait,
		"@itl=1h1ns":             "directive @itl=1h1ns: " + wantWait,
		"@ttft=soon":             "directive @ttft=soon: " + wantWait,
		"@id=":                   "directive @id=: " + wantName,
		"@id=a/b":                "directive @id=a/b: " + wantName,
		"@id=" + long:            "directive @id=" + long + ": " + wantName,
		"@hold=1":                "directive @hold: needs @id, which releases its events",
		"@stall=2 @tokens=1":     "a fault after 2 tokens: the answer has only 1",
		"@cut=21":                "a fault after 21 tokens: the answer has only 20",
		"@status=204":            "directive @status=204: want a status from 400 to 599",
		"@status=600":            "directive @status=600: want a status from 400 to 599",
		"@packet=0":              "directive @packet=0: " + wantPacket,
		"@packet=0.7":            "directive @packet=0.7: " + wantPacket,
		"@packet=NaN":            "directive @packet=NaN: " + wantPacket,
		"@text=latin":            "directive @text=latin: want one of dots, tricky, utf8",
		"@close=yes":             "directive @close=yes: want 0 or 1",
		"good @tokens=1 bad @x=": "directive @x: " + wantKnown,
	}
	for message, want := range cases {
		if got, err := parseScript(message); err == nil || err.Error() != want {
			t.Errorf("%q: got %+v, %v; want %s", message, got, err, want)
		}
	}
}

func TestScriptIsThatOfTheLastUserMessage(t *testing.T) {
	_, s, err := parseChat([]byte(`{"stream":true,"messages":[
		{"role":"system","content":"@tokens=1"},
		{"role":"user","content":"@tokens=2 @size=99"},
		{"role":"assistant","content":"@tokens=3"},
		{"role":"user","content":"@tokens=4"},
		{"role":"assistant","content":"@nonsense=5"}]}`))
	if err != nil || s.tokens != 4 || s.size != 16 {
		t.Errorf("got %+v, %v; want 4 tokens of the default size", s, err)
	}
}
