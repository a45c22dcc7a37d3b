package main

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"fairstream/k6/rig"
)

// The pace of the stub and the time that the relay holds events are long beside
// what a busy machine adds, and both clients have their streams in the same
// seconds. So their medians are a few ms apart at most, while an error of
// either, such as another event's time, is of the order of the pace.
func TestTheModuleAgreesWithRawSockets(t *testing.T) {
	if testing.Short() {
		t.Skip("links k6")
	}
	dir := t.TempDir()
	c := config{
		k6: filepath.Join(dir, "k6"), stub: filepath.Join(dir, "stub"), script: "stream.js",
		vus: 10, tokens: 8, itl: 50 * time.Millisecond, ttft: 200 * time.Millisecond, hold: 100 * time.Millisecond,
		rounds: 1, each: 4 * time.Second,
	}
	for module, bin := range map[string]string{"..": c.k6, "../../stub": c.stub} {
		if err := rig.Build(module, bin); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := compare(c)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"TTFT", "itl", "token_delay"} {
		r := rows[i]
		t.Logf("%s: %.0f us of %d, %.0f us of %d", r.name, r.k6, r.ofK6, r.raw, r.ofRaw)
		if r.name != name || r.ratio < 0.95 || r.ratio > 1.05 {
			t.Errorf("p50 of %s: %.0f us by k6/x/sse, %.0f us by raw sockets, ratio %.3f; want 0.95 to 1.05", r.name, r.k6, r.raw, r.ratio)
		}
	}
}

// The control is read as k6 is, so its report must say the same of a stream.
func TestTheControlReportsAsK6Does(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "stub")
	if err := rig.Build("../../stub", bin); err != nil {
		t.Fatal(err)
	}
	stub, base, err := rig.Stub(bin)
	if err != nil {
		t.Fatal(err)
	}
	defer rig.End(stub)
	c := config{vus: 2, tokens: 5, itl: 2 * time.Millisecond, rounds: 1, each: time.Second}
	var out bytes.Buffer
	if err := control(c, base+"/chat/completions", rig.Body("hello @tokens=5 @itl=2ms @ttft=30ms"), &out); err != nil {
		t.Fatal(err)
	}
	r, err := parse(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	s := r.round(0)
	n := uint64(s.OK)
	if n == 0 || s.TTFT.Count != n || s.Itl.Count != 4*n || s.TokenDelay.Count != 5*n || s.TTFT.MinUS < 30_000 {
		t.Errorf("%d streams, %d TTFT from %d us on, %d itls, %d token delays", n, s.TTFT.Count, s.TTFT.MinUS, s.Itl.Count, s.TokenDelay.Count)
	}
}
