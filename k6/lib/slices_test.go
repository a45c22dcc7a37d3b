// Package lib tests the scripts beside it.
package lib

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// scheduleOf is the schedule and the longest duration that plan makes of levels, for a, b and direct.
func scheduleOf(t *testing.T, levels string) (slices []slice, maxDuration string) {
	t.Helper()
	js, err := os.ReadFile("slices.js")
	if err != nil {
		t.Fatal(err)
	}
	const before = `
const randomSeed = () => {}
const __ENV = {TARGETS_FILE: "targets"}
const open = () => '{"targets": [{"name": "a"}, {"name": "direct"}, {"name": "b"}], "watched": {}}'
`
	after := `
let schedule
const {options} = plan({schedule: (s) => { schedule = s }}, ` + levels + `)
console.log(JSON.stringify({slices: schedule.slices, max: options.scenarios.load.maxDuration}))`
	node := exec.Command("node", "--input-type=module", "-e",
		before+strings.Replace(string(js), "import { randomSeed } from 'k6';", "", 1)+after)
	node.Stderr = os.Stderr
	out, err := node.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	var got struct {
		Slices []slice
		Max    string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return got.Slices, got.Max
}

type slice struct {
	Level          string
	Targets        []int
	MS             int64
	Cycle, Repeats *int
}

func TestSlicesHaveTheNumberOfTheirCycle(t *testing.T) {
	for repeatMS, want := range map[string]int{"": 0, "repeat_ms: 200,": 2, "repeat_ms: 5_000,": 4, "repeat_ms: 40,": 0} {
		all, most := scheduleOf(t, `[
	warmUpInSlices({vus: 1, ms: 3_000}),
	inSlices({level: "x", vus: 1, slice_ms: 100, each_ms: 400, direct_ms: 200, `+repeatMS+`}),
	sideBySide({level: "y", vus: 1, ms: 600})]`)
		if len(all) != 3+10+1 || most != "904s" {
			t.Fatalf("%d slices, at most %s; want 14 and 904s: twice the 1.6 s, rounded up, and 900", len(all), most)
		}
		in := map[int][]int{} // targets, by cycle
		for _, of := range all {
			if of.Level != "x" {
				if of.Cycle != nil || of.Repeats != nil {
					t.Errorf("level %s: %+v; want no cycle", of.Level, of)
				}
				continue
			}
			if of.Cycle == nil || of.Repeats == nil || *of.Repeats != want || of.MS != 100 {
				t.Fatalf("%s: %+v; want a cycle, %d repeats", repeatMS, of, want)
			}
			if in[*of.Cycle] == nil && *of.Cycle != len(in)+1 {
				t.Errorf("cycle %d after %d others", *of.Cycle, len(in))
			}
			in[*of.Cycle] = append(in[*of.Cycle], of.Targets...)
		}
		for cycle, targets := range in {
			sum := 0 // direct, number 1, has no slice in the last two
			for _, target := range targets {
				sum += target
			}
			if n := len(targets); cycle <= 2 && (n != 3 || sum != 3) || cycle > 2 && (n != 2 || sum != 2) {
				t.Errorf("cycle %d has targets %v", cycle, targets)
			}
		}
	}
}
