package plain

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"fairstream/k6/common"
	"fairstream/k6/common/hist/subset"
	"fairstream/k6/common/http1"
)

// A shape is the requests of one level, as load() has it.
type shape struct {
	TimeoutMS float64           `json:"timeout_ms"`
	Requests  []request         `json:"requests"` // the ring of all targets
	Rings     map[string]places `json:"rings"`    // or one for each target, by name
}

// places are a ring. Each VU goes round, from a place of its own.
type places struct {
	Requests []request `json:"requests"`
	Order    []int     `json:"order"` // at each place the index of a request; by default each request has one place
}

// A request has the answer that a right server gives.
type request struct {
	Method  string            `json:"method"` // GET by default
	Path    string            `json:"path"`   // added to the target's URL
	Paths   map[string]string `json:"paths"`  // by target: a path other than Path
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Answer  wanted            `json:"answer"`
}

// wanted is an expected answer. Exactly one key says what is expected of the body.
type wanted struct {
	Status  int              `json:"status"` // 200 by default
	Headers map[string]oneOf `json:"headers"`

	Body    oneOf           `json:"body"`        // every byte
	Base64  *string         `json:"body_base64"` // every byte, if they are not text
	JSON    json.RawMessage `json:"json"`        // all that the value must have
	AnyBody bool            `json:"any_body"`    // it is not compared
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
	timeout time.Duration
	places  []*exchange
}

// An exchange is a prepared request, and its expected answer.
type exchange struct {
	request  []byte
	bodyless bool
	status   int
	headers  []declared
	exact    bool // every byte of the body is compared
	body     []byte
	lengths  []int         // allowed lengths of the body
	json     any           // or what the body's JSON value must have; nil: nothing
	answers  atomic.Uint64 // to this request; decides which bodies are parsed
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
	of := places{Requests: s.Requests}
	if s.Rings != nil {
		of = s.Rings[t.Name]
	}
	if len(of.Requests) == 0 {
		return nil, errors.New("no requests")
	}
	prepared := make([]*exchange, len(of.Requests))
	for i, q := range of.Requests {
		if prepared[i], err = q.prepare(t, userAgent); err != nil {
			return nil, fmt.Errorf("request %d: %w", i, err)
		}
	}
	if of.Order == nil {
		return &ring{timeout, prepared}, nil
	}
	r, placed := &ring{timeout: timeout}, make([]bool, len(prepared))
	for _, i := range of.Order {
		if i < 0 || i >= len(prepared) {
			return nil, fmt.Errorf("order: %d: there are %d requests", i, len(prepared))
		}
		r.places, placed[i] = append(r.places, prepared[i]), true
	}
	for i, ok := range placed {
		if !ok {
			return nil, fmt.Errorf("order: request %d has no place", i)
		}
	}
	return r, nil
}

var method = regexp.MustCompile(`^[A-Z]+$`)

func (q request) prepare(t common.Target, userAgent string) (*exchange, error) {
	if q.Method == "" {
		q.Method = "GET"
	}
	if !method.MatchString(q.Method) || q.Method == "CONNECT" {
		return nil, fmt.Errorf("method %q: want GET, POST, HEAD or the like", q.Method)
	}
	path, ok := q.Paths[t.Name]
	if !ok {
		path = q.Path
	}
	u, err := common.ParseURL(strings.TrimSuffix(t.URL, "/") + path)
	if err != nil {
		return nil, err
	}
	fields := []http1.Field{{Name: "User-Agent", Value: userAgent}}
	for _, name := range slices.Sorted(maps.Keys(q.Headers)) {
		f := http1.Field{Name: name, Value: q.Headers[name]}
		if err := f.Check(); err != nil {
			return nil, fmt.Errorf("headers: %w", err)
		}
		fields = append(fields, f)
	}
	e := &exchange{bodyless: q.Method == "HEAD", status: q.Answer.Status}
	e.request = http1.Request(q.Method, u, fields, q.Body)
	if e.status == 0 {
		e.status = 200
	}
	for _, name := range slices.Sorted(maps.Keys(q.Answer.Headers)) {
		e.headers = append(e.headers, declared{strings.ToLower(name), q.Answer.Headers[name]})
	}
	return e, e.expect(q.Answer)
}

// expect prepares what the body is compared with.
func (e *exchange) expect(a wanted) (err error) {
	given := 0
	for _, is := range []bool{a.Body != nil, a.Base64 != nil, a.JSON != nil, a.AnyBody} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return errors.New("answer: want one of body, body_base64, json and any_body")
	case e.bodyless && (a.Base64 != nil || a.JSON != nil || strings.Join(a.Body, "") != ""):
		return errors.New("answer: a body, but the answer to HEAD has none")
	case e.bodyless:
		e.exact, e.lengths = true, []int{0}
		return nil
	case given == 0:
		return errors.New("answer: no body; want the expected one")
	case a.AnyBody:
		return nil
	case a.JSON != nil:
		if e.json, err = subset.Decode(a.JSON); err == nil && e.json == nil {
			err = errors.New("null has nothing to compare")
		}
		if err != nil {
			err = fmt.Errorf("answer: json: %w", err)
		}
		return err
	case a.Base64 != nil:
		if e.body, err = base64.StdEncoding.DecodeString(*a.Base64); err != nil {
			return fmt.Errorf("answer: body_base64: %w", err)
		}
		e.exact, e.lengths = true, []int{len(e.body)}
		return nil
	}
	e.exact = true
	e.body, e.lengths, err = body(a.Body)
	return err
}

// body returns the longest allowed body. Every other one is a beginning of it, such as JSON without the last
// newline, so one comparison serves all.
func body(texts oneOf) (longest []byte, lengths []int, err error) {
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
