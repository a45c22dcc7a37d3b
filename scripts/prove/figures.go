package prove

import (
	"slices"

	"fairstream/scripts/record"
)

// FiguresOf reads the figures of a target, such as go-http@base, out of what
// its rounds left: medians, and distributions over all of them. told is what it
// said itself.
func FiguresOf(target string, records []record.Record, details []record.Details, told Told) (f Figures) {
	median := func(scenario, metric string) float64 {
		of := slices.DeleteFunc(slices.Clone(records), func(r record.Record) bool { return r.Target() != target || r.Scenario != scenario })
		if known := record.Known(of, metric); len(known) > 0 {
			return record.Median(known)
		}
		return 0
	}
	f.CPUUSPerStream = median("steady", "server_cpu_us_per_stream")
	f.PeakRSSBytes = median("stress-200", "server_rss_peak_bytes")
	f.NSPerIteration, f.Open = told.NSPerIteration, told.MostOpen
	if steady := told.Paces[steadyPace]; steady.Streams > 0 {
		f.ReadsPerStream = float64(steady.Reads) / float64(steady.Streams)
	}
	for _, d := range details {
		for _, of := range d.Durations {
			switch {
			case of.Target != target:
			case of.Scenario == "baseline":
				f.TTFT.Merge(of.TTFT)
			case of.Scenario == "stress-100":
				f.Stream100.Merge(of.Stream)
			case of.Scenario == "stress-200":
				f.Stream200.Merge(of.Stream)
			}
		}
	}
	return f
}
