package record

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// A limit is the range of a unit's figures other than 0. Its ends are far from honest figures. The low end
// keeps the logarithm of a ratio small, since a comparison takes it.
type limit struct{ least, most float64 }

// limits holds the limit of each unit. Differences have no least: two equal figures differ by rounding alone.
// A share of the machine may exceed 100 % a little, since it compares two clocks.
var limits = map[string]limit{
	"streams": {1, 1e9}, "iterations": {1, 1e9}, "iterations/s": {1e-6, 1e7}, "bytes/iteration": {0, 1e12}, "requests": {1e-6, 1e10}, "queries": {1e-6, 1e6}, "%": {1e-6, 120},
	"streams/s": {1e-6, 1e7}, "requests/s": {1e-6, 1e8}, "MB/s": {1e-6, 1e7}, "ms": {1e-4, 1e8}, MSOverhead: {0, 1e8}, "us": {1e-6, 1e9},
	"bytes": {1, 1e13}, "bytes/stream": {0, 1e12}, "bytes/request": {0, 1e12},
	"% of one core": {1e-6, 1e5}, "% of its CPU time": {1e-6, 1e7}, "seconds": {1, 1e6}, "ratio": {1e-6, 1e6},
}

// parts lists metrics that are at most 100 %.
var parts = []string{"failed_pct", "server_share_pct", "unsent_pct"}

// limitOf is the range of a metric.
func limitOf(m Metric) limit {
	of := limits[m.Unit]
	if slices.Contains(parts, m.Name) {
		of.most = 100
	}
	if of.least == 0 {
		of.least = -of.most
	}
	return of
}

// checkLimits refuses names and figures that no measurement gives.
func (r Record) checkLimits() error {
	if name := r.Server.Name; name != raw.Direct {
		if err := workload.CheckServerName(name); err != nil {
			return err
		}
	}
	if !scenarioForm.MatchString(r.Scenario) {
		return fmt.Errorf("scenario %.60q: want letters, digits and hyphens", r.Scenario)
	}
	if r.Host.Cores < 1 || r.Host.Cores > 4096 {
		return fmt.Errorf("host.cores is %d", r.Host.Cores)
	}
	if m := r.Host.MemoryBytes; m != nil && (*m < 1 || *m > 1<<50) {
		return fmt.Errorf("host.memory_bytes is %d", *m)
	}
	if year := r.Started.UTC().Year(); year < 2020 || year > 2099 {
		return fmt.Errorf("started is in the year %d", year)
	}
	if r.Retried < 0 || r.Retried > 1e9 {
		return fmt.Errorf("retried is %d; want 0 to 1e9", r.Retried)
	}
	for _, c := range []struct {
		key   string
		value *float64
		most  float64
	}{{"load_before", r.Conditions.LoadBefore, 1e6}, {"steal_pct", r.Conditions.StealPct, limits["%"].most}, {"others_pct", r.Conditions.OthersPct, limits["%"].most}} {
		if c.value != nil && !(*c.value >= 0 && *c.value <= c.most) {
			return fmt.Errorf("conditions.%s is %g; want 0 to %g", c.key, *c.value, c.most)
		}
	}
	for key, texts := range map[string][]string{
		"why": r.Why, "conditions.disturbed": r.Conditions.Disturbed, "server.left_out": r.Server.LeftOut,
		"server.requests_dropped": r.Server.Dropped, "server.requests_added": r.Server.Added, "server.requests_changed": r.Server.Changed, "server.packages_changed": r.Server.Packages,
	} {
		if len(texts) > raw.MostNamed {
			return fmt.Errorf("%s has %d entries; want at most %d", key, len(texts), raw.MostNamed)
		}
	}
	return r.checkFigures()
}

var scenarioForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// checkFigures holds each figure to its limit, and percentiles to their order.
func (r Record) checkFigures() error {
	last := map[string]string{} // name of a percentile, by what it is of
	for _, m := range Table(r.Workload) {
		v, known := r.Metrics.Get(m.Name)
		if !known {
			continue
		}
		if r.Status == Invalid && m.Name != "failed_pct" {
			return fmt.Errorf("metric %s is %g in a record that is invalid; such a record has no figures", m.Name, v)
		}
		if of := limitOf(m); v != 0 && !(v >= of.least && v <= of.most) {
			return fmt.Errorf("metric %s is %g %s; want 0, or %g to %g", m.Name, v, m.Unit, of.least, of.most)
		}
		if of := percentileOf(m.Name); of != "" {
			if before := r.Metrics[last[of]]; before != nil && v < *before {
				return fmt.Errorf("latencies are not in order: %s is %g, %s is %g", last[of], *before, m.Name, v)
			}
			last[of] = m.Name
		}
	}
	if r.Status != OK {
		return nil
	}
	unit := workload.Named(r.Workload).Unit
	if rate, known := r.Metrics.Get("rate_per_s"); !known || rate == 0 {
		return errors.New("status ok without a " + unit + ": metric rate_per_s is 0 or null")
	}
	if failed, known := r.Metrics.Get("failed_pct"); !known || failed > 0 {
		return errors.New("status ok, though " + unit + "s failed or their number is unknown: metric failed_pct is not 0")
	}
	return nil
}

var percentileForm = regexp.MustCompile(`^(.+)_(?:p[0-9]+|max)_ms$`)

// percentileOf is what a metric is a percentile of, such as "ttft"; "" for any other. Tables list the percentiles of
// one quantity in order.
var percentileOf = func() func(string) string {
	of := map[string]string{}
	for _, table := range tables {
		for _, m := range table {
			if found := percentileForm.FindStringSubmatch(m.Name); found != nil {
				of[m.Name] = found[1]
			}
		}
	}
	return func(name string) string { return of[name] }
}()
