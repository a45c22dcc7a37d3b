package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"time"

	"fairstream/k6/shared/hist"
)

// ofControl starts this program again in the place of k6.
func ofControl(c config, to *url.URL, body string) (report, error) {
	self, err := os.Executable()
	if err != nil {
		return report{}, err
	}
	child := exec.Command(self, "-child", to.String(), "-body", body, "-vus", strconv.Itoa(c.vus), "-tokens", strconv.Itoa(c.tokens),
		"-itl", c.itl.String(), "-rounds", strconv.Itoa(c.rounds), "-each", c.each.String())
	child.Stderr = os.Stderr
	data, err := child.Output()
	if err != nil {
		return report{}, fmt.Errorf("control: %w", err)
	}
	return parse(data)
}

// control does with sockets what stream.js does, and reports it as k6 does.
func control(c config, target, body string, out io.Writer) error {
	to, err := url.Parse(target)
	if err != nil {
		return err
	}
	begin := time.Now().Add(time.Second).Truncate(time.Millisecond)
	stop := make(chan struct{})
	time.AfterFunc(time.Until(begin)+time.Duration(c.rounds)*c.each, func() { close(stop) })
	streams, err := ofSockets(c, to, body, stop)
	if err != nil {
		return err
	}
	var r report
	for round := range c.rounds {
		r.Begins = append(r.Begins, begin.Add(time.Duration(round)*c.each).UnixMilli())
	}
	for round, streams := range byRound(streams, r.Begins, c.each) {
		var ttft, itl, tokenDelay hist.Histogram
		for _, s := range streams {
			ttft.Add(us(s.ttft))
			for _, g := range s.itls {
				itl.Add(us(g))
			}
			for _, t := range s.tokenDelays {
				tokenDelay.Add(us(t))
			}
		}
		r.Series = append(r.Series, hist.Series{
			Slice: strconv.Itoa(round + 1), Started: int64(len(streams)), OK: int64(len(streams)),
			TTFT: ttft.Snapshot(), Itl: itl.Snapshot(), TokenDelay: tokenDelay.Snapshot(),
		})
	}
	return json.NewEncoder(out).Encode(r)
}

func us(d time.Duration) int64 { return d.Round(time.Microsecond).Microseconds() }
