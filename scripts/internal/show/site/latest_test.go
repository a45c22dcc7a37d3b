package site_test

import (
	"math"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/testfile"
)

// The ratios and the order of a ranking are those of the figures beside it.
func TestRanksAreThoseOfTheFigures(t *testing.T) {
	for _, name := range []string{"relay", "web", "files", "agent"} {
		records := testfile.Read(t, "../../../../servers/"+name+"/results.jsonl", record.Read)
		s, _ := build(t, site.Facts{Local: []site.Local{{Records: records}}})
		board := get[site.Latest](t, s, "latest.json")
		if len(board.Rankings) != 3 {
			t.Errorf("%s: %d rankings", name, len(board.Rankings))
		}
		for _, r := range board.Rankings {
			figure := func(server string) float64 {
				for _, f := range board.Figures {
					if f.Scenario == r.Scenario && f.Target == server && f.Metric == r.Metric {
						return f.Mean
					}
				}
				return math.NaN()
			}
			for i, one := range r.Ranked {
				first := figure(r.Ranked[0].Server)
				if got := figure(one.Server) / first; !(math.Abs(got/one.Ratio-1) < 1e-4) {
					t.Errorf("%s, %s: %s is %g times the first, by its figure %g", name, r.Scenario, one.Server, one.Ratio, got)
				}
				if i > 0 && (one.Ratio < r.Ranked[i-1].Ratio) != (r.Ranked[len(r.Ranked)-1].Ratio < 1) {
					t.Errorf("%s, %s: %s stands behind %s", name, r.Scenario, one.Server, r.Ranked[i-1].Server)
				}
			}
		}
	}
}
