package report

import (
	"fmt"
	"io"
	"slices"

	"golang.org/x/perf/benchfmt"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// writeBenchfmt writes a line per record in the Go benchmark format, which
// benchstat reads; units are the metrics' names. The sides of a comparison differ in
// the key "side":
//
//	scripts/bench report -format benchfmt compare.jsonl >comparison.txt
//	benchstat -col side comparison.txt
func writeBenchfmt(w io.Writer, records []record.Record) error {
	out := benchfmt.NewWriter(w)
	var metrics []record.Metric // of all units in the records
	for _, r := range records {
		for _, m := range record.Table(r.Workload) {
			if m.Better != "" && !slices.ContainsFunc(metrics, func(seen record.Metric) bool { return seen.Name == m.Name }) {
				metrics = append(metrics, m)
			}
		}
	}
	for _, m := range metrics {
		key := benchfmt.UnitMetadataKey{Unit: m.Name, Key: "better"}
		if err := out.Write(&benchfmt.UnitMetadata{UnitMetadataKey: key, OrigUnit: m.Name, Value: m.Better}); err != nil {
			return err
		}
	}
	for _, r := range records {
		// The format reads a number at the end of a name as the number of cores. Without
		// one, stress-10 and stress-200 would both be stress.
		name := fmt.Sprintf("%s/server=%s/scenario=%s-%d", workload.Named(r.Workload).Bench, r.Server.Name, r.Scenario, r.Host.Cores)
		line := &benchfmt.Result{Name: benchfmt.Name(name), Iters: 1}
		if r.Server.Side != "" {
			line.Config = []benchfmt.Config{{Key: "side", Value: []byte(r.Server.Side), File: true}}
		}
		for _, m := range record.Table(r.Workload) {
			if v, known := r.Metrics.Get(m.Name); known && m.Better != "" && r.Status != record.Invalid {
				line.Values = append(line.Values, benchfmt.Value{Value: v, Unit: m.Name})
			}
		}
		if len(line.Values) == 0 {
			continue // an invalid record has no figures
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	return nil
}
