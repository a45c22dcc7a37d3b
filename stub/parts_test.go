package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The generated file has all workloads.
func TestTheGeneratedFileIsUpToDate(t *testing.T) {
	text, err := os.ReadFile("parts.go")
	if err != nil {
		t.Fatal(err)
	}
	_, command, ok := strings.Cut(string(text), "//go:generate ")
	if command, _, ok = strings.Cut(command, "\n"); !ok {
		t.Fatal("parts.go has no go:generate")
	}
	if out, err := exec.Command("sh", "-c", command+" -check").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
