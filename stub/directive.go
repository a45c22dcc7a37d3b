package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A script controls the stub for one request. It comes from directives in the user's message: words
// of the form @name=value, anywhere, in any order. Directives travel in the message, so servers
// need no support for them, and one running stub serves every test.
//
//	@tokens=20   content chunks in the answer
//	@itl=50ms    time from one token to the next, and from the last to the finish chunk
//	@ttft=0s     time from the request to the first token (the role chunk is sent at once)
//	@size=16     bytes of content per token, at least, as they stand in JSON
//	@id=NAME     keep this request in the journal under NAME
//	@tally=NAME  count the tokens that are written under NAME, in GET /stats
//
// A plain "hello" gets the values above: 20 tokens, 50 ms apart, 1 s in all. More directives make
// the stub misbehave; see fault.go.
type script struct {
	tokens int
	itl    time.Duration
	ttft   time.Duration
	size   int
	id     string
	tally  string
	faults
}

// Limits that catch mistakes, and not attackers.
const (
	maxTokens = 1_000_000
	maxSize   = 4 << 20
	maxWait   = time.Hour
)

// A directive sets one field of a script from its text.
type directive func(*script, string) error

// directives lists all directives. The error for an unknown one names them.
var directives = map[string]directive{
	"tokens": func(s *script, v string) (err error) { s.tokens, err = count(v, maxTokens); return },
	"itl":    func(s *script, v string) (err error) { s.itl, err = wait(v); return },
	"ttft":   func(s *script, v string) (err error) { s.ttft, err = wait(v); return },
	"size":   func(s *script, v string) (err error) { s.size, err = count(v, maxSize); return },
	"id":     func(s *script, v string) (err error) { s.id, err = name(v); return },
	"tally":  func(s *script, v string) (err error) { s.tally, err = tallyName(v); return },

	"hold":     func(s *script, v string) (err error) { s.hold, err = yes(v); return },
	"headers":  func(s *script, v string) (err error) { s.headers, err = wait(v); return },
	"status":   func(s *script, v string) (err error) { s.status, err = failing(v); return },
	"refuse":   func(s *script, v string) (err error) { s.refuse, err = yes(v); return },
	"json":     func(s *script, v string) (err error) { s.json, err = yes(v); return },
	"cut":      func(s *script, v string) (err error) { s.cut, err = count(v, maxTokens); return },
	"end":      func(s *script, v string) (err error) { s.end, err = count(v, maxTokens); return },
	"error":    func(s *script, v string) (err error) { s.errorAt, err = count(v, maxTokens); return },
	"stall":    func(s *script, v string) (err error) { s.stall, err = count(v, maxTokens); return },
	"write":    func(s *script, v string) (err error) { s.write, err = count(v, maxSize); return },
	"packet":   func(s *script, v string) (err error) { s.packet, err = events(v); return },
	"text":     func(s *script, v string) (err error) { s.text, err = oneOf(v, texts); return },
	"lines":    func(s *script, v string) (err error) { s.lines, err = oneOf(v, lineEnds); return },
	"comments": func(s *script, v string) (err error) { s.comments, err = yes(v); return },
	"close":    func(s *script, v string) (err error) { s.close, err = yes(v); return },
	"trailers": func(s *script, v string) (err error) { s.trailers, err = yes(v); return },
	"hangup":   func(s *script, v string) (err error) { s.hangup, err = yes(v); return },
}

// parseScript reads the directives of a message, and ignores other text. An unknown or malformed
// directive is an error, since a test with another script than it asked for proves nothing.
func parseScript(message string) (script, error) {
	s := script{tokens: 20, itl: 50 * time.Millisecond, size: 16, faults: noFaults}
	for word := range strings.FieldsSeq(message) {
		key, value, ok := strings.Cut(word, "=")
		if !ok || !strings.HasPrefix(key, "@") {
			continue
		}
		set, ok := directives[key[1:]]
		if !ok {
			return s, fmt.Errorf("directive %s: unknown; known are %s", key, known())
		}
		if err := set(&s, value); err != nil {
			return s, fmt.Errorf("directive %s=%s: %w", key, value, err)
		}
	}
	return s, s.check()
}

func known() string {
	var names []string
	for n := range directives {
		names = append(names, "@"+n)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func count(v string, most int) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("want a whole number from 0 to %d", most)
	}
	return n, nil
}

func wait(v string) (time.Duration, error) {
	d, err := time.ParseDuration(v)
	if err != nil || d < 0 || d > maxWait {
		return 0, fmt.Errorf("want a duration from 0s to %v, such as 50ms", maxWait)
	}
	return d, nil
}

// A tally may be of one side of a comparison: go-http@base.
var tallyForm = regexp.MustCompile(`^[A-Za-z0-9_@-]{1,64}$`)

func tallyName(v string) (string, error) {
	if !tallyForm.MatchString(v) {
		return "", fmt.Errorf("want 1 to 64 letters, digits, -, _ or @")
	}
	return v, nil
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func name(v string) (string, error) {
	if !nameForm.MatchString(v) {
		return "", fmt.Errorf("want 1 to 64 letters, digits, - or _")
	}
	return v, nil
}
