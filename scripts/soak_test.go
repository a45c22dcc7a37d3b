package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// What the stub wrote and k6 received is told for each server, and is one and the same
// only where each token came, once.
func TestASoakAccountsForEachToken(t *testing.T) {
	long(t, "a minute")
	t.Parallel()
	p := newProject(t)
	for _, name := range []string{"right", "drops-tenth", "doubles-tenth", "asks-twice"} {
		p.wrong(name)
	}
	r := p.bench("soak", "-quick", "-for", "5s", "-o", "raw")
	r.expect(t, 1)
	row := regexp.MustCompile(`(?m)^ *([a-z-]+) +([0-9]+) +([0-9]+) +([0-9-]+) +([0-9]+)$`)
	seen := map[string]record.Account{}
	for _, m := range row.FindAllStringSubmatch(r.stdout, -1) {
		var n [3]int64
		for i, text := range []string{m[2], m[3], m[5]} {
			var err error
			n[i], err = strconv.ParseInt(text, 10, 64)
			p.must(err)
		}
		a := record.Account{Target: m[1], Sent: n[0], Received: n[1], Doubled: n[2]}
		if seen[m[1]] = a; m[4] != fmt.Sprint(a.Lost()) {
			t.Errorf("%s: %s lost, want %d", m[1], m[4], a.Lost())
		}
	}
	for name, want := range map[string]struct{ lost, doubled bool }{
		"right": {}, "direct": {}, "drops-tenth": {lost: true}, "doubles-tenth": {doubled: true}, "asks-twice": {lost: true},
	} {
		a := seen[name]
		// Of a stream in which one came twice k6 does not wait for the end.
		lost := a.Lost() > 0 && !want.doubled
		if a.Sent < 1000 || a.Lost() < 0 || lost != want.lost || a.Doubled > 0 != want.doubled {
			t.Errorf("%s: %+v, %d lost; want lost %v, doubled %v", name, a, a.Lost(), want.lost, want.doubled)
		}
	}
	// No stream of it failed: the tokens alone tell.
	if want := "the stub wrote " + fmt.Sprint(seen["asks-twice"].Sent) + " tokens for it, k6 received"; !strings.Contains(r.stdout, want) {
		t.Errorf("the table lacks %q", want)
	}
	t.Log("\n" + r.stdout)
}

func TestAnAccountIsEvenOrThereIsNo(t *testing.T) {
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

// Where no server could be loaded, direct was not either; it is no server that leaks.
func TestLeaksAreOfServers(t *testing.T) {
	var out strings.Builder
	leaks(&out, []record.Record{{Server: raw.Server{Name: raw.Direct}, Status: record.Invalid}, {Server: raw.Server{Name: "a"}, Status: record.Invalid}})
	if lines := strings.Split(out.String(), "\n"); !strings.HasPrefix(lines[2], "a ") || lines[3] != "" {
		t.Errorf("want a alone:\n%s", out.String())
	}
}
