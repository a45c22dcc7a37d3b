package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"log"
	"net/http"
	"sync"
	"time"
)

func collect(o out, _ *http.Request, body io.Reader) error {
	all, err := io.ReadAll(body)
	return errors.Join(o.send(all), err)
}

// again sends the upstream's first event for ever.
func again(o out, _ *http.Request, body io.Reader) error {
	return pump(body, func(b []byte) error {
		for {
			if err := o.send(b); err != nil {
				return err
			}
		}
	})
}

// drip sends a byte now and then.
func drip(o out, _ *http.Request, body io.Reader) error {
	return pump(body, func(b []byte) error {
		for i := range b {
			if err := o.send(b[i : i+1]); err != nil {
				return err
			}
			time.Sleep(50 * time.Millisecond)
		}
		return nil
	})
}

func fill4k(o out, _ *http.Request, body io.Reader) error {
	w := bufio.NewWriterSize(o, 4<<10)
	err := pump(body, func(b []byte) error { _, err := w.Write(b); return err })
	return errors.Join(w.Flush(), err)
}

func coalesce(o out, _ *http.Request, body io.Reader) error {
	var mu sync.Mutex
	var held []byte
	flush := func() (err error) {
		mu.Lock()
		defer mu.Unlock()
		if len(held) > 0 {
			err = o.send(held)
		}
		held = held[:0]
		return err
	}
	err := pump(body, func(b []byte) error {
		mu.Lock()
		defer mu.Unlock()
		if len(held) == 0 {
			time.AfterFunc(25*time.Millisecond, func() { flush() }) // a look on a busy machine comes late
		}
		held = append(held, b...)
		return nil
	})
	return errors.Join(flush(), err)
}

func compress(o out, r *http.Request, body io.Reader) error {
	if r.Header.Get("Accept-Encoding") == "" {
		return relay(o, r, body)
	}
	z := gzip.NewWriter(o)
	defer z.Close()
	return pump(body, func(b []byte) error { _, err := z.Write(b); return err })
}

func parse(o out, _ *http.Request, body io.Reader) error {
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		if bytes.HasPrefix(lines.Bytes(), []byte("data:")) {
			if err := o.send(append(lines.Bytes(), "\n\n"...)); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

func closeEach(o out, _ *http.Request, body io.Reader) error {
	return pump(body, func(b []byte) error { return o.send(append(bytes.TrimRight(b, "\n"), "\n\n"...)) })
}

func decode(o out, _ *http.Request, body io.Reader) error {
	return pump(body, func(b []byte) error { return o.send(bytes.ToValidUTF8(b, []byte("\ufffd"))) })
}

func untilDone(o out, _ *http.Request, body io.Reader) error {
	done := false
	return pump(body, func(b []byte) error {
		if done {
			return nil
		}
		done = bytes.Contains(b, []byte("[DONE]"))
		return o.send(b)
	})
}

func dropSeventh(o out, _ *http.Request, body io.Reader) error {
	for lines, content := bufio.NewReader(body), 0; ; {
		line, err := lines.ReadBytes('\n')
		token := bytes.Contains(line, []byte(`"delta":{"content":`))
		if token {
			content++
		}
		if content%7 > 0 || content == 0 || len(line) > 2 && !token {
			if e := o.send(line); e != nil {
				return e
			}
		}
		if err != nil {
			return unlessEOF(err)
		}
	}
}

// doubleSixth sends what holds the sixth token twice.
func doubleSixth(o out, _ *http.Request, body io.Reader) error {
	return pump(body, func(b []byte) error {
		if bytes.Contains(b, []byte(`"content":"5:`)) {
			b = append(b, b...)
		}
		return o.send(b)
	})
}

func alwaysDone(o out, _ *http.Request, body io.Reader) error {
	var all []byte
	pump(body, func(b []byte) error { all = append(all, b...); return o.send(b) })
	if bytes.Contains(all, []byte("data: [DONE]")) {
		return nil
	}
	return o.send([]byte("data: [DONE]\n\n"))
}

func queue(o out, _ *http.Request, body io.Reader) (err error) {
	var mu sync.Mutex
	var held []byte
	more := make(chan bool, 1)
	go func() {
		defer close(more)
		err = pump(body, func(b []byte) error {
			mu.Lock()
			held = append(held, b...)
			mu.Unlock()
			select {
			case more <- true:
			default:
			}
			return nil
		})
	}()
	for range more {
		mu.Lock()
		b := held
		held = nil
		mu.Unlock()
		if e := o.send(b); e != nil {
			return e
		}
	}
	return err
}

var kept [][]byte

func keep(o out, r *http.Request, body io.Reader) error {
	kept = append(kept, bytes.Repeat([]byte("."), 100<<10))
	return relay(o, r, body)
}

func logEach(o out, _ *http.Request, body io.Reader) error {
	return pump(body, func(b []byte) error { log.Printf("%s", b); return o.send(b) })
}

func readOn(o out, _ *http.Request, body io.Reader) error {
	return pump(body, func(b []byte) error { o.send(b); return nil })
}

func never(_ out, r *http.Request, _ io.Reader) error {
	<-r.Context().Done()
	return r.Context().Err()
}

func waitAfter(o out, r *http.Request, body io.Reader) error {
	err := relay(o, r, body)
	if err != nil {
		<-r.Context().Done()
	}
	return err
}
