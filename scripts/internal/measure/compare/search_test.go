package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/release"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// releasesLoader has releases hono@1.0.0 to hono@1.9.0. Each multiplies the CPU time of a stream by its factor, if it has one.
type releasesLoader struct {
	*fakeLoader
	factor   map[int]float64
	unusable string
}

func (l releasesLoader) Checkout(ctx context.Context, servers []workload.Server, sides []session.Side) ([]load.Target, func() error, error) {
	cost := map[string]float64{}
	for _, s := range sides {
		if s.Ref == l.unusable {
			return nil, nil, notUsable{fmt.Errorf("%s: %s: another package forbids it", s.Name, s.Ref)}
		}
		cost[s.Name] = 1
		for minor := range 10 {
			if f := l.factor[minor]; f > 0 && s.Ref >= fmt.Sprintf("hono@1.%d.0", minor) {
				cost[s.Name] *= f
			}
		}
	}
	l.fakeLoader.factor[sides[1].Ref] = cost["head"] / cost["base"]
	return l.fakeLoader.Checkout(ctx, servers, sides)
}

func TestTheReleaseThatDidIt(t *testing.T) {
	slope := map[int]float64{}
	for minor := range 10 {
		slope[minor] = math.Pow(1.06, 1./9)
	}
	for name, of := range map[string]struct {
		factor   map[int]float64
		unusable string
		says     string
		searched int // comparisons after that of the ends, at most
	}{
		"one":           {map[int]float64{6: 1.2}, "", "relay/go-http: regressed by hono@1.6.0", 5},
		"the last":      {map[int]float64{9: 1.2}, "", "relay/go-http: regressed by hono@1.9.0", 5},
		"better":        {map[int]float64{2: 0.8}, "", "relay/go-http: improved by hono@1.2.0", 5},
		"two":           {map[int]float64{3: 1.2, 7: 1.2}, "", "relay/go-http: regressed by hono@1.3.0, but not as much as by all from hono@1.0.0 to hono@1.9.0; other releases may have changed it too", 5},
		"many small":    {slope, "", "relay/go-http: no single release; regressed between hono@1.0.0 and hono@1.", 5},
		"not installed": {map[int]float64{6: 1.2}, "hono@1.5.0", "relay/go-http: regressed between hono@1.0.0 and hono@1.9.0; the measurements cannot say by which release", 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, "hono@1.9.0")
			c, printed := comparison(t, f)
			s := Search{Comparison: *c, Package: "hono"}
			s.Loader = releasesLoader{f, of.factor, of.unusable}
			var all []release.Release
			for minor := range 10 {
				all = append(all, release.Release{Package: "hono", Version: fmt.Sprintf("1.%d.0", minor)})
			}
			ends, err := s.compared(t.Context(), goHTTP[0], all[0], all[9])
			if err = errors.Join(err, s.search(t.Context(), goHTTP[0], all, ends)); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(printed()), "\n")
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, of.says) || name != "many small" && last != of.says {
				t.Errorf("it says %s; want %s", last, of.says)
			}
			if n := len(f.jobs) - 1; n > of.searched {
				t.Errorf("%d comparisons; want at most %d", n, of.searched)
			}
			if of.unusable != "" && !strings.Contains(unwrapped(printed()), "not measured: head: hono@1.5.0: another package forbids it") {
				t.Errorf("it does not say what could not be measured:\n%s", printed())
			}
		})
	}
}
