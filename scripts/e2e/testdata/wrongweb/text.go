package main

import (
	"net/http"
	"net/url"
	"strings"
)

func (s *server) text(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", s.textType)
	w.Write([]byte(text))
}

func (s *server) getID(w http.ResponseWriter, r *http.Request) {
	id, ok := s.id(r)
	if !ok || id == "" {
		http.NotFound(w, r)
		return
	}
	name, named := s.name(r.URL.RawQuery)
	if s.poweredBy(named) {
		w.Header().Set("x-powered-by", "benchmark")
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Write([]byte(s.greet(id, name, named)))
}

func greet(id, name string, named bool) string {
	if named {
		return id + " " + name
	}
	return id
}

func alwaysASpace(id, name string, _ bool) string { return id + " " + name }

func never(bool) bool         { return false }
func ifNamed(named bool) bool { return named }

func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// segment is the ID as it was sent.
func segment(r *http.Request) (string, bool) {
	id := strings.TrimPrefix(r.URL.EscapedPath(), "/id/")
	return id, !strings.Contains(id, "/")
}

func decodedID(r *http.Request) (string, bool) {
	id, ok := segment(r)
	decoded, err := url.PathUnescape(id)
	return decoded, ok && err == nil
}

func rawID(r *http.Request) (string, bool) { return segment(r) }

func onlyDigits(r *http.Request) (string, bool) {
	id, ok := decodedID(r)
	return id, ok && strings.Trim(id, "0123456789") == ""
}

func decodedTwice(r *http.Request) (string, bool) {
	id, ok := decodedID(r)
	if decoded, err := url.PathUnescape(id); err == nil {
		id = decoded
	}
	return id, ok
}

func decodedAsQuery(r *http.Request) (string, bool) {
	id, ok := segment(r)
	decoded, err := url.QueryUnescape(id)
	return decoded, ok && err == nil
}

func splitDecoded(r *http.Request) (string, bool) {
	id := strings.TrimPrefix(r.URL.Path, "/id/")
	return id, !strings.Contains(id, "/")
}

// latin takes each byte for a character.
func latin(text string) string {
	var runes []rune
	for _, b := range []byte(text) {
		runes = append(runes, rune(b))
	}
	return string(runes)
}

func latinID(r *http.Request) (string, bool) {
	id, ok := decodedID(r)
	return latin(id), ok
}

func latinName(query string) (string, bool) {
	n, ok := name(query)
	return latin(n), ok
}

// names are the values of the parameter name, in their order.
func names(query string, decode func(string) (string, error)) (values []string) {
	for pair := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if key, err := decode(key); err != nil || key != "name" {
			continue
		}
		if value, err := decode(value); err == nil {
			values = append(values, value)
		}
	}
	return values
}

func at(values []string, i int) (string, bool) {
	if len(values) == 0 {
		return "", false
	}
	return values[i], true
}

func name(query string) (string, bool)      { return at(names(query, url.QueryUnescape), 0) }
func plusStays(query string) (string, bool) { return at(names(query, url.PathUnescape), 0) }

func lastName(query string) (string, bool) {
	values := names(query, url.QueryUnescape)
	return at(values, len(values)-1)
}

func joinNames(query string) (string, bool) {
	values := names(query, url.QueryUnescape)
	return strings.Join(values, ","), len(values) > 0
}

func firstTen(query string) (string, bool) {
	pairs := strings.Split(query, "&")
	return name(strings.Join(pairs[:min(10, len(pairs))], "&"))
}

// findName decodes what is between name= and the next parameter.
func findName(query string) (string, bool) {
	_, value, ok := strings.Cut(query, "name=")
	value, _, _ = strings.Cut(value, "&")
	decoded, err := url.QueryUnescape(value)
	return decoded, ok && err == nil
}

// afterQuestionMark expects one parameter, and that it is the name.
func afterQuestionMark(query string) (string, bool) {
	value, ok := strings.CutPrefix(query, "name=")
	decoded, err := url.QueryUnescape(value)
	return decoded, ok && err == nil
}
