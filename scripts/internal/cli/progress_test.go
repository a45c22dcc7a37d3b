package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestAStepIsAPlainLineWithoutATerminal(t *testing.T) {
	var out bytes.Buffer
	b := NewBar(&out, 80*time.Second)
	b.Step("axum baseline", 20*time.Second)
	b.Step("axum stress", 50*time.Second)
	b.Step("tidying", 0)
	b.End()
	b.Step("gin baseline", 30*time.Second)
	b.Step("longer than planned", time.Second)
	b.End()
	b.End()
	want := "  0 %  axum baseline  (about 1m20s left)\n" +
		" 25 %  axum stress  (about 1m0s left)\n" +
		" 88 %  tidying  (about 10s left)\n" +
		" 88 %  gin baseline  (about 10s left)\n" +
		"100 %  longer than planned  (about 0s left)\n"
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestAStepWithoutATotalIsItsLabel(t *testing.T) {
	var out bytes.Buffer
	b := NewBar(&out, 0)
	b.Step("building gin", 0)
	b.Step("building axum", time.Minute)
	b.End()
	if got, want := out.String(), "building gin\nbuilding axum\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A log has a step once, whatever changes in it.
func TestAnUpdateIsNoLineOfALog(t *testing.T) {
	var out bytes.Buffer
	b := NewBar(&out, 0)
	b.Step("verify", 0)
	b.Update("verify: 1 of 2")
	b.Update("verify: 2 of 2")
	b.End()
	if got := out.String(); got != "verify\n" {
		t.Errorf("got %q", got)
	}
}

// written passes on what is written to it.
type written chan string

func (w written) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

// Where a log is all there is, a long step says from time to time that it goes on.
func TestALongStepIsRepeatedWithoutATerminal(t *testing.T) {
	for total, want := range map[time.Duration]string{
		time.Hour: `^  0 %  soak  \(about 1h0m0s left\)\n(  \d %  soak  \(about (1h0m0|5\dm\d+)s left\)\n){2,}$`,
		0:         `^soak\n(soak  \d+s\n){2,}$`,
	} {
		out := make(written, 100_000)
		b := NewBar(out, total)
		b.every = time.Millisecond
		b.Step("soak", 30*time.Minute)
		text := <-out + <-out + <-out
		b.End()
		close(out)
		for line := range out {
			text += line
		}
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("got\n%swant %s", text, want)
		}
	}
}

func TestTheLineOnATerminalShowsTheShareAndTheTimeLeft(t *testing.T) {
	for _, c := range []struct {
		want             string
		total, done, ago time.Duration
	}{
		{"[........................]   0 %  gin  (about 1m40s left)", 100, 0, 0},
		{"[######..................]  25 %  gin  (about 1m15s left)", 100, 20, 5},
		{"[#######################.]  99 %  gin  (about 1s left)", 100, 90, 9},
		{"[########################] 100 %  gin  (about 0s left)", 100, 100, 0},
		{"[########################] 100 %  gin  (about 0s left)", 100, 90, 70},
		{"gin  0s", 0, 0, 0},
		{"gin  1m5s", 0, 7, 65},
	} {
		b := Bar{terminal: true, total: c.total * time.Second, done: c.done * time.Second}
		if got := b.line("gin", c.ago*time.Second); got != c.want {
			t.Errorf("%v of %v, %v ago:\ngot  %s\nwant %s", c.done, c.total, c.ago, got, c.want)
		}
	}
	b := Bar{terminal: true}
	if got, want := b.line("gin", 2600*time.Millisecond), "gin  3s"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Steps that took five times their plan tell how long the rest takes. Rounds that are measured again belong to it.
func TestTheTimeLeftLearnsFromFinishedSteps(t *testing.T) {
	var out bytes.Buffer
	b := Bar{w: &out, every: time.Hour, end: func() {}}
	b.Left(40 * time.Second)
	b.Step("round 1", 20*time.Second)
	b.done, b.learned, b.took = 20*time.Second, 20*time.Second, 100*time.Second
	for ago, want := range map[time.Duration]string{
		0:                " 50 %  round 2  (about 1m40s left)",
		10 * time.Second: " 75 %  round 2  (about 50s left)",
	} {
		if got := b.line("round 2", ago); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	b.End()
	b.done, b.learned, b.took = 40*time.Second, 40*time.Second, 200*time.Second
	b.Left(20 * time.Second) // one of both is measured again
	if got, want := b.line("round 3", 0), " 67 %  round 3  (about 1m40s left)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A script of k6 is planned with the time that it may take to end. A step that failed at once says nothing of the others.
func TestTheTimeLeftLearnsFromShortSteps(t *testing.T) {
	b := Bar{learned: 50 * time.Second, done: 50 * time.Second, took: 20 * time.Second, total: 100 * time.Second}
	if got, want := b.line("round 2", 0), " 50 %  round 2  (about 20s left)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b = Bar{w: new(bytes.Buffer), every: time.Hour, end: func() {}, total: 100 * time.Second}
	b.Step("gin", 50*time.Second)
	b.End()
	if got, want := b.line("axum", 0), " 50 %  axum  (about 50s left)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b.AtMost = true
	if got, want := b.line("axum", 0), " 50 %  axum  (at most about 50s left)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAStepOnATerminalEndsTheStepBefore(t *testing.T) {
	var out bytes.Buffer
	b := Bar{w: &out, terminal: true, every: time.Second, total: 40 * time.Second, end: func() {}}
	b.Step("axum", 10*time.Second)
	b.Step("gin", 0)
	b.End()
	b.End()
	if b.done != 10*time.Second {
		t.Errorf("%v are done, want 10s", b.done)
	}
	const clear = "\r\x1b[K"
	last := "[######..................]  25 %  gin  (about 30s left)"
	if got := out.String(); !strings.HasPrefix(got, clear+"[") || !strings.Contains(got, clear+clear+last) || !strings.HasSuffix(got, last+clear) {
		t.Errorf("got %q", got)
	}
}

func TestAPrintedLineStays(t *testing.T) {
	for terminal, want := range map[bool]string{false: "checking\nit failed\n", true: clear + "checking  0s" + clear + "it failed\n" + clear} {
		var out bytes.Buffer
		b := NewBar(&out, 0)
		b.terminal, b.every = terminal, time.Hour
		b.Step("checking", 0)
		b.Print("it failed")
		b.End()
		if got := out.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
