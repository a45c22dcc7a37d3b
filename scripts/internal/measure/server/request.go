package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"fairstream/k6/shared/request"
	"fairstream/k6/shared/strict"
)

// A Request is one element of the key "requests".
type Request struct {
	Name    string            `json:"name"`
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	JSON    json.RawMessage   `json:"json"` // a body, sent as application/json
	Weight  int               `json:"weight"`
	Values  map[string]Values `json:"values"`
	Answer  Answer            `json:"answer"`
}

// Values are what a name in braces stands for.
type Values struct {
	Pick []any `json:"pick"` // texts and numbers
}

// An Answer is what the server must answer. At most one of the last four says something of the body.
type Answer struct {
	Status  int                      `json:"status"`
	Headers map[string]request.OneOf `json:"headers"`
	Text    *string                  `json:"text"`   // every byte
	JSON    json.RawMessage          `json:"json"`   // all that the body's value must have
	SHA256  string                   `json:"sha256"` // of the body
	Stream  *Stream                  `json:"stream"` // the body is server-sent events
}

// A Stream is what a file may want of server-sent events. Those of k6 have more keys, which need its scripts.
type Stream struct {
	Events int    `json:"events"` // 0: one or more
	Last   string `json:"last"`   // begin of the data of the last event
}

// Label names a request in texts.
func (r Request) Label() string {
	if r.Name != "" {
		return r.Name
	}
	return cmp.Or(r.Method, http.MethodGet) + " " + r.Path
}

// keys and wants explain errors of a request.
const (
	requestKeys = "name, method, path, headers, body, json, weight, values, answer"
	answerKeys  = "status, headers, text, json, sha256, stream"
	streamKeys  = "events, last"
)

// KeysAt lists the keys of an object in a request; "" if it may have any. way has the keys on the way to it, and those of
// the request itself have none.
func KeysAt(way []string) string {
	switch {
	case len(way) == 0:
		return requestKeys
	case len(way) == 1 && way[0] == "answer":
		return answerKeys
	case len(way) == 2 && way[0] == "answer" && way[1] == "stream":
		return streamKeys
	case len(way) == 2 && way[0] == "values":
		return "pick"
	}
	return ""
}

var requestWants = map[string]string{
	"name": "a text", "method": `a text such as "GET"`, "path": `a text such as "/items/{id}"`, "headers": "an object of names to texts",
	"body": `a text; "json" takes an object`, "weight": "a whole number", "values": `an object such as {"id": {"pick": [1, 2, 3]}}`,
	"values.pick": "a list of texts and numbers", "answer": `an object such as {"status": 200}`, "answer.status": "a whole number such as 200",
	"answer.headers": "an object of names to texts, or to lists of texts", "answer.text": `a text; "json" takes an object`, "answer.sha256": "a text of 64 hexadecimal digits", "answer.stream": `an object such as {} or {"last": "[DONE]"}`,
}

// parseRequest reads and checks one request. With an error the request may be incomplete.
func parseRequest(text json.RawMessage) (r Request, err error) {
	r.Weight = 1
	if err := strict.Decode(text, &r); err != nil {
		return r, explainRequest(text, err)
	}
	if r.Method == "" {
		r.Method = "GET"
	}
	if r.Answer.Status == 0 {
		r.Answer.Status = 200
	}
	return r, r.check()
}

func explainRequest(text json.RawMessage, err error) error {
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		want := requestWants[kind.Field]
		for name := range requestWants { // the field may be deeper, as values.id.pick is
			first, last, deep := strings.Cut(name, ".")
			if want == "" && deep && strings.HasPrefix(kind.Field, first) && strings.HasSuffix(kind.Field, last) {
				want = requestWants[name]
			}
		}
		if kind.Field == "" {
			return fmt.Errorf(`is a JSON %s; want an object such as {"path": "/"}`, kind.Value)
		}
		if want == "" {
			want = requestWants[strings.SplitN(kind.Field, ".", 2)[0]]
		}
		return fmt.Errorf("%q is a JSON %s; want %s", kind.Field, kind.Value, want)
	}
	if _, key, ok := strings.Cut(err.Error(), "unknown field "); ok {
		return fmt.Errorf("unknown key %s; %s", key, keysBeside(text, strings.Trim(key, `"`)))
	}
	return err
}

// keysBeside says which keys the object of a request may have that has an unknown one.
func keysBeside(text json.RawMessage, key string) string {
	var r map[string]any
	if err := json.Unmarshal(text, &r); err != nil {
		return err.Error()
	}
	answer, _ := r["answer"].(map[string]any)
	stream, _ := answer["stream"].(map[string]any)
	for _, object := range []struct {
		has  map[string]any
		keys string
		name string
	}{{r, requestKeys, "a request"}, {answer, answerKeys, "an answer"}, {stream, streamKeys, "a stream"}} {
		if _, there := object.has[key]; there && !slices.Contains(strings.Split(object.keys, ", "), key) {
			return object.name + " has " + object.keys
		}
	}
	return "a value has pick"
}

var (
	pathForm  = regexp.MustCompile(`^/[^\s#\x00-\x1f\x7f]*$`)
	braces    = regexp.MustCompile(`\{[^{}]*\}`)
	labelForm = regexp.MustCompile(`^[\pL\pN_./{}?&=: -]{1,60}$`)
	nameForm  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	sumForm   = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// mostWeight keeps the ring of requests short.
const mostWeight = 100

func (r Request) check() error {
	switch {
	case r.Path == "":
		return errors.New(`key "path" is missing; want a path such as "/items/{id}"`)
	case !pathForm.MatchString(r.Path):
		return fmt.Errorf("path %q; want a path that begins with a slash, without spaces and #; write a space as %%20", r.Path)
	case r.Name != "" && !labelForm.MatchString(r.Name):
		return fmt.Errorf("name %.80q; want at most 60 letters, digits, spaces and any of _ - . / { } ? & = :", r.Name)
	case r.Weight < 1 || r.Weight > mostWeight:
		return fmt.Errorf("weight %d; want 1 to %d", r.Weight, mostWeight)
	case r.Body != "" && r.JSON != nil:
		return errors.New("body and json: both are the body; want one of them")
	}
	one := func(value string) []string { return []string{value} }
	err := cmp.Or(request.CheckMethod(r.Method), checkHeaders(r.Headers, one), request.CheckHeaders(r.Headers))
	if err != nil {
		return err
	}
	return errors.Join(r.checkValues(), r.Answer.check(r.Method))
}

// texts are those that may have names in braces, but for JSON.
func (r Request) texts() []string {
	texts := []string{r.Path, r.Body}
	for _, value := range r.Headers {
		texts = append(texts, value)
	}
	if r.Answer.Text != nil {
		texts = append(texts, *r.Answer.Text)
	}
	for _, values := range r.Answer.Headers {
		texts = append(texts, values...)
	}
	return texts
}

// checkValues compares the names in braces with the values.
func (r Request) checkValues() error {
	texts := append(r.texts(), string(r.JSON), string(r.Answer.JSON))
	for _, name := range slices.Sorted(maps.Keys(r.Values)) {
		if !nameForm.MatchString(name) {
			return fmt.Errorf("values: %q; want a name of letters, digits and _", name)
		}
		if len(r.Values[name].Pick) == 0 {
			return fmt.Errorf(`values: %s: no value; want a list, such as {"pick": [1, 2, 3]}`, name)
		}
		for _, v := range r.Values[name].Pick {
			switch v := v.(type) {
			case json.Number:
			case string:
				if control.MatchString(v) {
					return fmt.Errorf("values: %s: %.80q has a control character; want texts of one line, and numbers", name, v)
				}
			default:
				return fmt.Errorf("values: %s: %v; want texts of one line, and numbers", name, v)
			}
		}
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "{"+name+"}") }) {
			return fmt.Errorf("values: %s: nothing in the request or its answer has {%s}; use it, or leave it out", name, name)
		}
	}
	for _, name := range braces.FindAllString(r.Path, -1) {
		if _, ok := r.Values[strings.Trim(name, "{}")]; !ok {
			return fmt.Errorf("path has %s, and values has no %s; want a value for it, or %%7B for a brace", name, strings.Trim(name, "{}"))
		}
	}
	return nil
}

func (a Answer) check(method string) error {
	given := 0
	for _, is := range []bool{a.Text != nil, a.JSON != nil, a.SHA256 != "", a.Stream != nil} {
		if is {
			given++
		}
	}
	switch {
	case a.Status < 200 || a.Status > 599:
		return fmt.Errorf("answer: status %d; want 200 to 599", a.Status)
	case given > 1:
		return errors.New("answer: want at most one of text, json, sha256 and stream, since each says what the whole body is")
	case given > 0 && (method == "HEAD" || a.Status == 204 || a.Status == 304):
		return errors.New("answer: text, json, sha256 or stream of an answer that has no body; leave it out")
	case a.SHA256 != "" && !sumForm.MatchString(a.SHA256):
		return fmt.Errorf("answer: sha256 %q; want 64 lower-case hexadecimal digits, as sha256sum prints them", a.SHA256)
	case a.Stream != nil && a.Stream.Events < 0:
		return fmt.Errorf("answer: stream: %d events; want 1 or more, or leave it out", a.Stream.Events)
	case string(bytes.TrimSpace(a.JSON)) == "null":
		return errors.New("answer: json null has nothing to compare; want an object, a list or a value")
	}
	if err := checkHeaders(a.Headers, func(values request.OneOf) []string { return values }); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	return nil
}

var (
	tokenForm = regexp.MustCompile("^[0-9A-Za-z!#$%&'*+.^_`|~-]+$") // RFC 9110, 5.6.2
	control   = regexp.MustCompile(`[\x00-\x08\x0a-\x1f\x7f]`)      // a line may have a tab
)

// checkHeaders returns an error unless each header can be a line of its own, as every server reads it. values are the
// texts of one header.
func checkHeaders[V any](headers map[string]V, values func(V) []string) error {
	names := map[string]string{} // by lower case
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if !tokenForm.MatchString(name) {
			return fmt.Errorf("headers: %.80q is not the name of a header; "+
				"want letters, digits and any of !#$%%&'*+-.^_`|~", name)
		}
		lower := strings.ToLower(name)
		if other, ok := names[lower]; ok {
			return fmt.Errorf("headers: %q and %q are the same header; want it once", other, name)
		}
		names[lower] = name
		for _, value := range values(headers[name]) {
			if control.MatchString(value) {
				return fmt.Errorf("headers: %s: %.80q has a control character; want one line of text", name, value)
			}
		}
	}
	return nil
}
