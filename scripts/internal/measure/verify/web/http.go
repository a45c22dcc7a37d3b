package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"fairstream/scripts/internal/measure/verify"
)

// A task is a request and what its answer must be.
type task struct {
	request
	check func(*verify.Answer) error
}

// random is a task of some kind. Its values are plain, so that a check of connections fails for nothing else.
func random() task {
	if rand.IntN(2) == 0 {
		return jsonTask()
	}
	return textTask()
}

func jsonTask() task {
	q := post(write(object(2)))
	return task{q, q.returns}
}

func textTask() task {
	q, want := greeting()
	return task{q, func(a *verify.Answer) error { return q.text(a, want) }}
}

// do sends a task on a connection and checks its answer.
func (t task) do(c *verify.Client) error {
	a, err := t.on(c)
	if err != nil {
		return err
	}
	return t.check(a)
}

// anew does a task on a new connection.
func anew(s *verify.Subject, t task) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	return t.do(c)
}

func keepAlive(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	for n := range s.Share(200) {
		if err := random().do(c); err != nil {
			return fmt.Errorf("request %d on one connection: %w", n+1, err)
		}
	}
	return nil
}

// pipelined sends ten requests in one write. A server may close its connection between answers, which leaves the
// rest to the client, as HTTP allows. With all it must not.
func pipelined(all bool) func(context.Context, *verify.Subject) error {
	return func(_ context.Context, s *verify.Subject) error {
		for range 3 {
			if err := tenAtOnce(s, all); err != nil {
				return err
			}
		}
		return nil
	}
}

func tenAtOnce(s *verify.Subject, all bool) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	tasks := []task{textTask()}
	for len(tasks) < 10 {
		tasks = append(tasks, random())
	}
	var wire strings.Builder
	for _, t := range tasks {
		wire.WriteString(t.wire())
	}
	if _, err := io.WriteString(c, wire.String()); err != nil {
		return verify.Readable(err)
	}
	for n, t := range tasks {
		a, err := t.answer(c)
		if err == nil {
			err = t.check(a)
		}
		if a == nil && errors.Is(err, verify.ErrClosed) && !all {
			_, err = closed(c) // a part of an answer may have come
			return err
		}
		if err != nil {
			return fmt.Errorf("answer %d of 10 requests that were sent at once: %w", n+1, err)
		}
	}
	return nil
}

func head(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	q := request{"HEAD", "/", "", ""}
	if _, err := io.WriteString(c, q.wire()); err != nil {
		return verify.Readable(err)
	}
	a, err := c.Head()
	if err != nil {
		return err
	}
	if a.Status != 200 {
		return fmt.Errorf("%s: status %d; want 200", q, a.Status)
	}
	err = random().do(c)
	if errors.Is(err, verify.ErrClosed) {
		_, err = closed(c) // bytes may have come before the end
	}
	if err != nil {
		return fmt.Errorf("after %s: %w", q, err)
	}
	return nil
}

func notFound(_ context.Context, s *verify.Subject) error {
	for _, path := range []string{"/" + word(), "/" + word() + "/" + word(), "/hi", "/id/1/" + word(), "/data.json", "/json/" + word(), "/index.html"} {
		if err := get(path).among(s, 404); err != nil {
			return err
		}
	}
	return nil
}

func wrongMethod(_ context.Context, s *verify.Subject) error {
	body := write(object(1))
	for _, q := range []request{
		{"POST", "/", "", ""}, {"POST", "/data", "Content-Type: application/json\r\n", body}, {"PUT", "/json", "Content-Type: application/json\r\n", body}, get("/json"),
		{"DELETE", "/id/" + word(), "", ""}, {"PATCH", "/data", "", ""}, {"DELETE", "/", "", ""},
	} {
		if err := q.among(s, 404, 405); err != nil {
			return err
		}
	}
	return nil
}

// among sends a request on a new connection, and expects one of two statuses.
func (q request) among(s *verify.Subject, statuses ...int) error {
	a, err := q.to(s)
	if err != nil {
		return err
	}
	if a.Status != statuses[0] && a.Status != statuses[len(statuses)-1] {
		return fmt.Errorf("%s: status %d; want %d", q, a.Status, statuses)
	}
	return nil
}

// unreadBody sends bodies that look like a request, where no handler wants a body.
func unreadBody(_ context.Context, s *verify.Subject) error {
	for _, q := range []request{{"POST", "/" + word(), "", ""}, {"GET", "/", "", ""}, {"PUT", "/json", "Content-Type: application/json\r\n", ""}} {
		c, err := verify.Dial(s.Port)
		if err != nil {
			return err
		}
		defer c.Close()
		inner, never := greeting()
		q.body = inner.wire()
		if _, err := q.on(c); err != nil {
			return err
		}
		next, want := greeting()
		a, err := next.on(c)
		if errors.Is(err, verify.ErrClosed) {
			continue
		}
		if err == nil && bytes.Contains(a.Body, []byte(never)) {
			return fmt.Errorf("%s: the body was answered as a request", q)
		}
		if err == nil {
			err = next.text(a, want)
		}
		if err != nil {
			return fmt.Errorf("the request after %s: %w", q, err)
		}
	}
	return nil
}

// drip writes a text byte by byte, each in a packet of its own.
func drip(c *verify.Client, text string) error {
	for i := range len(text) {
		if _, err := io.WriteString(c, text[i:i+1]); err != nil {
			return verify.Readable(err)
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

func byteByByte(_ context.Context, s *verify.Subject) error {
	body := post(fmt.Sprintf(`{"%s": [1, "%s"]}`, word(), word())) // short, since each byte takes its time
	for _, t := range []task{textTask(), {body, body.returns}} {
		c, err := verify.Dial(s.Port)
		if err != nil {
			return err
		}
		defer c.Close()
		for range 2 { // the second begins on a used connection
			if err := drip(c, t.wire()); err != nil {
				return err
			}
			a, err := t.answer(c)
			if err == nil {
				err = t.check(a)
			}
			if err != nil {
				return fmt.Errorf("byte by byte: %w", err)
			}
		}
	}
	return nil
}

// inChunks is a text in chunked coding, in chunks of random sizes. Some have an extension.
func inChunks(text string) string {
	var b strings.Builder
	for text != "" {
		n := min(len(text), 1+rand.IntN(20))
		extension := []string{"", ";" + word() + "=" + word()}[rand.IntN(2)]
		fmt.Fprintf(&b, []string{"%x%s\r\n%s\r\n", "%X%s\r\n%s\r\n"}[rand.IntN(2)], n, extension, text[:n])
		text = text[n:]
	}
	return b.String() + "0\r\n\r\n"
}

// chunked sends bodies in chunks: at once, and in packets that end anywhere.
func chunked(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	for n := range 4 {
		q := post(write(object(2)))
		wire := "POST /json HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + inChunks(q.body)
		for wire != "" {
			size := len(wire)
			if n%2 == 1 {
				size = min(size, 1+rand.IntN(40))
				time.Sleep(time.Millisecond)
			}
			if _, err := io.WriteString(c, wire[:size]); err != nil {
				return verify.Readable(err)
			}
			wire = wire[size:]
		}
		a, err := q.answer(c)
		if err == nil {
			err = q.returns(a)
		}
		if err != nil {
			return fmt.Errorf("body %d in chunks: %w", n+1, err)
		}
	}
	return nil
}

func connectionClose(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	q, want := greeting()
	q.header = "Connection: close\r\n"
	a, err := q.on(c)
	if err == nil {
		err = q.text(a, want)
	}
	if err != nil {
		return err
	}
	if ended, err := closed(c); err != nil || !ended {
		return fmt.Errorf("after an answer to Connection: close, the connection is open; want it closed (%v)", err)
	}
	return nil
}
