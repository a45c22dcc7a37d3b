package trial

import (
	"slices"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/record"
)

// FiguresOf reads the figures of a target, such as go-http@base, from its rounds: medians, and distributions
// over all rounds. told is the server's own report. cores are those that the load may use.
func FiguresOf(target string, records []record.Record, details []record.K6Details, told prove.Told, cores int) (f Figures) {
	median := func(scenario, metric string) float64 {
		of := slices.DeleteFunc(slices.Clone(records), func(r record.Record) bool { return r.Target() != target || r.Scenario != scenario })
		if known := record.MetricValues(of, metric); len(known) > 0 {
			return record.Median(known)
		}
		return 0
	}
	f.CPUUSPerStream = median("steady", "server_cpu_us_per_stream")
	f.PeakRSSBytes = median("stress-200", "server_rss_peak_bytes")
	if rate := median("stress-200", "rate_per_s"); rate > 0 {
		f.CoreUSPerStream = 1e6 * float64(cores) / rate
	}
	f.NSPerIteration, f.Open = told.NSPerIteration, told.MostOpen
	if steady := told.Paces[steadyPace]; steady.Streams > 0 {
		f.ReadsPerStream = float64(steady.Reads) / float64(steady.Streams)
	}
	for _, d := range details {
		for _, of := range d.Durations {
			switch {
			case of.Target != target:
			case of.Scenario == "baseline":
				f.TTFT.Merge(of.Of["ttft"])
			case of.Scenario == "stress-100":
				f.Stream100.Merge(of.Of["stream"])
			case of.Scenario == "stress-200":
				f.Stream200.Merge(of.Of["stream"])
			}
		}
	}
	return f
}

// Typical combines several k6 runs of the same program: medians, and distributions over all runs. A k6 run
// with missing figures does not count.
func Typical(all []Figures) (f Figures) {
	all = slices.DeleteFunc(slices.Clone(all), func(f Figures) bool { return f.check() != nil })
	if len(all) == 0 {
		return f
	}
	median := func(of func(Figures) float64) float64 {
		var values []float64
		for _, f := range all {
			values = append(values, of(f))
		}
		slices.Sort(values)
		return record.Median(values)
	}
	f.CPUUSPerStream = median(func(f Figures) float64 { return f.CPUUSPerStream })
	f.ReadsPerStream = median(func(f Figures) float64 { return f.ReadsPerStream })
	f.NSPerIteration = median(func(f Figures) float64 { return f.NSPerIteration })
	f.PeakRSSBytes = median(func(f Figures) float64 { return f.PeakRSSBytes })
	f.CoreUSPerStream = median(func(f Figures) float64 { return f.CoreUSPerStream })
	f.Open = int(median(func(f Figures) float64 { return float64(f.Open) }))
	for _, one := range all {
		f.TTFT.Merge(one.TTFT)
		f.Stream100.Merge(one.Stream100)
		f.Stream200.Merge(one.Stream200)
	}
	return f
}
