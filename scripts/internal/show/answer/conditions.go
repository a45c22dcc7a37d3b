package answer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
)

// Conditions describe the machine in short sentences.
func Conditions(records []record.Record) string {
	values := func(decimals int, of func(record.Record) *float64) string {
		var all []float64
		for _, r := range records {
			if v := of(r); v != nil {
				all = append(all, *v)
			}
		}
		return span(all, decimals)
	}
	parts := []string{
		fmt.Sprintf("Steal was %s %% and other programs had %s %% of the machine.",
			values(1, func(r record.Record) *float64 { return r.Conditions.StealPct }), values(1, func(r record.Record) *float64 { return r.Conditions.OthersPct })),
		fmt.Sprintf("The load average before was %s.", values(1, func(r record.Record) *float64 { return r.Conditions.LoadBefore })),
		fmt.Sprintf("pidstat took %s %% of one core.", values(1, func(r record.Record) *float64 { return r.Metrics["sampler_cpu_mean_pct"] })),
	}
	r := records[0].Run
	cores := ""
	if r.Placement != "" {
		cores = ", cores " + r.Placement
	}
	switch {
	case r.Solo:
		parts = append(parts, "Each target ran alone (-solo), minutes apart"+cores+".")
	case apart(records):
		parts = append(parts, "Servers ran minutes apart"+cores+".")
	default:
		parts = append(parts, "All targets ran in the same minutes"+cores+".")
	}
	if text := r.LoadChange.Text(); text != "" && records[0].Server.Side == "" { // a comparison says it itself
		parts = append(parts, "Each target had "+text+".")
	}
	return strings.Join(parts, " ")
}

// RigShares says how much of the CPU time of a scenario the rig had; "" where it is unknown.
func RigShares(of []record.Record) string {
	var values []float64
	for _, r := range of {
		if share, ok := rigShare(r); ok && r.OfServer() {
			values = append(values, share)
		}
	}
	if len(values) == 0 {
		return ""
	}
	return fmt.Sprintf("k6 and the stub had %s %% of the CPU time.", span(values, 0))
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
	return 100 * (k6 + stub) / (all * float64(r.Host.AllCores())), known && both && total && all > 0 && r.Host.Cores > 0
}

// span is the range of values as text, or one value where both ends are equal.
func span(values []float64, decimals int) string {
	if len(values) == 0 {
		return rank.Unknown
	}
	low, high := fmt.Sprintf("%.*f", decimals, slices.Min(values)), fmt.Sprintf("%.*f", decimals, slices.Max(values))
	if low == high {
		return low
	}
	return low + " to " + high
}

// Provenance says in short sentences where the numbers come from.
func Provenance(records []record.Record) string {
	r := records[0]
	var b strings.Builder
	fmt.Fprintf(&b, "Run %s. %s", r.Run.ID, Machine(r))
	fmt.Fprintf(&b, ", %s, kernel %s. k6 %s, sysstat %s", or(r.Host.OS), or(r.Host.Kernel), r.Tools["k6"], cmp.Or(r.Tools["sysstat"], "none"))
	for _, server := range record.Servers(records) {
		fmt.Fprintf(&b, ". %s: %s", server, versions(record.OfTarget(records, server)[0]))
	}
	return b.String() + "."
}

// Machine describes the machine of a record.
func Machine(r record.Record) string {
	text := fmt.Sprintf("%s, %d cores", or(r.Host.CPU), r.Host.Cores)
	if r.Host.MemoryBytes != nil {
		text += fmt.Sprintf(", %.0f GiB", float64(*r.Host.MemoryBytes)/(1<<30))
	}
	if l := r.Host.Load; l != nil {
		text += fmt.Sprintf("; k6 and the stub on another machine, %s, %d cores", or(l.CPU), l.Cores)
		if l.LinkMbit != nil {
			text += fmt.Sprintf(", over %d Mbit/s", *l.LinkMbit)
		}
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

// Shortened warns of runs with -quick.
const Shortened = "Scenarios were shortened (-quick). This shows that everything works; its figures are no basis for comparing servers."

// Rounds counts the rounds of records.
func Rounds(records []record.Record) int {
	return len(record.Distinct(records, func(r record.Record) string { return fmt.Sprint(r.Round) }))
}

// SpreadMeans explains a figure and the range beside it.
func SpreadMeans(records []record.Record) string {
	n := Rounds(records)
	if n < 2 {
		return "One round: another round may give other figures. Use -rounds 3 or more to see how much they vary."
	}
	return fmt.Sprintf("Figures are means of %d rounds: geometric, or arithmetic where a figure may be 0 or less. The range beside a figure is its lowest and highest round, not a confidence interval. Rounds with failed %ss do not count.", n, rank.WorkloadOf(records).Unit)
}
