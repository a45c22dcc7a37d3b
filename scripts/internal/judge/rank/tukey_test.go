package rank

import (
	"math"
	"testing"
)

// The figures are those of published tables (Harter 1960).
func TestTheStudentizedRangeIsThatOfTables(t *testing.T) {
	for _, c := range []struct {
		k    int
		free float64
		want float64
	}{{2, 10, 3.151}, {3, 5, 4.602}, {8, 14, 4.990}, {8, 7, 5.815}, {10, 20, 5.008}, {18, 60, 5.154}, {8, 1000, 4.291}} {
		if got := studentizedRange(0.95, c.k, c.free); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%d values, %g degrees of freedom: %.3f, want %.3f", c.k, c.free, got, c.want)
		}
	}
}
