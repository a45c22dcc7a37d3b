package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The command runs to its end, with both sides, and says the ratio. How large it is says nothing in
// so short a time. It counts at any pace, since other programs may have the machine meanwhile.
func TestCostSaysTheRatio(t *testing.T) {
	dir := t.TempDir()
	for name, pkg := range map[string]string{"stub": "..", "cost": "."} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, name), pkg).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	said := regexp.MustCompile(`(?m)^ +4 streams,  1ms apart: stub +[0-9.]+ us a token, .* ratio [0-9.]+ \(`)
	for most, passes := range map[string]bool{"100": true, "0.01": false} {
		cmd := exec.Command(filepath.Join(dir, "cost"), "-stub", filepath.Join(dir, "stub"), "-rounds", "1", "-paces", "1ms/4",
			"-settle", "50ms", "-window", "500ms", "-kept", "0", "-most", most)
		out, err := cmd.CombinedOutput()
		if (err == nil) != passes || !said.Match(out) || strings.Contains(string(out), "ratio above ") == passes {
			t.Errorf("at most %s: %v\n%s", most, err, out)
		}
	}
}

// The bare loop makes the writes of the stub: each of them, at its time.
func TestWritesAreThoseOfAnAnswer(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "stub")
	if out, err := exec.Command("go", "build", "-o", bin, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s, err := begin(nil, bin)
	if err != nil {
		t.Fatal(err)
	}
	defer s.end()
	writes, err := writesOf(s.addr, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]string{0: "HTTP/1.1 200 OK", 1: `"role"`, 2: `"content":"0:`, 21: `"content":"19:`, 22: `"stop"`, 23: "[DONE]", 24: "0\r\n\r\n"} {
		due := time.Duration(min(max(0, i-2), costTokens)) * time.Millisecond
		if w := writes[i]; w.DueNS != due || !strings.Contains(string(w.Bytes), want) {
			t.Errorf("write %d is %q after %v; want %s after %v", i, w.Bytes, w.DueNS, want, due)
		}
	}
}
