package session

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/workload"
)

func TestUnevenAccountsFail(t *testing.T) {
	flat, grows := &record.Growth{Bytes: 1, Low: -1, High: 3}, &record.Growth{Bytes: 40, Low: 30, High: 50}
	even := record.Account{Target: "go-http", Sent: 40, Received: 40}
	for name, c := range map[string]struct {
		soak record.Soak
		no   bool
		want string
	}{
		"even":           {record.Soak{Accounts: []record.Account{even, {Target: "direct", Sent: 2, Received: 2}}, K6: flat, Stub: flat}, false, "all servers 40 40 0 0"},
		"lost":           {record.Soak{Accounts: []record.Account{{Target: "a", Sent: 40, Received: 39}}, K6: flat, Stub: flat}, true, "a 40 39 1 0"},
		"doubled":        {record.Soak{Accounts: []record.Account{{Target: "a", Sent: 40, Received: 41, Doubled: 1}}}, true, "a 40 41 0 1"},
		"direct lost":    {record.Soak{Accounts: []record.Account{even, {Target: "direct", Sent: 2, Received: 1}}}, true, "direct 2 1 1 0"},
		"not known":      {record.Soak{Accounts: []record.Account{even}, Unknown: []string{"b"}}, true, "b ? ? ? ?"},
		"rows":           {record.Soak{Rows: []record.Rows{{Target: "a", Runs: 2, Announced: 4, Left: 4}}}, false, "a 2 4 4 0"},
		"rows lost":      {record.Soak{Rows: []record.Rows{{Target: "a", Runs: 2, Announced: 4, Left: 3}}}, true, "a 2 4 3 1"},
		"rows not known": {record.Soak{Rows: []record.Rows{{Target: "a"}}, Unknown: []string{"b"}}, true, "b ? ? ? ?"},
		"a short one":    {record.Soak{Accounts: []record.Account{even}}, false, "the stub: ?"},
		"k6 grows":       {record.Soak{Accounts: []record.Account{even}, K6: grows, Stub: flat}, true, "k6: 40.0 (30.0 to 50.0), leaks: yes"},
		"the stub grows": {record.Soak{Accounts: []record.Account{even}, K6: flat, Stub: grows}, true, "the stub: 40.0 (30.0 to 50.0), leaks: yes"},
	} {
		var out strings.Builder
		unit := workload.Stream
		if len(c.soak.Rows) > 0 {
			unit = workload.Request
		}
		if no := account(&out, c.soak, unit); no != c.no || !strings.Contains(strings.Join(strings.Fields(out.String()), " "), c.want) {
			t.Errorf("%s: %v, want %v and %q in\n%s", name, no, c.no, c.want, out.String())
		}
	}
}

// Without any server direct was not loaded either. It is not a server, and cannot leak.
func TestLeaksAreOfServers(t *testing.T) {
	var out strings.Builder
	leaks(&out, []record.Record{{Server: raw.Server{Name: raw.Direct}, Status: record.Invalid}, {Server: raw.Server{Name: "a"}, Status: record.Invalid}})
	if lines := strings.Split(out.String(), "\n"); !strings.HasPrefix(lines[2], "a ") || lines[3] != "" {
		t.Errorf("want a alone:\n%s", out.String())
	}
}

// Requests have no tokens, and their own metrics.
func TestASoakOfRequests(t *testing.T) {
	bytes, streams := 3.0, 1000.0
	metrics := record.Metrics{"requests": &streams, "server_rss_slope_bytes_per_request": &bytes, "server_rss_slope_low_bytes_per_request": &bytes, "server_rss_slope_high_bytes_per_request": &bytes}
	var out strings.Builder
	leak := leaks(&out, []record.Record{{Workload: "web", Tools: map[string]string{build.Sampler: "12.6.1"}, Server: raw.Server{Name: "a"}, Status: record.OK, Metrics: metrics}})
	if failed := account(&out, record.Soak{K6: &record.Growth{Bytes: 1, Low: -1, High: 3}}, workload.Request); leak || failed {
		t.Errorf("leaks: %v, accounts fail: %v", leak, failed)
	}
	for _, want := range []string{"a no 3.0 (3.0 to 3.0) 1000", "bytes kept of each request", "The rig keeps of each request"} {
		if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, want) || strings.Contains(got, "tokens") {
			t.Errorf("no %q in, or tokens in\n%s", want, out.String())
		}
	}
}
