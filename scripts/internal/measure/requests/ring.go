package requests

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Load is what one server is sent, and what direct answers in its place.
type Load struct {
	Exchanges []Exchange
	Weights   []int      // of the exchanges' requests, by Exchange.Of
	Recorded  []Recorded // one right answer to each exchange
}

// LoadOf is the load of a declaration, without recorded answers.
func LoadOf(d Declaration) Load {
	l := Load{Exchanges: d.Exchanges()}
	for _, r := range d.Requests {
		l.Weights = append(l.Weights, r.Weight)
	}
	return l
}

// Without is the load without some requests, by Exchange.Of.
func (l Load) Without(requests []int) Load {
	kept := Load{Weights: l.Weights}
	for i, e := range l.Exchanges {
		if slices.Contains(requests, e.Of) {
			continue
		}
		kept.Exchanges = append(kept.Exchanges, e)
		if l.Recorded != nil {
			kept.Recorded = append(kept.Recorded, l.Recorded[i])
		}
	}
	return kept
}

// Order is a ring: the index of an exchange for each place. A request has places by its weight, and each of its
// exchanges has at least one. The places are mixed at random, since requests in turn would put the same load
// after the same other. The same seed gives the same order.
func (l Load) Order(seed uint64) (order []int) {
	of, times := l.byRequest()
	for _, request := range slices.Sorted(maps.Keys(of)) {
		for n := range times * l.Weights[request] {
			order = append(order, of[request][n%len(of[request])])
		}
	}
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// byRequest lists the exchanges of each request, and how many times the weight of a request its places are.
func (l Load) byRequest() (of map[int][]int, times int) {
	of, times = map[int][]int{}, 1
	for i, e := range l.Exchanges {
		of[e.Of] = append(of[e.Of], i)
	}
	for request, exchanges := range of {
		times = max(times, (len(exchanges)+l.Weights[request]-1)/l.Weights[request])
	}
	return of, times
}

// mostPlaces limits a ring, which k6 keeps in memory for each target.
const mostPlaces = 100_000

// places is the length of the ring.
func (l Load) places() (n int) {
	of, times := l.byRequest()
	for request := range of {
		n += times * l.Weights[request]
	}
	return n
}

// K6 is a ring in the form of k6/x/plain.
type K6 struct {
	Requests []k6Request `json:"requests"`
	Order    []int       `json:"order"`
}

type k6Request struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
	Answer  k6Answer          `json:"answer"`
}

type k6Answer struct {
	Status  int              `json:"status"`
	Headers map[string]OneOf `json:"headers,omitempty"`
	Body    *string          `json:"body,omitempty"`
	Base64  string           `json:"body_base64,omitempty"`
	JSON    any              `json:"json,omitempty"`
	AnyBody bool             `json:"any_body,omitempty"`
}

// ToServer is the ring that a server gets.
func (l Load) ToServer(seed uint64) K6 {
	k := K6{Order: l.Order(seed)}
	for i, e := range l.Exchanges {
		a := k6Answer{Status: e.Answer.Status, Headers: e.Answer.Headers}
		switch {
		case e.Answer.Text != nil:
			a.Body = e.Answer.Text
		case e.Answer.SHA256 != "": // the recorded body has this hash
			a.setBody(l.Recorded[i].Body)
		case e.Answer.JSON != nil:
			a.JSON = e.Answer.JSON
		default:
			a.AnyBody = true
		}
		k.Requests = append(k.Requests, k6Request{e.Method, e.Path, e.Headers, e.Body, a})
	}
	return k
}

var framing = []string{"content-length", "transfer-encoding", "connection"}

// ToDirect is the ring that direct gets: the same requests at the stub's paths from a number on, with the
// recorded answers. The answers in the same order are for the stub.
func ToDirect(loads []Load, seed uint64) (k K6, answers []k6Answer) {
	for _, l := range loads {
		first := len(k.Requests)
		for i, e := range l.Exchanges {
			a := k6Answer{Status: e.Answer.Status, Headers: map[string]OneOf{}}
			for name := range e.Answer.Headers {
				if slices.Contains(framing, strings.ToLower(name)) {
					continue // the stub sets them
				}
				a.Headers[name] = OneOf{l.Recorded[i].Headers[strings.ToLower(name)]}
			}
			a.setBody(l.Recorded[i].Body)
			if e.Method == "HEAD" {
				a.Body, a.Base64, a.AnyBody = nil, "", true
			}
			k.Requests = append(k.Requests, k6Request{e.Method, fmt.Sprintf("/answers/%d", len(k.Requests)), e.Headers, e.Body, a})
			answers = append(answers, a)
		}
		for _, place := range l.Order(seed) {
			k.Order = append(k.Order, first+place)
		}
	}
	return k, answers
}

func (a *k6Answer) setBody(body []byte) {
	text := string(body)
	if utf8.Valid(body) {
		a.Body = &text
	} else {
		a.Base64 = base64.StdEncoding.EncodeToString(body)
	}
}
