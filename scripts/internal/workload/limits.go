package workload

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A limit that a server.json may set is of the cell that decides on a subject.
var limits = []struct {
	name, decides, unit string
	scale               float64 // of a figure, in the unit
}{
	{"latency_p95_ms", "latency", "ms", 1},
	{"memory_mb", "memory", "MB", 1e-6},
}

// A Limit is an absolute limit of a server, on the cell of a criterion.
type Limit struct {
	Name      string
	Most      float64 // in Unit
	Unit      string
	Scale     float64 // turns a figure into Unit
	Criterion Criterion
}

// LimitNames are the names of limits in a server.json.
func LimitNames() (names []string) {
	for _, l := range limits {
		names = append(names, l.name)
	}
	return names
}

// CheckLimits returns an error unless limits have known names and are above 0.
func CheckLimits(own map[string]float64) error {
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !slices.Contains(LimitNames(), name) {
			return fmt.Errorf("unknown key %.60q; known are %s", name, strings.Join(LimitNames(), ", "))
		}
		if v := own[name]; !(v > 0 && v <= 1e9) {
			return fmt.Errorf("%s: %v; want a number above 0", name, v)
		}
	}
	return nil
}

// LimitsOf are the limits of a server, with what they limit.
func (w Workload) LimitsOf(own map[string]float64) (all []Limit) {
	for _, l := range limits {
		i := slices.IndexFunc(w.Criteria, func(c Criterion) bool { return c.Decides == l.decides })
		if most, ok := own[l.name]; ok && i >= 0 {
			all = append(all, Limit{l.name, most, l.unit, l.scale, w.Criteria[i]})
		}
	}
	return all
}

// AgreedLimits are base's limits, and those of head that base does not have. So head cannot excuse its own change. changes says
// how head's file differs.
func AgreedLimits(base, head map[string]float64) (agreed map[string]float64, changes []string) {
	for _, l := range limits {
		b, inBase := base[l.name]
		h, inHead := head[l.name]
		switch {
		case inBase && !inHead:
			changes = append(changes, fmt.Sprintf("drops its limit %s; this comparison still uses %g %s", l.name, b, l.unit))
		case inBase && h != b:
			changes = append(changes, fmt.Sprintf("changes its limit %s from %g to %g %s; this comparison still uses %[2]g %[4]s", l.name, b, h, l.unit))
		}
		if !inBase {
			b = h
		}
		if !inBase && !inHead {
			continue
		}
		if agreed == nil {
			agreed = map[string]float64{}
		}
		agreed[l.name] = b
	}
	return agreed, changes
}
