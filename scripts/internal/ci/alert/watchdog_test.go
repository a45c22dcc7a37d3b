package alert

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/ci/github"
)

// Each case is what GitHub says of two jobs, minute by minute; the last line holds for ever.
func TestALostRunnerIsNotWaitedFor(t *testing.T) {
	queued, runs, done := "queued", "in_progress", "completed"
	looks := func(n int, statuses ...string) (all [][]string) {
		for range n {
			all = append(all, statuses)
		}
		return all
	}
	join := func(all ...[][]string) (line [][]string) {
		for _, some := range all {
			line = append(line, some...)
		}
		return line
	}
	for name, c := range map[string]struct {
		looks   [][]string
		lost    bool
		minutes float64 // until it returns
	}{
		"both run":                      {join(looks(1, queued, queued), looks(100, runs, queued), looks(1, done, queued), looks(100, done, runs), looks(1, done, done)), false, 202},
		"no runner at all":              {looks(1, queued, queued), true, 16},
		"jobs that GitHub has not made": {looks(1), false, 16},
		"one that waits for its group":  {looks(1, "pending", "waiting"), true, 16},
		"a runner that comes late":      {join(looks(15, queued, queued), looks(30, runs, queued), looks(1, done, done)), false, 45},
		"a runner that comes too late":  {join(looks(17, queued, queued), looks(30, runs, queued)), true, 16},
		"lost after the first job":      {join(looks(40, runs, queued), looks(1, done, queued)), true, 56},
		"a pause between two jobs":      {join(looks(40, runs, queued), looks(14, done, queued), looks(2, done, runs), looks(1, done, done)), false, 56},
		"unknown for long":              {join(looks(60, "error"), looks(1, done, done)), false, 60},
		"unknown, then waiting":         {join(looks(60, "error"), looks(1, queued, queued)), true, 76},
		// GitHub's spelling is not ours to test, and must not cost an honest run.
		"other names that run":        {join(looks(40, runs, queued), looks(40, done, runs), looks(1, done, done)), false, 96},
		"other names that wait":       {looks(1, queued, queued), true, 16},
		"longer than a day of GitHub": {looks(1, runs, queued), false, 330},
	} {
		name1, name2 := "load / load relay.go-http", "load / load relay.go-gin"
		if strings.HasPrefix(name, "other names") {
			name1, name2 = "load (relay.go-http)", "load (relay.go-gin)"
		}
		began := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
		now, cancelled := began, 0
		w := Watchdog{
			Names: []string{"relay.go-http", "relay.go-gin"}, Patience: Patience, Say: func(string) {},
			Jobs: func(context.Context) ([]github.Job, error) {
				minute := min(int(now.Sub(began).Minutes()), len(c.looks)-1)
				// Others of the run, which are not the call's.
				jobs := []github.Job{{Name: "plan", Status: done}, {Name: "load / watchdog", Status: runs}, {Name: "comparison / load comparison.relay.go-http", Status: done, Labels: []string{"self-hosted", "fairstream-pr"}}}
				for i, status := range c.looks[minute] {
					if status == "error" {
						return nil, errors.New("502 Bad Gateway")
					}
					jobs = append(jobs, github.Job{Name: []string{name1, name2}[i], Status: status, Labels: []string{"self-hosted", "fairstream-pr"}})
				}
				return jobs, nil
			},
			Cancel: func(context.Context) error { cancelled++; return nil },
			now:    func() time.Time { return now },
			sleep:  func(_ context.Context, d time.Duration) error { now = now.Add(d); return nil },
		}
		err := w.Do(t.Context())
		if errors.Is(err, Lost) != c.lost || (err != nil) != c.lost || (cancelled == 1) != c.lost || cancelled > 1 {
			t.Errorf("%s: %v, cancelled %d times; lost: %t", name, err, cancelled, c.lost)
		}
		if got := now.Sub(began).Minutes(); got != c.minutes {
			t.Errorf("%s: returned after %g minutes, want %g", name, got, c.minutes)
		}
	}
}

func TestAWatchThatIsEndedCancelsNothing(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	w := Watchdog{
		Names: []string{"a"}, Say: func(string) {},
		Jobs:   func(context.Context) ([]github.Job, error) { end(); return nil, nil },
		Cancel: func(context.Context) error { t.Error("cancelled"); return nil },
	}
	if err := w.Do(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
