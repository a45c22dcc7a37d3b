package main

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
)

type cutKey struct{}

// cutTenth asks for a file that the upstream cuts, for each tenth request of k6.
func cutTenth(s *server) {
	var requests atomic.Int64
	s.context = func(_ http.ResponseWriter, r *http.Request) context.Context {
		cut := strings.Contains(r.UserAgent(), "k6/") && requests.Add(1)%10 == 0
		return context.WithValue(r.Context(), cutKey{}, cut)
	}
	do := s.do
	s.do = func(r *http.Request) (*http.Response, error) {
		if r.Context().Value(cutKey{}) == true {
			r.URL.Path += ",cut=4000"
		}
		return do(r)
	}
}
