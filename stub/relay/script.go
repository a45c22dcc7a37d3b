package relay

import (
	"time"

	"fairstream/stub/common"
)

// A script controls one answer. It comes from the directives in the user's message. These are the
// ones of this workload; package common has those of all.
//
//	@tokens=20   content chunks in the answer
//	@itl=50ms    time from one token to the next, and from the last to the finish chunk
//	@ttft=0s     time from the request to the first token (the role chunk is sent at once)
//	@size=16     bytes of content per token, at least, as they stand in JSON
//
// A plain "hello" gets the values above: 20 tokens, 50 ms apart, 1 s in all. More directives make
// the stub misbehave; see fault.go.
type script struct {
	common.Script
	tokens int
	itl    time.Duration
	ttft   time.Duration
	size   int
	faults
}

// Limits that catch mistakes, and not attackers.
const (
	maxTokens = 1_000_000
	maxSize   = 4 << 20
)

// directives lists all directives. The error for an unknown one names them.
var directives = common.Directives[script]{
	"tokens": func(s *script, v string) (err error) { s.tokens, err = common.Count(v, maxTokens); return },
	"itl":    func(s *script, v string) (err error) { s.itl, err = common.Wait(v); return },
	"ttft":   func(s *script, v string) (err error) { s.ttft, err = common.Wait(v); return },
	"size":   func(s *script, v string) (err error) { s.size, err = common.Count(v, maxSize); return },

	"headers":  func(s *script, v string) (err error) { s.headers, err = common.Wait(v); return },
	"status":   func(s *script, v string) (err error) { s.status, err = common.Failing(v); return },
	"refuse":   func(s *script, v string) (err error) { s.refuse, err = common.Yes(v); return },
	"json":     func(s *script, v string) (err error) { s.json, err = common.Yes(v); return },
	"cut":      func(s *script, v string) (err error) { s.cut, err = common.Count(v, maxTokens); return },
	"end":      func(s *script, v string) (err error) { s.end, err = common.Count(v, maxTokens); return },
	"error":    func(s *script, v string) (err error) { s.errorAt, err = common.Count(v, maxTokens); return },
	"stall":    func(s *script, v string) (err error) { s.stall, err = common.Count(v, maxTokens); return },
	"write":    func(s *script, v string) (err error) { s.write, err = common.Count(v, maxSize); return },
	"packet":   func(s *script, v string) (err error) { s.packet, err = events(v); return },
	"text":     func(s *script, v string) (err error) { s.text, err = common.OneOf(v, texts); return },
	"lines":    func(s *script, v string) (err error) { s.lines, err = common.OneOf(v, lineEnds); return },
	"comments": func(s *script, v string) (err error) { s.comments, err = common.Yes(v); return },
	"close":    func(s *script, v string) (err error) { s.close, err = common.Yes(v); return },
	"trailers": func(s *script, v string) (err error) { s.trailers, err = common.Yes(v); return },
	"hangup":   func(s *script, v string) (err error) { s.hangup, err = common.Yes(v); return },
}.With(func(s *script) *common.Script { return &s.Script })

// parseScript reads the directives of a message.
func parseScript(message string) (script, error) {
	s := script{tokens: 20, itl: 50 * time.Millisecond, size: 16, faults: noFaults}
	if err := directives.Read(&s, message); err != nil {
		return s, err
	}
	return s, s.check()
}
