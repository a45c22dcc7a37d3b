package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// A chatRequest is the part of an OpenAI chat completion request that the stub reads. It ignores
// other fields, since the real API accepts many.
type chatRequest struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// A request is a received request, parsed on demand.
type request struct {
	*http.Request
	body   []byte
	parsed bool
	chat   chatRequest
	script script
	err    error
}

// parse reads the body as a chat request, once.
func (r *request) parse() (chatRequest, script, error) {
	if !r.parsed {
		r.chat, r.script, r.err = parseChat(r.body)
		r.parsed = true
	}
	return r.chat, r.script, r.err
}

// requests reads the requests of one connection. Under load a connection repeats the same request.
// A request that equals the last one, byte for byte, is not parsed again: parsing costs 11 % of the
// bare loop of cost_test.go, with tokens 2 ms apart.
type requests struct {
	conn  io.ReadWriter
	in    *bufio.Reader
	reads int // reads of the connection so far
	last  *request
	text  []byte // bytes of last; empty if not kept
}

func newRequests(conn io.ReadWriter) *requests {
	q := &requests{conn: conn}
	q.in = bufio.NewReader(q)
	return q
}

func (q *requests) Read(b []byte) (int, error) {
	q.reads++
	return q.conn.Read(b)
}

// next reads a request, or returns the last one if it repeats.
func (q *requests) next() (*request, error) {
	if _, err := q.in.Peek(1); err != nil {
		return nil, err
	}
	came, _ := q.in.Peek(q.in.Buffered()) // buffered bytes are always available
	if len(q.text) > 0 && bytes.HasPrefix(came, q.text) {
		q.in.Discard(len(q.text)) // it is buffered
		return q.last, nil
	}
	reads := q.reads
	q.text = append(q.text[:0], came...) // copied before net/http changes the names of headers in place
	r, err := http.ReadRequest(q.in)
	if err != nil {
		return nil, err
	}
	expects := r.Header.Get("Expect") == "100-continue"
	if expects {
		fmt.Fprint(q.conn, "HTTP/1.1 100 Continue\r\n\r\n") // a client that has left sends no body
	}
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	q.last = &request{Request: r, body: body}
	if q.reads == reads && !expects { // all of it was in came
		q.text = q.text[:len(came)-q.in.Buffered()]
	} else {
		q.text = q.text[:0]
	}
	return q.last, nil
}

// maxBody limits a request body, in bytes.
const maxBody = 64 << 20

// readBody reads a whole request body.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err == nil && len(body) > maxBody {
		err = fmt.Errorf("request body: more than %d bytes", maxBody)
	}
	return body, err
}

// parseChat reads a request body and the script in its last user message.
func parseChat(body []byte) (chatRequest, script, error) {
	var chat chatRequest
	if err := json.Unmarshal(body, &chat); err != nil {
		return chat, script{}, fmt.Errorf("request body: %w", err)
	}
	if !chat.Stream {
		return chat, script{}, errors.New("request body: this model only streams; want \"stream\": true")
	}
	for i := len(chat.Messages) - 1; i >= 0; i-- {
		if chat.Messages[i].Role == "user" {
			s, err := parseScript(chat.Messages[i].Content)
			return chat, s, err
		}
	}
	return chat, script{}, errors.New("request body: no message with role \"user\"")
}
