package load

import (
	"fairstream/scripts/internal/judge/raw"
	"testing"
)

// Discarded rounds are measured again, so they are part of the time left. Their number has a limit.
func TestRoundsLeftHaveThoseThatAreMeasuredAgain(t *testing.T) {
	o := Options{Asked: raw.Asked{Rounds: 12}, Repeats: 6}
	for _, c := range []struct{ round, discarded, want int }{{0, 0, 12}, {4, 0, 8}, {4, 3, 11}, {12, 0, 0}, {12, 1, 1}, {14, 4, 2}, {18, 9, 0}, {19, 9, 0}} {
		if got := o.left(c.round, c.discarded); got != c.want {
			t.Errorf("after round %d, with %d discarded: %d, want %d", c.round, c.discarded, got, c.want)
		}
	}
}
