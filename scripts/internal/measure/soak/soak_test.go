package soak

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
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
		"a short one":    {record.Soak{Accounts: []record.Account{even}}, false, "the stub: ?"},
		"k6 grows":       {record.Soak{Accounts: []record.Account{even}, K6: grows, Stub: flat}, true, "k6: 40.0 (30.0 to 50.0), leaks: yes"},
		"the stub grows": {record.Soak{Accounts: []record.Account{even}, K6: flat, Stub: grows}, true, "the stub: 40.0 (30.0 to 50.0), leaks: yes"},
	} {
		var out strings.Builder
		if no := account(&out, c.soak); no != c.no || !strings.Contains(strings.Join(strings.Fields(out.String()), " "), c.want) {
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
