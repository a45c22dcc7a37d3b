package verdict

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// Whatever records say of a comparison, it is judged, and its figures are figures.
func FuzzCompare(f *testing.F) {
	var text bytes.Buffer
	if err := record.Write(&text, comparisonRecords(func(*record.Record) {})[:6]); err != nil {
		f.Fatal(err)
	}
	f.Add(text.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		var records []record.Record
		for line := range bytes.Lines(text) {
			var r record.Record // not strictly: package record does that
			if json.Unmarshal(line, &r) == nil {
				records = append(records, r)
			}
		}
		for _, a := range Compare(records) {
			for _, c := range a.Cells {
				for _, v := range []float64{c.Base, c.Head, c.P} {
					if math.IsNaN(v) {
						t.Errorf("%s %s: %+v", c.Scenario, c.Metric.Name, c)
					}
				}
				if c.P < 0 || c.P > 1 {
					t.Errorf("%s %s: P is %g", c.Scenario, c.Metric.Name, c.P)
				}
			}
		}
	})
}
