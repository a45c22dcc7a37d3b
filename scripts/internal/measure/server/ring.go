package server

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"fairstream/k6/shared/request"
)

// A Traffic is what one server is sent, and what direct answers in its place.
type Traffic struct {
	Exchanges []Exchange
	Weights   []int      // of the exchanges' requests, by Exchange.Of
	Recorded  []Recorded // one right answer to each exchange
}

// TrafficOf is the load of a declaration, without recorded answers.
func TrafficOf(d Declaration) Traffic {
	l := Traffic{Exchanges: d.Exchanges()}
	for _, r := range d.Requests {
		l.Weights = append(l.Weights, r.Weight)
	}
	return l
}

// Order is a ring: the index of an exchange for each place. A request has places by its weight, and each of its
// exchanges has at least one. The places are mixed at random, since requests in turn would put the same load
// after the same other. The same seed gives the same order.
func (l Traffic) Order(seed uint64) (order []int) {
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
func (l Traffic) byRequest() (of map[int][]int, times int) {
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
func (l Traffic) places() (n int) {
	of, times := l.byRequest()
	for request := range of {
		n += times * l.Weights[request]
	}
	return n
}

// ToServer is the ring that a server gets.
func (l Traffic) ToServer(seed uint64) request.Ring {
	ring := request.Ring{Order: l.Order(seed)}
	for i, e := range l.Exchanges {
		if e.SHA256 != "" { // the recorded body has this hash
			setBody(&e.Answer, l.Recorded[i].Body)
		}
		ring.Requests = append(ring.Requests, e.Request)
	}
	return ring
}

var framing = []string{"content-length", "transfer-encoding", "connection"}

// ToDirect is the ring that direct gets: the same requests at the stub's paths from a number on, with the
// recorded answers. The answers in the same order are for the stub. The requests have no names there, since several
// servers may have a thousand each.
func ToDirect(loads []Traffic, seed uint64) (ring request.Ring, answers []request.Answer) {
	for _, l := range loads {
		first := len(ring.Requests)
		for i, e := range l.Exchanges {
			a := request.Answer{Status: e.Answer.Status, Headers: map[string]request.OneOf{}}
			for name := range e.Answer.Headers {
				if slices.Contains(framing, strings.ToLower(name)) {
					continue // the stub sets them
				}
				a.Headers[name] = request.OneOf{l.Recorded[i].Headers[strings.ToLower(name)]}
			}
			if e.Method == "HEAD" {
				a.AnyBody = true
			} else {
				setBody(&a, l.Recorded[i].Body)
			}
			e.Name, e.Path, e.Answer = "", fmt.Sprintf("/answers/%d", len(ring.Requests)), a
			ring.Requests, answers = append(ring.Requests, e.Request), append(answers, a)
		}
		for _, place := range l.Order(seed) {
			ring.Order = append(ring.Order, first+place)
		}
	}
	return ring, answers
}

// setBody makes every byte of a body the expected one.
func setBody(a *request.Answer, body []byte) {
	if utf8.Valid(body) {
		a.Body = request.OneOf{string(body)}
		return
	}
	text := base64.StdEncoding.EncodeToString(body)
	a.Base64 = &text
}
