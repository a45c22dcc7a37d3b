package sse

import (
	"errors"
	"fmt"
	"time"

	"fairstream/k6/common"
	"fairstream/k6/common/http1"
	"fairstream/k6/shared/strict"
)

// A shape is the streams of one level, as load() has it.
type shape struct {
	Tokens    *int              `json:"tokens"` // expected tokens; nil: any number
	TimeoutMS float64           `json:"timeout_ms"`
	Bodies    map[string]string `json:"bodies"` // of requests, by target
}

// A request is the prepared request of a target on a level.
type request struct {
	bytes   []byte
	want    int // expected tokens; -1: any number
	timeout time.Duration
}

// Users reads the argument of load(): shapes by level.
func (p *protocol) Users(argument []byte, s common.Schedule, userAgent string) (func(int, *common.VU) common.User, error) {
	var shapes map[string]shape
	if err := strict.Decode(argument, &shapes); err != nil {
		return nil, err
	}
	if s.Open() {
		return nil, errors.New("a slice has rate_per_s, which streams do not have")
	}
	requests := map[common.Key]*request{} // by level and target
	for level, target := range s.Levels {
		shape, ok := shapes[level]
		if !ok {
			return nil, fmt.Errorf("level %q: no shape; want its timeout_ms and bodies", level)
		}
		r, err := shape.request(target, userAgent)
		if err != nil {
			return nil, fmt.Errorf("level %q: target %s: %w", level, target.Name, err)
		}
		requests[common.Key{Level: level, Target: target.Name}] = r
	}
	return func(_ int, vu *common.VU) common.User {
		return &user{VU: vu, done: vu.Done, ledger: &p.ledger, requests: requests}
	}, nil
}

// request prepares the request to a target.
func (s shape) request(t common.Target, userAgent string) (*request, error) {
	timeout, err := http1.Timeout(s.TimeoutMS)
	if err != nil {
		return nil, err
	}
	body, ok := s.Bodies[t.Name]
	if !ok {
		return nil, errors.New("no body in bodies")
	}
	r := &request{want: -1, timeout: timeout}
	if s.Tokens != nil {
		if r.want = *s.Tokens; r.want < 0 {
			return nil, fmt.Errorf("tokens: %d: want a whole number from 0", r.want)
		}
	}
	u, err := common.ParseURL(t.URL)
	if err != nil {
		return nil, err
	}
	r.bytes = http1.Request("POST", u, []http1.Field{
		{Name: "Content-Type", Value: "application/json"}, {Name: "Accept", Value: "text/event-stream"}, {Name: "User-Agent", Value: userAgent},
	}, body)
	return r, nil
}
