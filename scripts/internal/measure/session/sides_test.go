package session

import (
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/verify"
)

// Only what head newly fails keeps a comparison from being loaded, and what makes a load meaningless.
func TestABaseThatFailsTheContractIsLoaded(t *testing.T) {
	const reader, aborts, header, exact, cut, nodelay = "C7 stalled-reader", "C7 aborts", "C2 header", "C3 exact", "C3 cut", "C4 nodelay"
	for name, c := range map[string]struct {
		base, head   []string // failed checks
		brokenBase   string   // the check that the error names; "": it is loaded
		brokenOfHead string
	}{
		"head mends it":                 {base: []string{reader}},
		"both fail it":                  {base: []string{reader}, head: []string{reader}},
		"head fails fewer":              {base: []string{reader, aborts}, head: []string{aborts}},
		"head fails another":            {base: []string{reader}, head: []string{aborts}, brokenOfHead: aborts},
		"head fails one more":           {base: []string{reader}, head: []string{reader, aborts}, brokenOfHead: aborts},
		"head alone fails":              {head: []string{reader}, brokenOfHead: reader},
		"base does not answer":          {base: []string{header, reader}, head: []string{reader}, brokenBase: header},
		"base ends a cut stream":        {base: []string{cut, reader}},
		"base answers wrongly":          {base: []string{exact}, brokenBase: exact},
		"neither answers":               {base: []string{header}, head: []string{header}, brokenBase: header, brokenOfHead: header},
		"head no longer answers":        {base: []string{reader}, head: []string{header}, brokenOfHead: header},
		"an optional check is no fault": {base: []string{nodelay}, head: []string{nodelay}},
	} {
		t.Run(name, func(t *testing.T) {
			targets := []load.Target{
				{Server: server.Server{Workload: "relay", Name: "go-http"}, Side: "base"},
				{Server: server.Server{Workload: "relay", Name: "go-http"}, Side: "head"},
				{Server: server.Server{Workload: "relay", Name: "go-gin"}, Side: "head"},
			}
			results := make([][]verify.Result, len(targets))
			for i, failed := range [][]string{c.base, c.head, {reader}} {
				for _, check := range []string{header, exact, cut, nodelay, reader, aborts} {
					clause, name, _ := strings.Cut(check, " ")
					pass := !slices.Contains(failed, check)
					results[i] = append(results[i], verify.Result{Clause: clause, Check: name, Must: check != nodelay, Pass: pass, Evidence: "so"})
				}
				setChecks(&targets[i], results[i])
			}
			tolerate(targets, results)
			for i, want := range []string{c.brokenBase, c.brokenOfHead, reader} {
				switch err := targets[i].Broken; {
				case want == "" && err != nil, want != "" && err == nil, want != "" && !strings.HasPrefix(err.Error(), "verify: "+want):
					t.Errorf("%s: %v; want %q", targets[i].Name(), err, want)
				}
			}
			if got := targets[1].FailedChecks; strings.Join(got, ", ") != strings.Join(slices.DeleteFunc(c.head, func(s string) bool { return s == nodelay }), ", ") {
				t.Errorf("failed checks of head: %q", got)
			}
		})
	}
}
