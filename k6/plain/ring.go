package plain

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"fairstream/k6/common"
	"fairstream/k6/common/http1"
)

// A shape is the requests of one level, as load() has it.
type shape struct {
	TimeoutMS float64   `json:"timeout_ms"`
	Requests  []request `json:"requests"` // a ring: each VU goes round, from a place of its own
}

// A request has the answer that a right server gives.
type request struct {
	Method  string            `json:"method"` // GET by default
	Path    string            `json:"path"`   // added to the target's URL
	Paths   map[string]string `json:"paths"`  // by target: a path other than Path
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Answer  struct {
		Status  int              `json:"status"` // 200 by default
		Headers map[string]oneOf `json:"headers"`
		Body    oneOf            `json:"body"` // every byte
	} `json:"answer"`
}

// oneOf lists allowed values of a header or body. In JSON one value may stand alone.
type oneOf []string

func (o *oneOf) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*o = oneOf{one}
		return nil
	}
	var list []string
	if err := json.Unmarshal(text, &list); err != nil || len(list) == 0 {
		return fmt.Errorf("%s: want a value, or a list of values", text)
	}
	*o = list
	return nil
}

// A ring is the prepared requests of a target on a level.
type ring struct {
	timeout   time.Duration
	exchanges []exchange
}

// An exchange is a prepared request, and its expected answer.
type exchange struct {
	request  []byte
	bodyless bool
	status   int
	headers  []declared
	body     []byte
	lengths  []int // allowed lengths of the body
}

// A declared header must have one of the values.
type declared struct {
	name   string // in lower case
	values oneOf
}

// Users reads the argument of load(): shapes by level.
func (p *protocol) Users(argument []byte, s common.Schedule, userAgent string) (func(int, *common.VU) common.User, error) {
	var shapes map[string]shape
	if err := common.Strict(argument, &shapes); err != nil {
		return nil, err
	}
	rings := map[common.Key]*ring{} // by level and target
	for level, target := range s.Levels {
		shape, ok := shapes[level]
		if !ok {
			return nil, fmt.Errorf("level %q: no shape; want its timeout_ms and requests", level)
		}
		r, err := shape.ring(target, userAgent)
		if err != nil {
			return nil, fmt.Errorf("level %q: target %s: %w", level, target.Name, err)
		}
		rings[common.Key{Level: level, Target: target.Name}] = r
	}
	return func(_ int, vu *common.VU) common.User {
		return &user{VU: vu, done: vu.Done, ledger: &p.ledger, rings: rings, next: vu.Number()}
	}, nil
}

// ring prepares the requests to a target.
func (s shape) ring(t common.Target, userAgent string) (*ring, error) {
	timeout, err := http1.Timeout(s.TimeoutMS)
	if err != nil {
		return nil, err
	}
	if len(s.Requests) == 0 {
		return nil, errors.New("no requests")
	}
	r := &ring{timeout: timeout}
	for i, q := range s.Requests {
		e, err := q.prepare(t, userAgent)
		if err != nil {
			return nil, fmt.Errorf("request %d: %w", i, err)
		}
		r.exchanges = append(r.exchanges, e)
	}
	return r, nil
}

var method = regexp.MustCompile(`^[A-Z]+$`)

func (q request) prepare(t common.Target, userAgent string) (e exchange, err error) {
	if q.Method == "" {
		q.Method = "GET"
	}
	if !method.MatchString(q.Method) || q.Method == "CONNECT" {
		return e, fmt.Errorf("method %q: want GET, POST, HEAD or the like", q.Method)
	}
	path, ok := q.Paths[t.Name]
	if !ok {
		path = q.Path
	}
	u, err := common.ParseURL(strings.TrimSuffix(t.URL, "/") + path)
	if err != nil {
		return e, err
	}
	fields := []http1.Field{{Name: "User-Agent", Value: userAgent}}
	for _, name := range slices.Sorted(maps.Keys(q.Headers)) {
		f := http1.Field{Name: name, Value: q.Headers[name]}
		if err := f.Check(); err != nil {
			return e, fmt.Errorf("headers: %w", err)
		}
		fields = append(fields, f)
	}
	e = exchange{bodyless: q.Method == "HEAD", status: q.Answer.Status}
	e.request = http1.Request(q.Method, u, fields, q.Body)
	if e.status == 0 {
		e.status = 200
	}
	for _, name := range slices.Sorted(maps.Keys(q.Answer.Headers)) {
		e.headers = append(e.headers, declared{strings.ToLower(name), q.Answer.Headers[name]})
	}
	e.body, e.lengths, err = body(q.Answer.Body, e.bodyless)
	return e, err
}

// body returns the longest allowed body. Every other one is a beginning of it, such as JSON without the last
// newline, so one comparison serves all.
func body(texts oneOf, bodyless bool) (longest []byte, lengths []int, err error) {
	if bodyless {
		if strings.Join(texts, "") != "" {
			return nil, nil, errors.New("answer: a body, but the answer to HEAD has none")
		}
		return nil, []int{0}, nil
	}
	if len(texts) == 0 {
		return nil, nil, errors.New("answer: no body; want the expected one")
	}
	for _, text := range texts {
		if len(text) > len(longest) {
			longest = []byte(text)
		}
		lengths = append(lengths, len(text))
	}
	for _, text := range texts {
		if !strings.HasPrefix(string(longest), text) {
			return nil, nil, fmt.Errorf("answer: body %q is not a beginning of %q; want one body, or beginnings of one", quote([]byte(text)), quote(longest))
		}
	}
	return longest, lengths, nil
}
