package doctor

import (
	"slices"
	"strings"
	"testing"
)

func TestLists(t *testing.T) {
	for text, want := range map[string][]int{
		"0-3": {0, 1, 2, 3}, "0,2-3,7\n": {0, 2, 3, 7}, "5": {5},
		"": nil, "3-1": nil, "0,3-1": nil, "-1": nil, "a": nil, "0-": nil, "0-99999999": nil, "1,,2": nil,
		strings.Repeat("0-8191,", 1000) + "1": nil,
	} {
		if got := cpuList(text); !slices.Equal(got, want) {
			t.Errorf("%.20q: %.20v, want %v", text, got, want)
		}
	}
}

func TestTicksAreThoseOfTheCPUsThatMayBeUsed(t *testing.T) {
	const text = "cpu  99 99 99 99 99 99 99 99 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\ncpu1 10 20 30 40 50 60 70 80 0 0\nintr 7\n"
	for _, c := range []struct {
		cpus  []int
		want  ticks
		cores int
	}{
		{nil, ticks{209, 88, 396}, 2},
		{[]int{1}, ticks{190, 80, 360}, 1},
		{[]int{7}, ticks{}, 0},
	} {
		if got, cores := cpuTicks(text, c.cpus); got != c.want || cores != c.cores {
			t.Errorf("%v: %v %d, want %v %d", c.cpus, got, cores, c.want, c.cores)
		}
	}
}

func TestProcesses(t *testing.T) {
	for text, want := range map[string]process{
		"7 (sh) S 1 7 7 0 -1 0 0 0 0 0 30 4 0 0 20 0 1 0 5":         {"sh", 34},
		"7 (a) b) (c) S 1 7 7 0 -1 0 0 0 0 0 30 4 0 0 20 0 1 0 5":   {"a) b) (c", 34},
		"7 (sh) S 1 7 7 0 -1 0 0 0 0 0 30":                          {},
		"7 (sh) S one 7 7 0 -1 0 0 0 0 0 30 4 0 0 20 0 1 0 5":       {},
		"7 )sh( S 1 7 7 0 -1 0 0 0 0 0 30 4 0 0 20 0 1 0 5":         {},
		"7 (sh) S 1 7 7 0 -1 0 0 0 0 0 thirty 4 0 0 20 0 1 0 5 6 7": {},
	} {
		got, parent, ok := parseStat(text)
		if got != want || ok != (want.command != "") || ok && parent != 1 {
			t.Errorf("%s: %v %d %v, want %v", text, got, parent, ok, want)
		}
	}
}

// A process names itself; a terminal must not obey that.
func TestANameIsOnlyShown(t *testing.T) {
	machine := open(t, "battery")
	machine.set(map[string]string{
		"/proc/2500/stat":       "2500 (\x1b[2J\n) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 1",
		"/later/proc/2500/stat": "2500 (\x1b[2J\n) S 1 1 1 0 -1 0 0 0 0 0 90 0 0 0 20 0 1 0 1",
	})
	if seen := byName(t, machine.look(t), "others").Seen; !strings.Contains(seen, `: \x1b[2J\n (2500) 45 %`) {
		t.Errorf("%q", seen)
	}
}
