package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	"fairstream/k6/rig"
	"fairstream/k6/shared/hist"
)

// ofK6 runs k6 with a number of VUs.
func ofK6(c config, to *url.URL, body, summary string) (report, error) {
	k6 := rig.K6(c.k6, c.script, []string{
		"TARGET_URL=" + to.String(), "BODY=" + body, "SUMMARY=" + summary,
		"TOKENS=" + strconv.Itoa(c.tokens), "VUS=" + strconv.Itoa(c.vus), "ROUNDS=" + strconv.Itoa(c.rounds),
		fmt.Sprintf("EACH_MS=%d", c.each.Milliseconds()), fmt.Sprintf("PAUSE_MS=%d", c.itl.Milliseconds()),
	})
	if err := k6.Run(); err != nil {
		return report{}, fmt.Errorf("k6: %w", err)
	}
	data, err := os.ReadFile(summary)
	if err != nil {
		return report{}, err
	}
	return parse(data)
}

// A report is the result of another client: the begin of each round in Unix ms, and the counted
// series. The slice of a series is its round, from 1. Slice 0 does not count.
type report struct {
	Begins []int64 `json:"begins"`
	hist.Report
}

func parse(data []byte) (report, error) {
	var r report
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("report: %w", err)
	}
	for _, s := range r.Series {
		if s.OK != s.Started {
			return r, fmt.Errorf("slice %q: %d of %d streams were whole: %v", s.Slice, s.OK, s.Started, s.Reasons)
		}
	}
	return r, nil
}

// round returns the series of a round, from 0.
func (r report) round(n int) hist.Series {
	for _, s := range r.Series {
		if s.Slice == strconv.Itoa(n+1) {
			return s
		}
	}
	return hist.Series{}
}

// ofSockets opens streams on this many sockets until stop is closed.
func ofSockets(c config, to *url.URL, body string, stop <-chan struct{}) (streams []stream, err error) {
	address, err := netip.ParseAddrPort(to.Host)
	if err != nil {
		return nil, err
	}
	request := fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		to.Path, to.Host, len(body), body)
	runtime.GOMAXPROCS(runtime.NumCPU() + c.vus) // a waiting socket keeps a processor
	var mu sync.Mutex
	var all sync.WaitGroup
	for range c.vus {
		all.Go(func() {
			own, failure := ask(c, address, request, stop)
			mu.Lock()
			defer mu.Unlock()
			streams = append(streams, own...)
			if failure != nil {
				err = failure
			}
		})
	}
	all.Wait()
	return streams, err
}

// ask opens streams on one socket, one after the other.
func ask(c config, to netip.AddrPort, request []byte, stop <-chan struct{}) (streams []stream, err error) {
	s, err := dial(to)
	if err != nil {
		return nil, err
	}
	defer s.close()
	var r received
	for {
		if err := s.ask(request, &r); err != nil {
			return streams, fmt.Errorf("raw socket: stream %d: %w", len(streams), err)
		}
		measured, err := r.read(c.tokens)
		if err != nil {
			return streams, fmt.Errorf("raw socket: stream %d: %w", len(streams), err)
		}
		streams = append(streams, measured)
		select {
		case <-stop:
			return streams, nil
		case <-time.After(time.Duration(rand.Float64() * float64(c.itl))):
		}
	}
}
