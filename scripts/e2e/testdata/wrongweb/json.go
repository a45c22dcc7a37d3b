package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
)

func (s *server) postJSON(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.maxBody))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		if s.large == 0 {
			select {}
		}
		http.Error(w, "too large", s.large)
		return
	}
	var v any
	if err == nil {
		v, err = s.parse(body)
	}
	var answer []byte
	if err == nil {
		answer, err = s.write(v, body)
	}
	if err != nil {
		http.Error(w, "invalid JSON", s.invalid)
		return
	}
	w.Header().Set("Content-Type", s.jsonType)
	w.Write(answer)
}

func parse(body []byte) (v any, err error) { return v, json.Unmarshal(body, &v) }

func write(v any, _ []byte) ([]byte, error) { return json.Marshal(v) }

func echo(_ any, body []byte) ([]byte, error) { return body, nil }

func compact(_ any, body []byte) ([]byte, error) {
	var b bytes.Buffer
	err := json.Compact(&b, body)
	return b.Bytes(), err
}

func objectsOnly(body []byte) (any, error) {
	v := map[string]any{}
	return v, json.Unmarshal(body, &v)
}

// change applies a function to each value.
func change(v any, do func(any) any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = change(v[i], do)
		}
	case map[string]any:
		for key := range v {
			v[key] = change(v[key], do)
		}
	}
	return do(v)
}

func changed(do func(any) any) func([]byte) (any, error) {
	return func(body []byte) (any, error) {
		v, err := parse(body)
		return change(v, do), err
	}
}

var float32s = changed(func(v any) any {
	if n, ok := v.(float64); ok && n < 1e38 && n > -1e38 {
		return float32(n)
	}
	return v
})

var int32s = changed(func(v any) any {
	if n, ok := v.(float64); ok && n == float64(int64(n)) {
		return int32(int64(n))
	}
	return v
})

var dropEmptyKeys = changed(func(v any) any {
	if o, ok := v.(map[string]any); ok {
		delete(o, "")
	}
	return v
})

var pair = regexp.MustCompile(`(?i)\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}`)

// splitPairs does not know that two escapes may be one character.
func splitPairs(body []byte) (any, error) {
	return parse(pair.ReplaceAll(body, []byte(`\ufffd\ufffd`)))
}

func limitDepth(body []byte) (any, error) {
	depth, deepest := 0, 0
	for _, c := range body { // braces in texts count too; they are few
		if c == '[' || c == '{' {
			depth++
		} else if c == ']' || c == '}' {
			depth--
		}
		deepest = max(deepest, depth)
	}
	if deepest > 64 {
		return nil, errors.New("too deep")
	}
	return parse(body)
}

func strictBody(body []byte) (any, error) {
	if text := strings.TrimSpace(string(body)); text == "" || text[0] != '{' && text[0] != '[' {
		return nil, errors.New("no object and no array")
	}
	return parse(body)
}

func prefix(body []byte) (v any, err error) {
	return v, json.NewDecoder(bytes.NewReader(body)).Decode(&v)
}

func emptyIsNull(body []byte) (any, error) {
	if len(body) == 0 {
		return nil, nil
	}
	return parse(body)
}

var notANumber = regexp.MustCompile(`([\[:]\s*)-?(NaN|Infinity)`)

func takeNaN(body []byte) (any, error) {
	return parse(notANumber.ReplaceAll(body, []byte("${1}null")))
}
