package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"unicode/utf8"
)

func octetStream(string) string { return "application/octet-stream" }

func withoutParameters(kind string) string {
	kind, _, _ = strings.Cut(kind, ";")
	return kind
}

// asText replaces bytes that are not UTF-8. The length stays.
func asText(o out, _ *http.Request, upstream *http.Response) error {
	return o.pump(upstream.Body, func(b []byte) error {
		for i := 0; i < len(b); {
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				b[i] = '?'
			}
			i += n
		}
		return o.send(b)
	})
}

// oneRead takes the first bytes for all of a small body.
func oneRead(o out, r *http.Request, upstream *http.Response) error {
	if upstream.ContentLength < 0 || upstream.ContentLength > 1000 {
		return relay(o, r, upstream)
	}
	buf := make([]byte, 1000)
	n, _ := upstream.Body.Read(buf) // an error is an end
	if err := o.send(buf[:n]); err != nil || int64(n) < upstream.ContentLength {
		return io.ErrShortWrite
	}
	return nil
}

func nonEmpty(o out, r *http.Request, upstream *http.Response) error {
	first := make([]byte, 1)
	if n, err := upstream.Body.Read(first); n == 0 && err == io.EOF {
		o.Header().Del("Content-Length")
		fail(o, 502, "no body")
		return nil
	}
	return o.pump(io.MultiReader(bytes.NewReader(first), upstream.Body), o.send)
}

func (s *server) zip(o out, _ *http.Request, upstream *http.Response) {
	o.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(o)
	if err := o.pump(upstream.Body, func(b []byte) error { _, err := z.Write(b); return err }); err != nil {
		panic(http.ErrAbortHandler)
	}
	z.Close() // the client may have left
}

// bufferAll has the whole body before it begins its answer.
func bufferAll(o out, _ *http.Request, upstream *http.Response) error {
	var all bytes.Buffer
	if err := o.pump(upstream.Body, func(b []byte) error { _, err := all.Write(b); return err }); err != nil {
		return err
	}
	return o.send(all.Bytes())
}

func bufferChunks(o out, r *http.Request, upstream *http.Response) error {
	if upstream.ContentLength < 0 {
		return bufferAll(o, r, upstream)
	}
	return relay(o, r, upstream)
}

// bufferLater buffers the later answers of a connection.
func bufferLater(o out, r *http.Request, upstream *http.Response) error {
	if requestsOf(r).Load() > 1 {
		return buffer(64<<10)(o, r, upstream)
	}
	return relay(o, r, upstream)
}

func buffer(size int) func(out, *http.Request, *http.Response) error {
	return func(o out, _ *http.Request, upstream *http.Response) error {
		w := bufio.NewWriterSize(writer(o.send), size)
		if err := o.pump(upstream.Body, func(b []byte) error { _, err := w.Write(b); return err }); err != nil {
			return err
		}
		return w.Flush()
	}
}

type writer func([]byte) error

func (w writer) Write(b []byte) (int, error) { return len(b), w(b) }

// queue reads as fast as the upstream sends, and keeps what the client does not take.
func queue(o out, _ *http.Request, upstream *http.Response) (err error) {
	var mu sync.Mutex
	var held []byte
	more := make(chan bool, 1)
	go func() {
		defer close(more)
		err = o.pump(upstream.Body, func(b []byte) error {
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
	take := func() []byte {
		mu.Lock()
		defer mu.Unlock()
		b := held
		held = nil
		return b
	}
	for range more {
		if err := o.send(take()); err != nil {
			return err
		}
	}
	if sendErr := o.send(take()); sendErr != nil {
		return sendErr
	}
	return err
}

var (
	keeping sync.Mutex
	kept    [][]byte
)

func keep(o out, r *http.Request, upstream *http.Response) error {
	keeping.Lock()
	kept = append(kept, bytes.Repeat([]byte("."), 100<<10))
	keeping.Unlock()
	return relay(o, r, upstream)
}

func readOn(o out, _ *http.Request, upstream *http.Response) error {
	return o.pump(upstream.Body, func(b []byte) error {
		o.send(b) // the upstream's end ends it
		return nil
	})
}

func withoutCancel(_ http.ResponseWriter, r *http.Request) context.Context {
	return context.WithoutCancel(r.Context())
}

// untilWriteFails does not look for the client's leaving. Its answer ends when a write shows it.
func untilWriteFails() func(http.ResponseWriter, *http.Request) context.Context { return withoutCancel }
