package verdict

import (
	"strings"
	"testing"
)

// line is a comparison whose cells all scattered by sd.
func noiseLine(epoch, server string, sd float64) NoiseHistory {
	line := NoiseHistory{Epoch: epoch, Workload: "relay", Server: server, Cells: map[string]Variance{}}
	for _, cell := range []string{"steady server_cpu_us_per_stream", "baseline ttft_p95_ms", "stress rate_per_s"} {
		line.Cells[cell] = Variance{sd * sd, 7}
	}
	return line
}

func TestSmallestIsOfTheNewestServerAndMachine(t *testing.T) {
	quiet := noiseLine("a", "one", 0.02)
	for name, c := range map[string]struct {
		history []NoiseHistory
		n       int
	}{
		"one line":        {[]NoiseHistory{quiet}, 1},
		"another machine": {[]NoiseHistory{noiseLine("b", "one", 9), quiet}, 1},
		"another server":  {[]NoiseHistory{noiseLine("a", "two", 9), quiet}, 1},
		"three lines":     {[]NoiseHistory{quiet, quiet, noiseLine("b", "one", 9), quiet}, 3},
	} {
		s := SmallestOf(c.history)
		if s.Comparisons != c.n || s.Epoch != "a" || s.Name != "one" || s.String() != SmallestOf([]NoiseHistory{quiet}).String() {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if s := SmallestOf([]NoiseHistory{quiet}); len(s.Cells) != 3 || !strings.HasPrefix(s.String(), "latency ") && !strings.HasPrefix(s.String(), "CPU ") {
		t.Errorf("%s", s)
	}
}

// More noise hides larger changes, and more comparisons know it better.
func TestSmallestGrowsWithTheNoise(t *testing.T) {
	var few, many, noisy []NoiseHistory
	for i := range 20 {
		many, noisy = append(many, noiseLine("a", "one", 0.1)), append(noisy, noiseLine("a", "one", 0.2))
		if i < 3 {
			few = append(few, noiseLine("a", "one", 0.1))
		}
	}
	for i, c := range SmallestOf(many).Cells {
		if more := SmallestOf(noisy).Cells[i].Change; more < 1.8*c.Change {
			t.Errorf("%s: %g, with twice the noise %g", c.Criterion.Name(), c.Change, more)
		}
		if less := SmallestOf(few).Cells[i].Change; less <= c.Change {
			t.Errorf("%s: %g of 20 comparisons, %g of three", c.Criterion.Name(), c.Change, less)
		}
	}
	for _, nothing := range [][]NoiseHistory{nil, {{Epoch: "a", Workload: "relay", Server: "one"}}, {{Epoch: "a", Workload: "gone", Server: "one", Cells: many[0].Cells}}} {
		if s := SmallestOf(nothing); s.String() != "" {
			t.Errorf("%+v: %s", nothing, s)
		}
	}
	floor := SmallestOf([]NoiseHistory{noiseLine("a", "one", 1e-6)}).Cells
	for _, c := range floor {
		if c.Change != c.Criterion.Floor {
			t.Errorf("%s: %g; want the floor, %g", c.Criterion.Name(), c.Change, c.Criterion.Floor)
		}
	}
}
