package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
)

// Conditions describe the machine in a line, and how much of it the measurement used.
func Conditions(records []record.Record) string {
	var parts []string
	among := func(label, unit string, decimals int, of func(record.Record) *float64) {
		var values []float64
		for _, r := range records {
			if v := of(r); v != nil {
				values = append(values, *v)
			}
		}
		parts = append(parts, label+" "+span(values, decimals)+unit)
	}
	among("steal", " %", 1, func(r record.Record) *float64 { return r.Conditions.StealPct })
	among("other programs", " % of the machine", 1, func(r record.Record) *float64 { return r.Conditions.OthersPct })
	among("load average before", "", 1, func(r record.Record) *float64 { return r.Conditions.LoadBefore })
	among("pidstat", " % of one core", 1, func(r record.Record) *float64 { return r.Metrics["sampler_cpu_mean_pct"] })
	r := records[0].Run
	switch {
	case r.Solo:
		parts = append(parts, "each target alone (-solo), minutes apart")
	case apart(records):
		parts = append(parts, "servers minutes apart")
	default:
		parts = append(parts, "all targets in the same minutes")
	}
	if r.Placement != "" {
		parts = append(parts, "cores "+r.Placement)
	}
	line := "Conditions: " + strings.Join(parts, ", ") + "."
	var shares []string
	for _, scenario := range record.Scenarios(records) {
		var values []float64
		for _, r := range record.OfScenario(records, scenario) {
			if share, ok := rigShare(r); ok && r.OfServer() {
				values = append(values, share)
			}
		}
		if len(values) > 0 {
			shares = append(shares, fmt.Sprintf("%s %s %%", scenario, span(values, 0)))
		}
	}
	if len(shares) > 0 {
		line += " k6 and the stub used this share of the CPU time: " + strings.Join(shares, ", ") + "."
	}
	return line
}

// apart reports whether servers were loaded at different times, as separate jobs do.
func apart(records []record.Record) bool {
	for _, scenario := range record.Scenarios(records) {
		of := record.Filter(record.OfScenario(records, scenario), record.Record.OfServer)
		if len(record.Distinct(of, record.Record.K6Run)) > len(record.Distinct(of, func(r record.Record) string { return fmt.Sprint(r.Round) })) {
			return true
		}
	}
	return false
}

// rigShare is the share of k6 and the stub in the CPU time of targets, k6 and stub.
func rigShare(r record.Record) (pct float64, ok bool) {
	k6, known := r.Metrics.Get("k6_cpu_mean_pct")
	stub, both := r.Metrics.Get("stub_cpu_mean_pct")
	all, total := r.Metrics.Get("machine_cpu_pct")
	return 100 * (k6 + stub) / (all * float64(r.Host.Cores)), known && both && total && all > 0 && r.Host.Cores > 0
}

// span is the range of values as text, or one value where both ends are equal.
func span(values []float64, decimals int) string {
	if len(values) == 0 {
		return unknown
	}
	low, high := fmt.Sprintf("%.*f", decimals, slices.Min(values)), fmt.Sprintf("%.*f", decimals, slices.Max(values))
	if low == high {
		return low
	}
	return low + " to " + high
}

// provenance says in one or two sentences where the numbers come from.
func provenance(records []record.Record) string {
	r := records[0]
	var b strings.Builder
	fmt.Fprintf(&b, "Run %s on %s", r.Run.ID, machine(r))
	fmt.Fprintf(&b, ", %s, kernel %s. k6 %s, sysstat %s", or(r.Host.OS), or(r.Host.Kernel), r.Tools["k6"], r.Tools["sysstat"])
	for _, server := range record.Servers(records) {
		fmt.Fprintf(&b, "; %s: %s", server, versions(record.OfTarget(records, server)[0]))
	}
	return b.String() + "."
}

func machine(r record.Record) string {
	text := fmt.Sprintf("%s, %d cores", or(r.Host.CPU), r.Host.Cores)
	if r.Host.MemoryBytes != nil {
		text += fmt.Sprintf(", %.0f GiB", float64(*r.Host.MemoryBytes)/(1<<30))
	}
	return text
}

func versions(r record.Record) string {
	var parts []string
	for _, component := range slices.Sorted(maps.Keys(r.Server.Versions)) {
		parts = append(parts, component+" "+r.Server.Versions[component])
	}
	if len(parts) == 0 {
		return "versions unknown"
	}
	return strings.Join(parts, " ")
}

func or(s *string) string {
	if s == nil {
		return "unknown"
	}
	return *s
}

// shortened warns of runs with -quick.
const shortened = "Scenarios were shortened (-quick). This shows that everything works; its figures are no basis for comparing servers."

// rounds counts the rounds of records.
func rounds(records []record.Record) int {
	return len(record.Distinct(records, func(r record.Record) string { return fmt.Sprint(r.Round) }))
}

// spreadMeans explains the range beside a median.
func spreadMeans(rounds int) string {
	if rounds < 2 {
		return "One round: another round may give other figures. Use -rounds 3 or more to see how much they vary."
	}
	return fmt.Sprintf("Figures are medians of %d rounds. The range beside a figure is its lowest and highest round, not a confidence interval. Rounds with failed streams do not count.", rounds)
}
