package web

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"strings"

	"fairstream/scripts/internal/measure/verify"
)

// A request is what a check sends.
type request struct{ method, path, header, body string }

func get(path string) request { return request{"GET", path, "", ""} }

// post sends a body as JSON.
func post(body string) request {
	return request{"POST", "/json", "Content-Type: application/json\r\n", body}
}

// String names the request in evidence.
func (q request) String() string {
	if q.body == "" {
		return fmt.Sprintf("%s %.200s", q.method, q.path)
	}
	return fmt.Sprintf("%s %.200s with %.60q", q.method, q.path, q.body)
}

// wire is the request in bytes.
func (q request) wire() string {
	length := ""
	if q.body != "" || q.method != "GET" && q.method != "HEAD" {
		length = fmt.Sprintf("Content-Length: %d\r\n", len(q.body))
	}
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\n%s%s\r\n%s", q.method, q.path, q.header, length, q.body)
}

// on sends the request on a connection, and reads the whole answer.
func (q request) on(c *verify.Client) (*verify.Answer, error) {
	if _, err := io.WriteString(c, q.wire()); err != nil {
		return nil, fmt.Errorf("%s: %w", q, verify.Readable(err))
	}
	return q.answer(c)
}

// answer reads the answer to a request that was sent. An error with an answer means that its body broke off.
func (q request) answer(c *verify.Client) (*verify.Answer, error) {
	a, err := c.Head()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q, err)
	}
	if _, length := a.Header["content-length"]; length && a.Header["transfer-encoding"] != "" {
		return nil, fmt.Errorf("%s: the answer has both Content-Length and Transfer-Encoding", q)
	}
	if err := a.Rest(); err != nil {
		return a, fmt.Errorf("%s: the body of the answer: %w", q, verify.Readable(err))
	}
	return a, nil
}

// to sends the request on a new connection.
func (q request) to(s *verify.Subject) (*verify.Answer, error) {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return q.on(c)
}

// is compares an answer's status and media type.
func is(a *verify.Answer, status int, kind string) error {
	if a.Status != status {
		return fmt.Errorf("status %d; want %d", a.Status, status)
	}
	got, parameters, err := mime.ParseMediaType(a.Header["content-type"])
	if err != nil || got != kind {
		return fmt.Errorf("Content-Type %q; want %s", a.Header["content-type"], kind)
	}
	if charset, ok := parameters["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return fmt.Errorf("Content-Type %q; want charset utf-8 or none", a.Header["content-type"])
	}
	if coding, ok := a.Header["content-encoding"]; ok {
		return fmt.Errorf("Content-Encoding %s; want none, since the client accepts none", coding)
	}
	return nil
}

// text expects a plain text.
func (q request) text(a *verify.Answer, want string) error {
	err := is(a, 200, "text/plain")
	if err == nil && string(a.Body) != want {
		err = fmt.Errorf("body %.200q; want %.200q", a.Body, want)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", q, err)
	}
	return nil
}

// expects sends a request on a new connection, and expects a plain text.
func (q request) expects(s *verify.Subject, want string) error {
	a, err := q.to(s)
	if err != nil {
		return err
	}
	return q.text(a, want)
}

// closed reports whether a connection ended without another answer.
func closed(c *verify.Client) (bool, error) {
	_, err := c.Take(1)
	switch {
	case err == nil:
		return false, errors.New("bytes that belong to no answer")
	case verify.IsSilence(err):
		return false, nil
	}
	return true, nil
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// word is a random word of letters and digits.
func word() string { return pick(alphanumeric, 4+rand.IntN(12)) }

func pick(from string, n int) string {
	runes, chosen := []rune(from), make([]rune, n)
	for i := range chosen {
		chosen[i] = runes[rand.IntN(len(runes))]
	}
	return string(chosen)
}

// greeting is a random request of the path /id and what it answers.
func greeting() (request, string) {
	id, name := word(), word()
	return get("/id/" + id + "?name=" + name), id + " " + name
}
