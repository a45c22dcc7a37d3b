package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
)

// each is a fault of every nth request of k6. Other clients, such as verify, see a right server.
func each(n int64, wrong http.HandlerFunc) func(http.ResponseWriter, *http.Request) bool {
	var requests atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.UserAgent(), "k6/") || requests.Add(1)%n != 0 {
			return false
		}
		wrong(w, r)
		return true
	}
}

func (s *server) answerHo(w http.ResponseWriter, _ *http.Request) { s.text(w, "ho") }

// dies ends the process at the 300th request, after the 150 of a shortened warm-up.
func dies(http.ResponseWriter, *http.Request) {
	fmt.Println("out of luck")
	os.Exit(7)
}
