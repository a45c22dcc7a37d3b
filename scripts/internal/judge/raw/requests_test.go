package raw

import (
	"reflect"
	"strings"
	"testing"
)

// A file of requests in one slice of 2 VUs, at a fixed arrival rate.
func requests(edits ...string) []byte {
	const counts = `{"count":4,"sum_us":4000,"min_us":1000,"max_us":1000,"buckets":{"1000":4}}`
	text := `{"slices":{"planned":1,"given_up":{},"slices":[
		{"slice":0,"level":"1000","targets":["a"],"vus":2,"started_unix_ms":1,"planned_ms":10,"took_ms":11,"busy_ms":{"a":20},
		 "cpu_ms":{"a":5,"k6":1},"peak_rss_bytes":{"a":4096},"lost":[],"unsent":{"a":3},"k6_wait_ms":3,"machine_busy_ms":20,"machine_steal_ms":1}]},
		"requests":{"layout":"log-linear-512","series":[{"target":"a","level":"1000","slice":"0","started":5,"ok":4,"failed":{"body":1},"reasons":{"body":"other bytes"},
		 "body_bytes":1200,"request_us":C,"ttfb_us":C,"late_us":C,"connect_us":C}]}}`
	text = strings.ReplaceAll(text, "C", counts)
	return []byte(strings.NewReplacer(edits...).Replace(text))
}

func TestRequestsAreALoad(t *testing.T) {
	const second = `{"slice":1,"level":"1000","targets":["a"],"vus":2,"started_unix_ms":20,"planned_ms":10,"took_ms":19,"busy_ms":{"a":30},
		 "cpu_ms":{"a":7,"k6":2},"peak_rss_bytes":{"a":8192},"lost":[],"unsent":{"a":2},"k6_wait_ms":4,"machine_busy_ms":30,"machine_steal_ms":2}]}`
	s, err := ParseSummary(requests(`"machine_steal_ms":1}]}`, `"machine_steal_ms":1},`+second))
	if err != nil {
		t.Fatal(err)
	}
	l, _ := s.Load("a", "1000")
	if s.Unit != "request" || l.Requests != 4 || l.Failed != 1 || !reflect.DeepEqual(l.Broken, []string{"1 x body (other bytes)"}) || l.Counts.Bytes != 1200 || l.Counts.Connect.Count != 4 {
		t.Errorf("%s: %+v", s.Unit, l)
	}
	if l.Request == nil || l.TTFB == nil || l.Late == nil || l.TTFT != nil || l.Itl != nil || l.TokenDelay != nil || l.Counts.Tokens != nil {
		t.Errorf("times: %+v; want those of requests", l)
	}
	// A fixed rate is over all 30 ms. The time in which VUs are busy says nothing about it.
	if !l.Open() || *l.Unsent != 5 || l.Rate() != 4/0.03 || s.Rates[0]["a"] != 1000*4/11.0 {
		t.Errorf("unsent %v, %g requests/s, rates %v", l.Unsent, l.Rate(), s.Rates)
	}
}

func TestRequestsWithoutARate(t *testing.T) {
	s, err := ParseSummary(requests(`"unsent":{"a":3},`, ""))
	if err != nil {
		t.Fatal(err)
	}
	if l := s.Loads[0]; l.Open() || l.Unsent != nil || l.Rate() != 4*2/0.02 || s.Rates[0]["a"] != 400 {
		t.Errorf("%+v: %g requests/s, rates %v", l, l.Rate(), s.Rates)
	}
}
