package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"fairstream/k6/shared/request"
	"fairstream/k6/shared/subset"
)

// An Exchange is a request with its values, and the expected answer, as k6 gets it.
type Exchange struct {
	Of int // index of its request
	request.Request
	SHA256 string // of the body; k6 compares bytes, and gets those of a recorded answer
}

// Exchanges are the requests with all of their values, in order. A request with several names has each
// combination.
func (d Declaration) Exchanges() (all []Exchange) {
	for i, r := range d.Requests {
		for _, values := range r.combinations() {
			e := r.with(values)
			e.Of = i
			if all = append(all, e); len(all) > mostExchanges {
				return all // too many, however many more there are
			}
		}
	}
	return all
}

// combinations are all choices of one value for each name, at most one more than a file may have. The value of the last
// name changes first.
func (r Request) combinations() (all []map[string]any) {
	names := slices.Sorted(maps.Keys(r.Values))
	for i := range r.choices() {
		chosen := map[string]any{}
		for _, name := range slices.Backward(names) {
			pick := r.Values[name].Pick
			chosen[name], i = pick[i%len(pick)], i/len(pick)
		}
		all = append(all, chosen)
	}
	return all
}

// choices is the number of combinations.
func (r Request) choices() int {
	n := 1
	for _, v := range r.Values {
		n = min(n*len(v.Pick), mostExchanges+1)
	}
	return n
}

// size is how many bytes one combination has at most.
func (r Request) size() (n int) {
	texts := r.texts()
	for _, text := range []json.RawMessage{r.JSON, r.Answer.JSON} {
		if text != nil {
			texts = append(texts, Encode(decoded(text))) // a name may have been escaped
		}
	}
	for _, text := range texts {
		n += len(text)
	}
	for name, values := range r.Values {
		longest := 0
		for _, v := range values.Pick {
			longest = max(longest, len(fmt.Sprint(v)))
		}
		for _, text := range texts {
			n += strings.Count(text, "{"+name+"}") * longest
		}
	}
	return n
}

// with puts values in the place of their names.
func (r Request) with(values map[string]any) Exchange {
	path, query, hasQuery := strings.Cut(r.Path, "?")
	path = replace(path, values, url.PathEscape)
	if hasQuery {
		path += "?" + replace(query, values, url.QueryEscape)
	}
	plain := func(text string) string { return text }
	e := Exchange{SHA256: r.Answer.SHA256, Request: request.Request{
		Name: r.Label(), Method: r.Method, Path: path, Body: replace(r.Body, values, plain), Answer: request.Answer{Status: r.Answer.Status}}}
	for name, value := range r.Headers {
		e.header(name, replace(value, values, plain))
	}
	if r.JSON != nil {
		e.Body = Encode(inJSON(decoded(r.JSON), values))
		if !slices.ContainsFunc(slices.Collect(maps.Keys(e.Headers)), func(name string) bool { return strings.EqualFold(name, "content-type") }) {
			e.header("Content-Type", "application/json")
		}
	}
	for name, texts := range r.Answer.Headers {
		if e.Answer.Headers == nil {
			e.Answer.Headers = map[string]request.OneOf{}
		}
		for _, text := range texts {
			e.Answer.Headers[name] = append(e.Answer.Headers[name], replace(text, values, plain))
		}
	}
	switch {
	case r.Answer.Text != nil:
		e.Answer.Body = request.OneOf{replace(*r.Answer.Text, values, plain)}
	case r.Answer.JSON != nil:
		e.Answer.JSON = json.RawMessage(Encode(inJSON(decoded(r.Answer.JSON), values)))
	case r.Answer.Stream != nil:
		e.Answer.Stream = &request.Stream{Events: r.Answer.Stream.Events, Last: r.Answer.Stream.Last}
	case e.SHA256 == "":
		e.Answer.AnyBody = true
	}
	return e
}

func (e *Exchange) header(name, value string) {
	if e.Headers == nil {
		e.Headers = map[string]string{}
	}
	e.Headers[name] = value
}

// decoded decodes JSON that was decoded before.
func decoded(text json.RawMessage) any {
	v, err := subset.Decode(text)
	if err != nil {
		panic(err) // ParseDeclaration found no fault in it, or encode made it
	}
	return v
}

// Encode is a value that was decoded from JSON, or holds only texts, as one line of JSON. "&&" stays readable.
func Encode(v any) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // such a value can be encoded
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func replace(text string, values map[string]any, escape func(string) string) string {
	var pairs []string // replaced at once, so a value with braces stays as it is
	for name, v := range values {
		pairs = append(pairs, "{"+name+"}", escape(fmt.Sprint(v)))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// inJSON replaces names in the texts of a JSON value. A text that is only a name becomes the value itself, so a
// number stays a number.
func inJSON(v any, values map[string]any) any {
	switch v := v.(type) {
	case string:
		if value, ok := values[strings.TrimSuffix(strings.TrimPrefix(v, "{"), "}")]; ok && strings.HasPrefix(v, "{") && strings.HasSuffix(v, "}") {
			return value
		}
		return replace(v, values, func(text string) string { return text })
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = inJSON(v[i], values)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for key := range v {
			object[key] = inJSON(v[key], values)
		}
		return object
	}
	return v
}
