package plain

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"fairstream/k6/common"
	"fairstream/k6/common/http1"
	"fairstream/k6/shared/request"
	"fairstream/k6/shared/strict"
	"fairstream/k6/shared/subset"
)

// A shape is the requests of one level, as load() has it. In a ring each VU goes round, from a place of its own.
type shape struct {
	TimeoutMS float64                 `json:"timeout_ms"`
	Requests  []request.Request       `json:"requests"` // the ring of all targets
	Rings     map[string]request.Ring `json:"rings"`    // or one for each target, by name
}

// A ring is the prepared requests of a target on a level.
type ring struct {
	timeout time.Duration
	places  []*exchange
	once    bool         // all VUs share next
	next    atomic.Int64 // place
	fan     fan
	named   map[string]*named // by name
}

// An exchange is a prepared request, and its expected answer.
type exchange struct {
	named    *named // counts the requests of its name; nil without a name
	request  []byte
	bodyless bool
	status   int
	headers  []declared
	exact    bool // every byte of the body is compared
	body     []byte
	lengths  []int           // allowed lengths of the body
	json     any             // or what the body's JSON value must have; nil: nothing
	stream   *request.Stream // or which events come; nil: no stream
	answers  atomic.Uint64   // to this request; decides which bodies are parsed
}

// A declared header must have one of the values.
type declared struct {
	name   string // in lower case
	values request.OneOf
}

// Users reads the argument of load(): shapes by level.
func (p *protocol) Users(argument []byte, s common.Schedule, userAgent string) (func(int, *common.VU) common.User, error) {
	var shapes map[string]shape
	if err := strict.Decode(argument, &shapes); err != nil {
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
	if !s.Segment.Whole() {
		for k, r := range rings {
			fans := func(e *exchange) bool { return e.stream != nil && (e.stream.Follows || e.stream.Followers > 0) }
			if slices.ContainsFunc(r.places, fans) {
				return nil, fmt.Errorf("level %q: followers of a stream: want one instance, since they meet within it", k.Level)
			}
		}
	}
	p.rings.Store(&rings)
	return func(_ int, vu *common.VU) common.User {
		return &user{VU: vu, done: vu.Done, among: vu.Among, ledger: &p.ledger, rings: rings, next: vu.Number()}
	}, nil
}

// place is the exchange at the VU's place, which goes on by one.
func (r *ring) place(next *int, among func(int64) int64) *exchange {
	at := *next
	if r.once {
		at = int(among(r.next.Add(1) - 1))
	} else {
		*next++
	}
	return r.places[at%len(r.places)]
}

// ring prepares the requests to a target.
func (s shape) ring(t common.Target, userAgent string) (*ring, error) {
	timeout, err := http1.Timeout(s.TimeoutMS)
	if err != nil {
		return nil, err
	}
	of := request.Ring{Requests: s.Requests}
	if s.Rings != nil {
		of = s.Rings[t.Name]
	}
	if len(of.Requests) == 0 {
		return nil, errors.New("no requests")
	}
	r, prepared := &ring{timeout: timeout, once: of.Once, named: map[string]*named{}}, make([]*exchange, len(of.Requests))
	for i, q := range of.Requests {
		if prepared[i], err = prepare(q, t, userAgent); err != nil {
			return nil, fmt.Errorf("request %d: %w", i, err)
		}
		prepared[i].named = r.nameOf(q)
	}
	if len(r.named) > request.MostNames {
		return nil, fmt.Errorf("%d names of requests; want at most %d, since each has a histogram", len(r.named), request.MostNames)
	}
	if of.Order == nil {
		r.places = prepared
		return r, nil
	}
	placed := make([]bool, len(prepared))
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

func prepare(q request.Request, t common.Target, userAgent string) (*exchange, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	if q.Method == "" {
		q.Method = "GET"
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
		fields = append(fields, http1.Field{Name: name, Value: q.Headers[name]})
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
func (e *exchange) expect(a request.Answer) (err error) {
	switch {
	case e.bodyless:
		e.exact, e.lengths = true, []int{0}
		return nil
	case a.AnyBody:
		return nil
	case a.Stream != nil:
		e.stream = a.Stream
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
func body(texts request.OneOf) (longest []byte, lengths []int, err error) {
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
