// Package comparetest makes records of comparisons for tests.
package comparetest

import (
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// Complete adds to the records of a run those of all scenarios of a comparison. A missing steady is a copy of
// baseline.
func Complete(records []record.Record) (all []record.Record) {
	steady := slices.ContainsFunc(records, func(r record.Record) bool { return r.Scenario == "steady" })
	for _, name := range workload.All[0].ComparedRecords() {
		for _, r := range records {
			if r.Scenario == "baseline" && name == "steady" && !steady {
				r.Scenario = name
			}
			if r.Scenario == name {
				all = append(all, r)
			}
		}
	}
	return all
}

var percentile = regexp.MustCompile(`_(p[0-9]+|max)_ms$`)

// Lines makes records of a comparison of one server with itself, with noise, one a line. They come from the
// records in a file; change alters some.
func Lines(t *testing.T, file string, change func(*record.Record)) []string {
	t.Helper()
	records := testfile.Read(t, file, record.Read)
	random := rand.New(rand.NewPCG(8, 9))
	var lines []string
	for round := 1; round <= verdict.Rounds; round++ {
		for _, r := range Complete(records) {
			sides := []string{"base", "head"}
			if r.Server.Name == "direct" {
				sides = []string{""}
			} else if r.Server.Name != "go-http" {
				continue
			}
			r.Round, r.Run.Rounds, r.Run.Quick = round, verdict.Rounds, false
			plain := r.Metrics
			for _, r.Server.Side = range sides {
				r.Metrics = record.Metrics{}
				noise := map[string]float64{}                          // percentiles of one quantity share theirs, so they stay in order
				for _, name := range slices.Sorted(maps.Keys(plain)) { // otherwise each run gets other noise
					of := percentile.ReplaceAllString(name, "")
					if noise[of] == 0 {
						noise[of] = math.Exp(0.01 * random.NormFloat64())
					}
					if r.Metrics[name] = plain[name]; plain[name] != nil {
						noisy := *plain[name] * noise[of]
						r.Metrics[name] = &noisy
					}
				}
				r.Status, r.Why, r.Conditions.Disturbed = record.OK, []string{}, []string{}
				change(&r)
				var line strings.Builder
				if err := record.Write(&line, []record.Record{r}); err != nil {
					t.Fatal(err)
				}
				lines = append(lines, line.String())
			}
		}
	}
	return lines
}
