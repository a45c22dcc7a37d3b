package usage

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
		if got := ParseList(text); !slices.Equal(got, want) {
			t.Errorf("%.20q: %.20v, want %v", text, got, want)
		}
	}
}

func TestTicksAreThoseOfTheCPUsThatMayBeUsed(t *testing.T) {
	const text = "cpu  99 99 99 99 99 99 99 99 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\ncpu1 10 20 30 40 50 60 70 80 0 0\nintr 7\n"
	for _, c := range []struct {
		cpus  []int
		want  Ticks
		cores int
	}{
		{nil, Ticks{209, 88, 396}, 2},
		{[]int{1}, Ticks{190, 80, 360}, 1},
		{[]int{7}, Ticks{}, 0},
	} {
		if got, cores := cpuTicks(text, c.cpus); got != c.want || cores != c.cores {
			t.Errorf("%v: %v %d, want %v %d", c.cpus, got, cores, c.want, c.cores)
		}
	}
}

func TestProcesses(t *testing.T) {
	for text, want := range map[string]Process{
		"7 (sh) S 1 7 7 0 -1 0 0 0 0 0 30 4 8 1 20 0 1 0 5":           {"sh", 1, 34, 9, 5},
		"7 (a) b) (c) S 1 7 7 0 -1 0 0 0 0 0 30 4 8 1 20 0 1 0 5 6 7": {"a) b) (c", 1, 34, 9, 5},
		"7 (sh) S 1 7 7 0 -1 0 0 0 0 0 30":                            {},
		"7 (sh) S one 7 7 0 -1 0 0 0 0 0 30 4 0 0 20 0 1 0 5":         {},
		"7 )sh( S 1 7 7 0 -1 0 0 0 0 0 30 4 0 0 20 0 1 0 5":           {},
		"7 (sh) S 1 7 7 0 -1 0 0 0 0 0 thirty 4 0 0 20 0 1 0 5 6 7":   {},
	} {
		if got, ok := ParseProcess(text); got != want || ok != (want.Command != "") {
			t.Errorf("%s: %v %v, want %v", text, got, ok, want)
		}
	}
}
