package verify

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/measure/process"
)

// A server that always sends more would keep a check for ever.
func TestACheckEndsThoughSomethingComes(t *testing.T) {
	limit := checkLimit
	defer func() { checkLimit = limit }()
	exact := Checks[slices.IndexFunc(Checks, func(c Check) bool { return c.Name == "exact" })]
	checks(t, exact)
	root := project(t, "")
	for name, of := range map[string]struct {
		limit time.Duration
		want  string
	}{"drips": {time.Second, "not ended after 1s, though bytes kept coming"}, "never-ends": {limit, "the answer never ends"}} {
		checkLimit = of.limit
		s := server(t, name)
		results, err := Server(t.Context(), root, filepath.Join(s.Dir, "logs"), s, Checks, process.FreePort, func(Result) {})
		if err != nil || len(results) != 2 || !results[0].Pass || results[1].Pass || !strings.HasSuffix(results[1].Evidence, of.want) {
			t.Errorf("%s: %+v, %v; want %s", name, results, err, of.want)
		}
	}
}

func TestChoose(t *testing.T) {
	chosen, err := Choose("lock-step, header")
	if err != nil || len(chosen) != 2 || chosen[0].Name != "header" || chosen[1].Name != "lock-step" {
		t.Errorf("%v, %v", chosen, err)
	}
	if all, err := Choose(""); err != nil || len(all) != len(Checks) {
		t.Errorf("%d checks, %v; want all %d", len(all), err, len(Checks))
	}
	if _, err := Choose("header,lockstep"); err == nil || !strings.HasPrefix(err.Error(), `-only "lockstep": no such check; known are ready, header, `) {
		t.Errorf("%v; want what is unknown, and what is known", err)
	}
}

// A server that refuses the first chat would fail all other checks in the same way, each with a line.
func TestAServerThatRefusesTheFirstChatGetsNoOtherCheck(t *testing.T) {
	first := func(_ context.Context, s *subject) error {
		_, err := s.open("hello")
		return unanswered{err}
	}
	checks(t, Check{Name: header, run: first}, Check{Name: "next", run: first})
	s := server(t, "fails")
	results, err := Server(t.Context(), project(t, ""), filepath.Join(s.Dir, "logs"), s, Checks, process.FreePort, func(Result) {})
	if want := "POST /chat gets no stream, so the other checks were not run: status 500; want 200"; err != nil || len(results) != 2 || results[1].Evidence != want {
		t.Errorf("%+v, %v; want %s", results, err, want)
	}
}

// A person sees what a server fails while its other checks still wait.
func TestAFailureIsReportedAtOnce(t *testing.T) {
	told := make(chan Result, 1)
	checks(t,
		Check{Name: "slow", run: func(ctx context.Context, _ *subject) error {
			select {
			case r := <-told:
				told <- r
				return nil
			case <-ctx.Done():
				return errors.New("not told")
			}
		}},
		Check{Name: "wrong", Clause: "C2", Must: true, run: func(context.Context, *subject) error { return errors.New("it is wrong") }})
	s := server(t, "silent")
	results, err := Server(t.Context(), project(t, ""), filepath.Join(s.Dir, "logs"), s, Checks, process.FreePort, func(r Result) {
		if !r.Pass {
			told <- r
		}
	})
	if want := (Result{Clause: "C2", Check: "wrong", Must: true, Evidence: "it is wrong"}); err != nil || !results[1].Pass || results[2] != want || <-told != want {
		t.Errorf("%+v, %v", results, err)
	}
}

// The waits of failed checks pass side by side, however many there are.
func TestChecksThatWaitMakeRoom(t *testing.T) {
	const many = 10
	arrived, all := make(chan bool, many), make(chan bool)
	var more []Check
	for i := range many {
		more = append(more, Check{Name: strconv.Itoa(i), run: func(ctx context.Context, _ *subject) error {
			arrived <- true
			select {
			case <-all:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}})
	}
	checks(t, more...)
	go func() {
		for range many {
			<-arrived
		}
		close(all)
	}()
	s := server(t, "silent")
	results, err := Server(t.Context(), project(t, ""), filepath.Join(s.Dir, "logs"), s, Checks, process.FreePort, func(Result) {})
	if err != nil || slices.ContainsFunc(results, func(r Result) bool { return !r.Pass }) {
		t.Errorf("%+v, %v; want all %d to wait at the same time", results, err, many)
	}
}
