package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"mime"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"fairstream/k6/shared/request"
	"fairstream/k6/shared/subset"
)

// A question is a request of a server.json, with the answer that a running server gave.
type question struct {
	Path   string          `json:"path"`
	Answer *answerOfServer `json:"answer,omitempty"`
}

type answerOfServer struct {
	Status int             `json:"status,omitempty"`
	Text   string          `json:"text,omitempty"`
	JSON   any             `json:"json,omitempty"`
	SHA256 string          `json:"sha256,omitempty"`
	Stream *request.Stream `json:"stream,omitempty"`
}

// Bytes that a server.json may quote from an answer.
const (
	mostAnswer = 200
	mostJSON   = 1000
)

// patience is how long an answer may take.
const patience = 10 * time.Second

// Ask gets each URL twice from a server that runs on this machine. It returns the requests of a server.json, with what
// both answers have in common. So times and random values are left out. notes say which answers it does not quote, and why.
func Ask(ctx context.Context, urls []string) (drafted, notes []string, err error) {
	for _, text := range urls {
		u, err := url.Parse(text)
		if err != nil || !strings.HasPrefix(text, "http://") || u.Hostname() != "127.0.0.1" && u.Hostname() != "localhost" {
			return nil, nil, fmt.Errorf("%s: want the URL of a server that runs on this machine, such as http://127.0.0.1:3000/users/1", text)
		}
		port := 80
		if u.Port() != "" {
			if port, err = strconv.Atoi(u.Port()); err != nil {
				return nil, nil, fmt.Errorf("%s: port: %w", text, err)
			}
		}
		q := Exchange{Request: request.Request{Method: "GET", Path: u.RequestURI()}}
		client := NewClient(port, patience)
		first, err := client.Send(ctx, q)
		second := Recorded{}
		if err == nil {
			second, err = client.Send(ctx, q)
		}
		client.Close()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w; start the server, and check the port and the path", text, err)
		}
		if first.Status != second.Status {
			return nil, nil, fmt.Errorf("%s: status %d, and then %d; want the same twice", text, first.Status, second.Status)
		}
		answer, why := common(first, second)
		if why != "" {
			notes = append(notes, fmt.Sprintf("GET %s: %s, so any answer with its status is right; add what a right one always has", q.Path, why))
		}
		drafted = append(drafted, Encode(question{Path: q.Path, Answer: answer}))
	}
	return drafted, notes, nil
}

// common is what two answers to one request have in common; nil is only that they are complete and have status 200. why says
// why their text is left out.
func common(first, second Recorded) (in *answerOfServer, why string) {
	var a answerOfServer
	if first.Status != 200 {
		a.Status = first.Status
	}
	kind, _, _ := mime.ParseMediaType(first.Headers["content-type"]) // "" for another text
	same := bytes.Equal(first.Body, second.Body)
	switch {
	case kind == "text/event-stream":
		a.Stream = &request.Stream{}
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		one, err := subset.Decode(first.Body)
		two, also := subset.Decode(second.Body)
		if err != nil || also != nil {
			why = "its answer cannot be read as JSON"
			break
		}
		switch v, ok := inBoth(one, two); {
		case !ok || v == nil:
			why = "its two answers have nothing in common"
		case len(Encode(v)) > mostJSON:
			why = fmt.Sprintf("its answer has more than %d bytes", mostJSON)
		default:
			a.JSON = v
		}
	case len(first.Body) == 0:
	case !same:
		why = "its two answers differ"
	case utf8.Valid(first.Body) && len(first.Body) <= mostAnswer:
		a.Text = string(first.Body)
	default:
		a.SHA256 = fmt.Sprintf("%x", sha256.Sum256(first.Body))
	}
	if a == (answerOfServer{}) {
		return nil, why
	}
	return &a, why
}

// inBoth is what two JSON values have in common, as subset compares them. ok is false if that is nothing.
func inBoth(a, b any) (v any, ok bool) {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok {
			return nil, false
		}
		object := map[string]any{}
		for key := range a {
			if v, ok := inBoth(a[key], b[key]); ok {
				object[key] = v
			}
		}
		return object, true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return nil, false
		}
		list := []any{}
		for i := range a {
			v, ok := inBoth(a[i], b[i])
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	}
	switch b.(type) {
	case map[string]any, []any:
		return nil, false
	}
	return a, a == b
}
