package agent

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"fairstream/stub/common"
)

// A script controls a run: all answers to one message of a user, and the tools between them. It comes from the
// directives in that message. These are the ones of this workload; package common has those of all.
//
//	@turns=3     answers of the model in the run; each but the last calls tools
//	@tools=2     calls of lookup in each of these turns
//	@agents=2    calls of delegate in the first turn, in place of lookup; each runs two turns of its own
//	@tokens=20   tokens of the last answer
//	@size=1000   bytes of each of these tokens, as many as its word has unless given
//	@itl=10ms    time from one token to the next, and from the last to the finish chunk
//	@ttft=0s     time from a request to the first token of its answer
//	@delay=5ms   time that a call of lookup takes
//	@bytes=100   bytes of the result of lookup
//	@image=1000  an image of 1,000 bytes in the last answer
//	@barrier=1   no call of lookup in a turn is answered before all of the turn are open
//	@fail=2      the model answers turn 2 with status 500
//	@cut=3       the model's answer in turn 3 ends with a reset, at half of its events
//	@end=3       the same, but the answer ends as HTTP wants it: a client must see that [DONE] is missing
//	@broken=1    lookup answers with status 500
//
// A plain "hello" gets one turn of 20 tokens, 10 ms apart.
type script struct {
	common.Script
	turns, tools, agents, tokens int
	itl, ttft, delay             time.Duration
	bytes, image, size           int
	barrier, broken              bool
	fail, cut, end               int
	key                          string // that of the run, in ids and in texts
}

// Limits that catch mistakes, and not attackers. A contract may have its own.
const (
	maxTurns  = 100
	maxCalls  = 100
	maxTokens = 1_000_000
	maxBytes  = 16 << 20
)

// directives lists all directives. The error for an unknown one names them.
var directives = common.Directives[script]{
	"turns":   func(s *script, v string) (err error) { s.turns, err = common.Count(v, maxTurns); return },
	"tools":   func(s *script, v string) (err error) { s.tools, err = common.Count(v, maxCalls); return },
	"agents":  func(s *script, v string) (err error) { s.agents, err = common.Count(v, maxCalls); return },
	"tokens":  func(s *script, v string) (err error) { s.tokens, err = common.Count(v, maxTokens); return },
	"itl":     func(s *script, v string) (err error) { s.itl, err = common.Wait(v); return },
	"ttft":    func(s *script, v string) (err error) { s.ttft, err = common.Wait(v); return },
	"delay":   func(s *script, v string) (err error) { s.delay, err = common.Wait(v); return },
	"bytes":   func(s *script, v string) (err error) { s.bytes, err = common.Count(v, maxBytes); return },
	"size":    func(s *script, v string) (err error) { s.size, err = common.Count(v, maxBytes); return },
	"image":   func(s *script, v string) (err error) { s.image, err = common.Count(v, maxBytes); return },
	"barrier": func(s *script, v string) (err error) { s.barrier, err = common.Yes(v); return },
	"broken":  func(s *script, v string) (err error) { s.broken, err = common.Yes(v); return },
	"fail":    func(s *script, v string) (err error) { s.fail, err = common.Count(v, maxTurns); return },
	"cut":     func(s *script, v string) (err error) { s.cut, err = common.Count(v, maxTurns); return },
	"end":     func(s *script, v string) (err error) { s.end, err = common.Count(v, maxTurns); return },
}.With(func(s *script) *common.Script { return &s.Script })

// parseScript reads the directives of a user's message.
func parseScript(message string) (script, error) {
	s := script{turns: 1, tools: 1, tokens: 20, itl: 10 * time.Millisecond, bytes: 100}
	if err := directives.Read(&s, message); err != nil {
		return s, err
	}
	if s.key = s.ID; s.key == "" {
		s.key = fmt.Sprintf("%x", sha256.Sum256([]byte(message)))[:12]
	}
	if s.agents > 0 && s.turns < 2 {
		s.turns = 2
	}
	switch {
	case s.turns < 1:
		return s, errors.New("directive @turns=0: want at least one answer")
	case s.tokens*s.size > maxBytes:
		return s, fmt.Errorf("directive @size=%d: %d tokens of it have more than %d bytes", s.size, s.tokens, maxBytes)
	case s.fail > s.turns || s.cut > s.turns || s.end > s.turns:
		return s, fmt.Errorf("a fault in a turn after the last: the run has only %d", s.turns)
	}
	return s, s.Script.Check("@")
}
