// Package request is the form of the requests that k6/x/plain sends, and of the answers that it expects. Scripts write
// it, and so does the tool, for servers that declare their requests. README.md of k6 explains each key.
package request

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A Ring is the requests of a target.
type Ring struct {
	Requests []Request `json:"requests"`
	Order    []int     `json:"order"` // at each place the index of a request; null: each request has one place
	// Once says that all VUs share one place, so no request is sent twice while there are others.
	Once bool `json:"once,omitempty"`
}

// A Request has the answer that a right server gives.
type Request struct {
	Name    string            `json:"name,omitempty"`    // is counted apart from others, with all requests of that name
	Method  string            `json:"method,omitempty"`  // GET by default
	Path    string            `json:"path"`              // added to the target's URL
	Paths   map[string]string `json:"paths,omitempty"`   // by target: a path other than Path
	Headers map[string]string `json:"headers,omitempty"` // besides those of every request
	Body    string            `json:"body,omitempty"`
	Answer  Answer            `json:"answer"`
}

// An Answer is what is expected. Exactly one of the last five says what is expected of the body.
type Answer struct {
	Status  int              `json:"status,omitempty"` // 200 by default
	Headers map[string]OneOf `json:"headers,omitempty"`

	Body    OneOf           `json:"body,omitempty"`        // every byte
	Base64  *string         `json:"body_base64,omitempty"` // every byte, if they are not text
	JSON    json.RawMessage `json:"json,omitempty"`        // all that the value must have; see package subset
	AnyBody bool            `json:"any_body,omitempty"`    // it is not compared
	Stream  *Stream         `json:"stream,omitempty"`      // server-sent events with any content
}

// MostNames is how many names the requests of a ring may have.
const MostNames = 1000

// A Stream is what is expected of server-sent events: how many there are, and how the last one begins.
type Stream struct {
	Events int    `json:"events,omitempty"` // 0: one or more
	Last   string `json:"last,omitempty"`   // begin of the data of the last event, such as "[DONE]"; "": any
	Count  string `json:"count,omitempty"`  // name of the events that are counted; "": none
	Token  string `json:"token,omitempty"`  // name of the events that are tokens, whose first is timed; "": none
	// Followers is how many VUs must follow the stream before it begins. Follows says that the request is that of a follower,
	// who leaves after the last event.
	Followers int  `json:"followers,omitempty"`
	Follows   bool `json:"follows,omitempty"`
}

// Ends reports whether the data of an event begins as that of the last one should.
func (s Stream) Ends(data []byte) bool {
	n := len(s.Last)
	return len(data) >= n && string(data[:n]) == s.Last
}

// Fault says what a complete answer with events lacks; "" is nothing. ended says whether the last event begins with Last.
func (s Stream) Fault(events int, ended bool) string {
	switch {
	case events == 0:
		return "the body has no event; want a stream of them"
	case s.Events > 0 && events != s.Events:
		return fmt.Sprintf("the body has %d events; want %d", events, s.Events)
	case !ended:
		return fmt.Sprintf("the last of %d events does not begin with %q", events, s.Last)
	}
	return ""
}

// MostJSONBytes limits a body that is compared with JSON, since k6 parses it.
const MostJSONBytes = 1 << 20

// OneOf lists allowed values of a header or body. In JSON one value may stand alone.
type OneOf []string

// MarshalJSON writes one value alone.
func (o OneOf) MarshalJSON() ([]byte, error) {
	if len(o) == 1 {
		return json.Marshal(o[0])
	}
	return json.Marshal([]string(o))
}

// UnmarshalJSON reads a text or a list of texts.
func (o *OneOf) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*o = OneOf{one}
		return nil
	}
	var list []string
	if err := json.Unmarshal(text, &list); err != nil || len(list) == 0 {
		return fmt.Errorf("answer: %.60s: want a text, or a list of texts that are allowed", text)
	}
	*o = list
	return nil
}

// Check returns an error unless a request with this form can be sent, and its answer compared.
func (r Request) Check() error {
	if r.Method != "" {
		if err := CheckMethod(r.Method); err != nil {
			return err
		}
	}
	if err := CheckHeaders(r.Headers); err != nil {
		return err
	}
	return r.Answer.check(r.Method == "HEAD")
}

var methodForm = regexp.MustCompile(`^[A-Z]+$`)

// CheckMethod returns an error unless a method is in upper case. CONNECT asks for no answer.
func CheckMethod(method string) error {
	if !methodForm.MatchString(method) || method == "CONNECT" {
		return fmt.Errorf("method %q; want GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS", method)
	}
	return nil
}

// CheckHeaders returns an error unless each header can be a line of a request. A request has its own framing.
func CheckHeaders(headers map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if name == "" || strings.ContainsAny(name, "\r\n: ") || strings.ContainsAny(headers[name], "\r\n") {
			return fmt.Errorf("headers: %q: %q is not a header line", name, headers[name])
		}
		switch strings.ToLower(name) {
		case "content-length", "host", "transfer-encoding", "connection":
			return fmt.Errorf("headers: %s: the client sets it itself; leave it out", name)
		}
	}
	return nil
}

func (a Answer) check(bodyless bool) error {
	given := 0
	for _, is := range []bool{a.Body != nil, a.Base64 != nil, a.JSON != nil, a.AnyBody, a.Stream != nil} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return errors.New("answer: want one of body, body_base64, json, any_body and stream")
	case a.Stream != nil && a.Stream.Events < 0:
		return fmt.Errorf("answer: stream: events %d; want 1 or more, or leave it out", a.Stream.Events)
	case bodyless && (a.Base64 != nil || a.JSON != nil || a.Stream != nil || strings.Join(a.Body, "") != ""):
		return errors.New("answer: a body, but the answer to HEAD has none")
	case !bodyless && given == 0:
		return errors.New("answer: no body; want the expected one")
	}
	return nil
}
