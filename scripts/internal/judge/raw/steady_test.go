package raw

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each second of pidstat counts once, however somebody sets the clock meanwhile.
func TestSecondsArePassedOnceHoweverTheClockIsSet(t *testing.T) {
	for name, c := range map[string]struct{ seconds, want []int64 }{
		"never":              {[]int64{100, 101, 102, 103}, []int64{100, 101, 102, 103}},
		"a second is missed": {[]int64{100, 101, 104, 105}, []int64{100, 101, 104, 105}},
		"two end in one":     {[]int64{100, 100, 102, 103}, []int64{100, 101, 102, 103}},
		"back by two":        {[]int64{100, 101, 102, 101, 102, 103}, []int64{100, 101, 102, 103, 104, 105}},
		"back by an hour":    {[]int64{5000, 5001, 1401, 1402, 1403}, []int64{5000, 5001, 5002, 5003, 5004}},
		"forward by a year":  {[]int64{100, 101, 31_536_102, 31_536_103, 31_536_105}, []int64{100, 101, 102, 103, 105}},
		"there and back":     {[]int64{100, 101, 3702, 3703, 104, 105}, []int64{100, 101, 102, 103, 104, 105}},
	} {
		text := "Linux\n"
		for _, second := range c.seconds {
			text += fmt.Sprintf("\n# Time PID %%CPU RSS\n%d 7 1 1\n%[1]d 8 1 1\n", second)
		}
		samples, err := ParsePidstat(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for i, s := range samples {
			if s.PID == 7 {
				got = append(got, s.Time)
			} else if s.Time != samples[i-1].Time {
				t.Errorf("%s: processes of a second at %d and %d", name, samples[i-1].Time, s.Time)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
