package record

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
)

// A metric whose unit has no limit would be refused in every record.
func TestEveryUnitHasALimit(t *testing.T) {
	for kind, table := range tables {
		for _, m := range table {
			if limits[m.Unit].most == 0 {
				t.Errorf("%s: %s: unit %q", kind, m.Name, m.Unit)
			}
		}
	}
}

func TestPercentilesAreInOrder(t *testing.T) {
	for name, want := range map[string]string{
		"ttft_p95_ms": "ttft", "stream_max_ms": "stream", "fan_out_p50_ms": "fan_out", "stream_mean_ms": "", "stream_p95_overhead_ms": "", "nothing_p50_ms": "",
	} {
		if got := percentileOf(name); got != want {
			t.Errorf("%s is of %q, want %q", name, got, want)
		}
	}
}

// Figures that no measurement gives are refused, of our own runs too.
func TestFiguresHaveLimits(t *testing.T) {
	records, _, _, err := FromRaw("testdata/mixed")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(records, func(r Record) bool { return r.Server.Name == "go-http" && r.Status == OK })
	if i < 0 {
		t.Fatal("no record without a fault")
	}
	many := slices.Repeat([]string{"late"}, raw.MostNamed+1)
	for name, c := range map[string]struct {
		change func(*Record)
		want   string
	}{
		"as it is":                   {func(*Record) {}, ""},
		"beyond its unit":            {func(r *Record) { *r.Metrics["rate_per_s"] = 1e8 }, "metric rate_per_s is 1e+08 streams/s; want 0, or 1e-06 to 1e+07"},
		"beyond all":                 {func(r *Record) { *r.Metrics["failed_pct"] = 110 }, "metric failed_pct is 110 %; want 0, or 1e-06 to 100"},
		"below 0":                    {func(r *Record) { *r.Metrics["stream_max_ms"] = -1 }, "metric stream_max_ms is -1 ms"},
		"percentiles":                {func(r *Record) { *r.Metrics["ttft_p50_ms"] = 1e6 }, "latencies are not in order: ttft_p50_ms is 1e+06, ttft_p95_ms is"},
		"no machine":                 {func(r *Record) { r.Host.Cores = 0 }, "host.cores is 0"},
		"another century":            {func(r *Record) { r.Started = r.Started.AddDate(-100, 0, 0) }, "started is in the year 19"},
		"a path as a server":         {func(r *Record) { r.Server.Name = "../x" }, `server "../x": want lower-case letters`},
		"a path as scenario":         {func(r *Record) { r.Scenario = "../x" }, `scenario "../x": want letters, digits and hyphens`},
		"figures of a failed server": {func(r *Record) { r.Status, r.Why = Invalid, []string{"it failed"} }, "in a record that is invalid; such a record has no figures"},
		"ok without a rate":          {func(r *Record) { r.Metrics["rate_per_s"] = nil }, "status ok without a stream"},
		"ok with failures":           {func(r *Record) { *r.Metrics["failed_pct"] = 1 }, "status ok, though streams failed"},
		"many reasons":               {func(r *Record) { r.Status, r.Why = Warning, many }, "why has"},
		"many left out":              {func(r *Record) { r.Server.LeftOut = many }, "server.left_out has 17 entries; want at most 16"},
		"many dropped":               {func(r *Record) { r.Server.Dropped = many }, "server.requests_dropped has 17 entries"},
		"many added":                 {func(r *Record) { r.Server.Added = many }, "server.requests_added has 17 entries"},
		"many changed":               {func(r *Record) { r.Server.Changed = many }, "server.requests_changed has 17 entries"},
		"retried":                    {func(r *Record) { r.Retried = -1 }, "retried is -1"},
		"steal":                      {func(r *Record) { v := 121.0; r.Conditions.StealPct = &v }, "conditions.steal_pct is 121"},
	} {
		r := records[i]
		r.Metrics = Metrics{}
		for metric, v := range records[i].Metrics {
			if v != nil {
				copied := *v
				v = &copied
			}
			r.Metrics[metric] = v
		}
		c.change(&r)
		var text bytes.Buffer
		if err := Write(&text, []Record{r}); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(&text); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}
