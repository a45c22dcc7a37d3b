package accept

import (
	"testing"
	"time"
)

// A file that Read accepts also works in every query.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"server": "go-http", "scenario": "stress", "metric": "rate_per_s", "since": "0123456789012345678901234567890123456789", "reason": "r", "by": "Ann", "expires": "2027-01-31"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := parse(text)
		if err != nil {
			return
		}
		a.Covers("stress-100", "rate_per_s")
		if a.All() && !a.Covers("stress-100", "rate_per_s") {
			t.Errorf("%+v covers all and not a cell", a)
		}
		Valid([]Acceptance{a}, a.ID(), time.Unix(1<<31, 0))
	})
}
