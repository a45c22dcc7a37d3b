// Package lib tests the scripts beside it.
package lib

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// content.js makes the golden text of content.go, so the stub's files are those that scripts expect.
func TestContentIsThatOfTheStub(t *testing.T) {
	golden, err := os.ReadFile("../../../stub/files/content/testdata/text.golden")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSpace(string(golden)), "\n")
	if len(lines) < 5 {
		t.Fatalf("the golden text has %d lines; want 5", len(lines))
	}
	js, err := os.ReadFile("content.js")
	if err != nil {
		t.Fatal(err)
	}
	loop := `
import { readFileSync } from "node:fs"
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const [size, seed] = line.split(" ").map(Number)
  console.log(size, seed, text(size, seed))
}`
	node := exec.Command("node", "--input-type=module", "-e", string(js)+loop)
	node.Stdin = strings.NewReader(string(golden))
	got, err := node.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	if string(got) != string(golden) {
		t.Errorf("got\n%swant\n%s", got, golden)
	}
}
