package workload

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A margin that a server.json may set stands for the cells of some metrics.
var margins = []struct {
	name, label string
	metrics     []string
}{
	{"cpu_pct", "CPU time", []string{"server_cpu_us_per_request", "server_cpu_us_per_iteration"}},
	{"latency_pct", "latency", []string{"request_p95_ms", "iteration_p95_ms", "ttft_p95_ms", "itl_p99_ms"}},
	{"memory_pct", "memory", []string{"server_rss_peak_bytes"}},
	{"throughput_pct", "throughput", []string{"rate_per_s"}},
}

// MarginNames are the names of margins in a server.json.
func MarginNames() (names []string) {
	for _, m := range margins {
		names = append(names, m.name)
	}
	return names
}

// CheckMargins returns an error unless margins have known names and are 1 to 50 per cent.
func CheckMargins(own map[string]float64) error {
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !slices.Contains(MarginNames(), name) {
			return fmt.Errorf("unknown key %.60q; known are %s", name, strings.Join(MarginNames(), ", "))
		}
		if v := own[name]; !(v >= 1 && v <= 50) {
			return fmt.Errorf("%s: %v per cent; want 1 to 50, since less than 1 is noise and more than 50 is never unchanged", name, v)
		}
	}
	return nil
}

// CriteriaWith are the criteria with a server's own margins, by name and in per cent. The floor grows in proportion:
// who allows 20 % does not want to hear of 3 %. It never sinks, since two starts of one program differ as much, and a
// margin below the floor would never be excluded.
func (w Workload) CriteriaWith(own map[string]float64) []Criterion {
	if len(own) == 0 {
		return w.Criteria
	}
	all := slices.Clone(w.Criteria)
	for i := range all {
		c := &all[i]
		for _, m := range margins {
			if pct, ok := own[m.name]; ok && slices.Contains(m.metrics, c.Metric) && !c.Absolute {
				margin := max(pct/100, c.Floor)
				c.Floor, c.Margin = max(c.Floor, margin*c.Floor/c.Margin), margin
			}
		}
	}
	return all
}

// NarrowerMargins are the narrower of two files' margins, in the form of both. A name that a file lacks has the
// workload's margin. So a change of the margins never excuses the change of the server that comes with it. changes says
// how head's file differs.
func (w Workload) NarrowerMargins(base, head map[string]float64) (narrower map[string]float64, changes []string) {
	for _, m := range margins {
		i := slices.IndexFunc(w.Criteria, func(c Criterion) bool {
			return slices.Contains(m.metrics, c.Metric) && !c.Absolute
		})
		if i < 0 {
			continue
		}
		usual := 100 * w.Criteria[i].Margin
		b, h := cmp.Or(base[m.name], usual), cmp.Or(head[m.name], usual)
		switch {
		case h > b:
			changes = append(changes,
				fmt.Sprintf("widens its %s margin from %g to %g %%; this comparison still uses %[2]g %%", m.label, b, h))
		case h < b:
			changes = append(changes, fmt.Sprintf("narrows its %s margin from %g to %g %%", m.label, b, h))
		}
		if pct := min(b, h); pct != usual {
			if narrower == nil {
				narrower = map[string]float64{}
			}
			narrower[m.name] = pct
		}
	}
	return narrower, changes
}

// MarginsText says which margins a server has of its own: "CPU time 5 %, latency 20 %".
func MarginsText(own map[string]float64) string {
	var parts []string
	for _, m := range margins {
		if pct, ok := own[m.name]; ok {
			parts = append(parts, fmt.Sprintf("%s %g %%", m.label, pct))
		}
	}
	return strings.Join(parts, ", ")
}
