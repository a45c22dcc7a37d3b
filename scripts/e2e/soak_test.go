package e2e

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// The report has the stub's and k6's token counts for each server. They are equal only where each token came
// once.
func TestLongASoakAccountsForEachToken(t *testing.T) {
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
