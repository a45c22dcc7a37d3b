package compare

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
)

// A fakeMachine has one core. A program called hog, and programs that /proc does not show, use a share of it
// until a moment. Time passes in rounds and in pauses.
type fakeMachine struct {
	seconds, until int
	hog, unseen    int // per cent
	hogged         int // ticks so far
	busy           int
}

func (m *fakeMachine) pass(seconds int) {
	for range seconds {
		if m.seconds++; m.seconds <= m.until {
			m.hogged += m.hog
			m.busy += m.hog + m.unseen
		}
	}
}

func (m *fakeMachine) Open(name string) (fs.File, error) {
	return fstest.MapFS{
		"proc/stat":   {Data: fmt.Appendf(nil, "cpu0 %d 0 0 %d 0 0 0 0 0 0\n", m.busy, 100*m.seconds-m.busy)},
		"proc/9/stat": {Data: fmt.Appendf(nil, "9 (hog) R 1 1 1 0 -1 0 0 0 0 0 %d 0 0 0 20 0 1 0 5", m.hogged)},
	}.Open(name)
}

// Rounds that other programs disturb are named with those programs, and wait for their end when asked.
func TestWhoDisturbsIsNamed(t *testing.T) {
	const hog = "hog (9) used 48 % of the machine"
	const end = "comparison: end them, or let rounds wait for a quiet machine with -wait 10m\n"
	inRound := func(who string) string { return "comparison: in this round, " + who + "\n" }
	for name, c := range map[string]struct {
		machine   fakeMachine
		disturbed []int // rounds
		wait      time.Duration
		want      string
		seconds   int // that pass in rounds and pauses until the comparison ends
	}{
		"one discarded round may be chance": {fakeMachine{hog: 48, until: 10}, []int{1}, 0, "", 50},
		"from the second on":                {fakeMachine{hog: 48, until: 30}, []int{1, 2, 3}, 0, inRound(hog) + end + inRound(hog), 30},
		"not in a row":                      {fakeMachine{hog: 48, until: 999}, []int{1, 3}, 0, inRound(hog) + end, 60},
		"outside this container":            {fakeMachine{unseen: 31, until: 999}, []int{1, 2}, 0, inRound("programs that /proc does not show used 31 % of the machine") + end, 60},
		"nobody uses much":                  {fakeMachine{hog: 8, until: 999}, []int{1, 2}, 0, "", 60},
		"a wait until it ends": {fakeMachine{hog: 48, until: 22}, []int{1}, time.Minute,
			"wait for a quiet machine, at most 1m0s: " + hog + "\ncomparison: the machine is quiet after 20s\n", 70},
		"a machine that is quiet again": {fakeMachine{hog: 48, until: 10}, []int{1}, time.Minute, "", 55},
		"a wait that is too short": {fakeMachine{hog: 48, until: 999}, []int{1}, 12 * time.Second,
			"wait for a quiet machine, at most 12s: " + hog + "\ncomparison: the machine was not quiet within 12s: " + hog + "; the round begins\n", 62},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, commit(1))
			m, last := c.machine, 0
			f.slow = func(r *record.Record, _ raw.LoadChange) {
				if r.Round > last {
					last = r.Round
					m.pass(10)
				}
				for _, round := range c.disturbed {
					if r.Round == round {
						why := []string{"other programs used 48 % of the machine in the target's slices; want at most 25 %"}
						r.Status, r.Why, r.Conditions.Disturbed = record.Warning, why, why
					}
				}
			}
			cmp, _ := comparison(t, f)
			cmp.Rounds, cmp.Wait, cmp.machine = 4, c.wait, &m
			cmp.pause = func(_ context.Context, d time.Duration) error { m.pass(int(d / time.Second)); return nil }
			var err error
			told := testfile.Stderr(t, func() { err = cmp.Servers(t.Context(), goHTTP) })
			var kept strings.Builder
			for line := range strings.Lines(told) {
				if !strings.HasPrefix(line, "records: ") && !strings.HasPrefix(line, "replay: ") && !strings.HasSuffix(line, "it is measured again\n") {
					kept.WriteString(line)
				}
			}
			if err != nil && c.wait > 0 || kept.String() != c.want || m.seconds != c.seconds {
				t.Errorf("%v after %d s; want %d s; stderr:\n%s\nwant\n%s", err, m.seconds, c.seconds, told, c.want)
			}
		})
	}
}

// A wait ends with its context, and so does the load.
func TestAWaitEndsWithItsContext(t *testing.T) {
	m := fakeMachine{hog: 48, until: 999}
	ctx, cancel := context.WithCancel(t.Context())
	d := disturbers{root: &m, most: time.Hour, pause: func(ctx context.Context, d time.Duration) error {
		m.pass(int(d / time.Second))
		if m.seconds == 30 {
			cancel()
		}
		return ctx.Err()
	}}
	told := testfile.Stderr(t, func() { d.roundEnded(ctx, true, false) })
	if m.seconds != 30 || strings.Contains(told, "begins") {
		t.Errorf("ended after %d s:\n%s", m.seconds, told)
	}
}
