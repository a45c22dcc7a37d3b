package main

import (
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fairstream/k6/rig"
	"fairstream/k6/shared/hist"
)

// A row is one measure of both clients: medians over all rounds in us, and the ratio of k6/x/sse to
// raw sockets.
type row struct {
	name                   string
	k6, raw                float64
	ratio, least, greatest float64 // geometric mean, with its range over rounds
	ofK6, ofRaw            int     // number of values
}

// measures lists the compared measures, and where each client has them.
var measures = []struct {
	name string
	k6   func(hist.Series) hist.Counts
	raw  func(stream) []time.Duration
}{
	{"TTFT", func(s hist.Series) hist.Counts { return s.TTFT }, func(s stream) []time.Duration { return []time.Duration{s.ttft} }},
	{"itl", func(s hist.Series) hist.Counts { return s.Itl }, func(s stream) []time.Duration { return s.itls }},
	{"token_delay", func(s hist.Series) hist.Counts { return s.TokenDelay }, func(s stream) []time.Duration { return s.tokenDelays }},
}

func compare(c config) ([]row, error) {
	dir, err := os.MkdirTemp("", "agree")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // else the system removes it some day
	stub, base, err := rig.Stub(c.stub)
	if err != nil {
		return nil, err
	}
	defer rig.End(stub)
	target, body := base+"/chat/completions", rig.Body(c.message())
	if c.server != "" {
		server, chat, err := rig.Server(c.server, base)
		if err != nil {
			return nil, err
		}
		defer rig.End(server)
		target, body = chat, fmt.Sprintf(`{"message":%q}`, c.message())
	}
	to, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	if c.hold > 0 {
		if to.Host, err = relay(to.Host, c.hold); err != nil {
			return nil, err
		}
	}

	stop := make(chan struct{})
	var streams []stream
	var failure error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		streams, failure = ofSockets(c, to, body, stop)
	}()
	var other report
	if c.control {
		other, err = ofControl(c, to, body)
	} else {
		other, err = ofK6(c, to, body, filepath.Join(dir, "summary.json"))
	}
	close(stop)
	<-ended
	if err != nil {
		return nil, err
	}
	if failure != nil {
		return nil, failure
	}
	return rows(c.rounds, other, byRound(streams, other.Begins, c.each))
}

// byRound sorts streams by the round in which they began. Streams between rounds are in none.
func byRound(streams []stream, begins []int64, each time.Duration) map[int][]stream {
	rounds := map[int][]stream{}
	for _, s := range streams {
		for round, begin := range begins {
			if since := s.started.Sub(time.UnixMilli(begin)); since >= 0 && since < each {
				rounds[round] = append(rounds[round], s)
			}
		}
	}
	return rounds
}

func rows(n int, other report, rounds map[int][]stream) (rows []row, err error) {
	for _, m := range measures {
		var ratios []float64
		var k6 hist.Counts
		var raw []time.Duration
		for round := range n {
			own := m.k6(other.round(round))
			var sockets []time.Duration
			for _, s := range rounds[round] {
				sockets = append(sockets, m.raw(s)...)
			}
			if own.Count == 0 || len(sockets) == 0 {
				return nil, fmt.Errorf("round %d: %s: %d values of k6/x/sse, %d of the raw client; want some of both", round, m.name, own.Count, len(sockets))
			}
			ratios = append(ratios, own.QuantileUS(0.5)/medianUS(sockets))
			k6.Merge(own)
			raw = append(raw, sockets...)
		}
		sum := 0.0
		for _, r := range ratios {
			sum += math.Log(r)
		}
		rows = append(rows, row{
			name: m.name, k6: k6.QuantileUS(0.5), raw: medianUS(raw), ofK6: int(k6.Count), ofRaw: len(raw),
			ratio: math.Exp(sum / float64(n)), least: slices.Min(ratios), greatest: slices.Max(ratios),
		})
	}
	return rows, nil
}

// medianUS takes the nearest rank, as package hist does.
func medianUS(v []time.Duration) float64 {
	slices.Sort(v)
	return float64(v[(len(v)-1)/2]) / 1000
}
