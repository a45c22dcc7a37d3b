package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	costTokens = 20             // of a stream
	costEvents = costTokens + 3 // with the role, the finish and [DONE]
)

// period is the time from one stream of a connection to the next.
func (p pace) period() time.Duration { return (costTokens + 2) * p.itl }

// request is the request for a stream.
func request(itl time.Duration) string {
	body := fmt.Sprintf(`{"model":"fake","stream":true,"messages":[{"role":"user","content":"hello @tokens=%d @itl=%v"}]}`, costTokens, itl)
	return fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: stub\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// A drainer is the client: connections that ask for streams and read them.
type drainer struct {
	events atomic.Int64
	stop   atomic.Bool
	all    sync.WaitGroup
	mu     sync.Mutex
	err    error
}

// drain opens the connections. Each asks for a stream at a random moment of the first period, and
// then once in every period. The moments depend on starts alone.
func drain(addr string, p pace, starts uint64) (*drainer, error) {
	d := &drainer{}
	rng := rand.New(rand.NewPCG(starts, 0))
	var conns []net.Conn
	for range p.streams {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			return nil, err
		}
		conns = append(conns, c)
	}
	now := time.Now()
	for _, c := range conns {
		at := now.Add(time.Duration(rng.Int64N(int64(p.period()))))
		d.all.Go(func() {
			defer c.Close()
			if err := d.ask(c, p, at); err != nil {
				d.mu.Lock()
				d.err = errors.Join(d.err, err)
				d.mu.Unlock()
			}
		})
	}
	return d, nil
}

// end waits for the streams that are open. It returns what went wrong.
func (d *drainer) end() error {
	d.stop.Store(true)
	d.all.Wait()
	return d.err
}

func (d *drainer) ask(c net.Conn, p pace, at time.Time) error {
	buffer := make([]byte, 16<<10)
	text := request(p.itl)
	for ; !d.stop.Load(); at = at.Add(p.period()) {
		time.Sleep(time.Until(at))
		if _, err := io.WriteString(c, text); err != nil {
			return err
		}
		events := 0
		for last := []byte(nil); !bytes.HasSuffix(last, []byte("0\r\n\r\n")); {
			n, err := c.Read(buffer)
			if err != nil {
				return fmt.Errorf("after %d events: %w", events, err)
			}
			last = buffer[:n]
			came := bytes.Count(last, []byte("\n\n"))
			events += came
			d.events.Add(int64(came))
		}
		if events != costEvents {
			return fmt.Errorf("%d events in a stream, want %d", events, costEvents)
		}
	}
	return nil
}
