package raw

import (
	"fmt"
	"strings"
	"testing"
)

// cycles is small with a slice of level 10 for each mark: one of cycle 1 does not count ("-"), or counts ("+").
func cycles(marks string, edits ...string) []byte {
	var slices, series []string
	for i, mark := range marks {
		slice := fmt.Sprintf(`{"slice":%d,"level":"10","cycle":1,"discarded":%v,"targets":["a"],"vus":2,"started_unix_ms":1,`+
			`"planned_ms":10,"took_ms":%[3]d,"busy_ms":{"a":%[3]d},"cpu_ms":{"a":5,"k6":1},"peak_rss_bytes":{"a":4096},`+
			`"lost":[],"k6_wait_ms":3,"machine_busy_ms":20,"machine_steal_ms":1}`, i, mark == '-', 20+i)
		slices = append(slices, strings.Replace(slice, `"discarded":false,`, "", 1))
		one := fmt.Sprintf(`{"target":"a","level":"10","slice":"%d","started":5,"ok":4,"failed":{"cut":1},"tokens":80,`+
			`"token_delay_negative":0,"stream_us":C,"ttft_us":C,"ttfe_us":C,"itl_us":C,"token_delay_us":C,"connect_us":C}`, i)
		us := 100 * (i + 1)
		counts := fmt.Sprintf(`{"count":4,"sum_us":%d,"min_us":%[2]d,"max_us":%[2]d,"buckets":{"%[2]d":4}}`, 4*us, us)
		series = append(series, strings.ReplaceAll(one, ":C", ":"+counts))
	}
	text := fmt.Sprintf(`{"slices":{"planned":%d,"given_up":{},"slices":[%s]},`+
		`"histograms":{"layout":"log-linear-512","series":[%s]}}`,
		len(marks), strings.Join(slices, ","), strings.Join(series, ","))
	return []byte(strings.NewReplacer(edits...).Replace(text))
}

// A discarded cycle is a load of its own. So no figure has it, and every account does.
func TestADiscardedCycleIsApart(t *testing.T) {
	s, err := ParseSummary(cycles("--+"))
	if err != nil {
		t.Fatal(err)
	}
	l, ok := s.Load("a", "10")
	if !ok || l.Slices != 1 || l.Seconds != 0.022 || l.BusySeconds != 0.022 || l.CPUSeconds["a"] != 0.005 ||
		l.Requests != 4 || l.Failed != 1 || l.Request.P95 != 0.3 || l.Request.Mean != 0.3 ||
		*l.MachineBusySeconds != 0.02 || l.Discarded {
		t.Errorf("%+v, %+v", l, l.Request)
	}
	other := s.Loads[0]
	if len(s.Loads) != 2 || !other.Discarded || other.Requests != 8 || other.Failed != 2 || *other.Counts.Tokens != 160 {
		t.Errorf("%+v; want another load, of two slices", s.Loads)
	}
	if len(s.Slices) != 3 || len(s.Rates) != 3 || len(s.Rates[0])+len(s.Rates[1]) > 0 || s.Rates[2]["a"] == 0 {
		t.Errorf("rates %v; want one, of the last of three slices", s.Rates)
	}
}

func TestDiscardedCyclesThatCannotBe(t *testing.T) {
	const none = `0 slices of a in cycle 1 of level "10" count; want one`
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"none counts":    {cycles("--"), "slice 0: " + none},
		"another cycle":  {cycles("-+", `1,"level":"10","cycle":1`, `1,"level":"10","cycle":2`), "slice 0: " + none},
		"another level":  {cycles("-+", `{"slice":1,"level":"10"`, `{"slice":1,"level":"20"`), "slice 0: " + none},
		"another target": {cycles("-+", `"cycle":1,"targets":["a"]`, `"cycle":1,"targets":["b"]`), "slice 0: " + none},
		"no cycle":       {cycles("-+", `"cycle":1,`, ""), "slice 0: it does not count, and is in no cycle"},
		"two count":      {cycles("+-+"), `slice 0: 2 slices of a in cycle 1 of level "10" count; want one`},
	} {
		if s, err := ParseSummary(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %+v, %v; want %q", name, s, err, c.want)
		}
	}
	if _, err := ParseSummary(cycles("+-")); err != nil { // the repeat was worse
		t.Error(err)
	}
	// k6 ended in the repeat. The record says that slices are missing.
	if _, err := ParseSummary(cycles("++", `"planned":2`, `"planned":3`)); err != nil {
		t.Error(err)
	}
}
