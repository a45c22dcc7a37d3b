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
		for _, a := range Compare(records, nil) {
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

// Priors that were fitted to a noise history are read back.
func FuzzReadNoiseHistory(f *testing.F) {
	f.Add([]byte(`{"server":"go-http","epoch":"e","run":"a","cells":{"steady server_cpu_us_per_stream":{"variance":1e-5,"free":11}}}` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		noiseHistory, err := ReadNoiseHistory(bytes.NewReader(text))
		if err != nil {
			return
		}
		for len(noiseHistory) > 0 && len(noiseHistory) < 2*LeastNoiseHistory { // enough for a prior
			noiseHistory = append(noiseHistory, noiseHistory...)
		}
		for _, servers := range FitPriors(noiseHistory) {
			for _, cells := range servers {
				for cell, prior := range cells {
					if !(prior.Free >= 0 && prior.Free <= mostFree && prior.Variance >= 0 && !math.IsInf(prior.Variance, 0)) {
						t.Errorf("%s: %+v is no prior", cell, prior)
					}
				}
			}
		}
	})
}
