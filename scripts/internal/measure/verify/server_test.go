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
	checkLimit = time.Second
	s := testServer(t, "drips")
	results, err := Server(t.Context(), project(t, ""), filepath.Join(s.Dir, "logs"), s, checks(Check{Name: "chat", Run: chat}), process.FreePort, func(Result) {})
	if want := "not ended after 1s, though bytes kept coming"; err != nil || len(results) != 2 || !results[0].Pass || results[1].Pass || !strings.HasSuffix(results[1].Evidence, want) {
		t.Errorf("%+v, %v; want %s", results, err, want)
	}
}

func TestChoose(t *testing.T) {
	all := checks(Check{Name: "header"}, Check{Name: "exact"}, Check{Name: "lock-step"}, Check{Name: "ready", Clause: "W1"})
	names := func(checks []Check) (names []string) {
		for _, c := range checks {
			names = append(names, c.Clause+c.Name)
		}
		return names
	}
	for list, want := range map[string]string{
		"lock-step, header": "header lock-step",
		"ready":             "C1ready W1ready", // of two workloads
		"":                  strings.Join(names(all), " "),
	} {
		if chosen, err := Choose(all, list); err != nil || strings.Join(names(chosen), " ") != want {
			t.Errorf("%q: %v, %v; want %s", list, names(chosen), err, want)
		}
	}
	if _, err := Choose(all, "header,lockstep"); err == nil || err.Error() != `-only "lockstep": no such check; known are ready, header, exact, lock-step` {
		t.Errorf("%v; want what is unknown, and what is known", err)
	}
}

// A first check may see that a server would fail all other checks in the same way, each with a line.
func TestAFirstCheckMayEndTheOthers(t *testing.T) {
	for name, c := range map[string]struct {
		role string
		err  error
		want string // evidence of the checks
	}{
		"a stop":        {"silent", Stop{errors.New("no answer, so no other check")}, "ready:, first:no answer, so no other check"},
		"a failure":     {"silent", errors.New("wrong type"), "ready:, first:wrong type, next:"},
		"no failure":    {"silent", nil, "ready:, first:, next:"},
		"an early exit": {"exits", nil, "ready:exited with status 4; its last lines:\n    cannot start"},
	} {
		all := checks(Check{Name: "first", First: true, Run: func(context.Context, *Subject) error { return c.err }},
			Check{Name: "next", Run: func(context.Context, *Subject) error { return nil }})
		s := testServer(t, c.role)
		results, err := Server(t.Context(), project(t, ""), filepath.Join(s.Dir, "logs"), s, all, process.FreePort, func(Result) {})
		var said []string
		for _, r := range results {
			said = append(said, r.Check+":"+r.Evidence)
		}
		if got := strings.Join(said, ", "); err != nil || got != c.want && !strings.HasPrefix(got, c.want+"\n") {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

// A person sees what a server fails while its other checks still wait.
func TestAFailureIsReportedAtOnce(t *testing.T) {
	told := make(chan Result, 1)
	all := checks(
		Check{Name: "slow", Run: func(ctx context.Context, _ *Subject) error {
			select {
			case r := <-told:
				told <- r
				return nil
			case <-ctx.Done():
				return errors.New("not told")
			}
		}},
		Check{Name: "wrong", Clause: "C2", Must: true, Run: func(context.Context, *Subject) error { return errors.New("it is wrong") }})
	s := testServer(t, "silent")
	results, err := Server(t.Context(), project(t, ""), filepath.Join(s.Dir, "logs"), s, all, process.FreePort, func(r Result) {
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
		more = append(more, Check{Name: strconv.Itoa(i), Run: func(ctx context.Context, _ *Subject) error {
			arrived <- true
			select {
			case <-all:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}})
	}
	waiting := checks(more...)
	go func() {
		for range many {
			<-arrived
		}
		close(all)
	}()
	s := testServer(t, "silent")
	results, err := Server(t.Context(), project(t, ""), filepath.Join(s.Dir, "logs"), s, waiting, process.FreePort, func(Result) {})
	if err != nil || slices.ContainsFunc(results, func(r Result) bool { return !r.Pass }) {
		t.Errorf("%+v, %v; want all %d to wait at the same time", results, err, many)
	}
}
