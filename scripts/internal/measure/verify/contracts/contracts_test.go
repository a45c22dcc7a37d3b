package contracts

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/verify"
	"fairstream/scripts/internal/workload"
)

// The generated file has all workloads.
func TestTheGeneratedFileIsUpToDate(t *testing.T) {
	text, err := os.ReadFile("contracts.go")
	if err != nil {
		t.Fatal(err)
	}
	_, command, ok := strings.Cut(string(text), "//go:generate ")
	if command, _, ok = strings.Cut(command, "\n"); !ok {
		t.Fatal("contracts.go has no go:generate")
	}
	if out, err := exec.Command("sh", "-c", command+" -check").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// Each workload has a contract, whose checks have names of their own, and begins with the start of the server.
func TestEachWorkloadHasAContract(t *testing.T) {
	for _, w := range workload.Names() {
		checks := Of(w)
		if len(checks) < 2 || checks[0].Name != "ready" || !checks[0].First {
			t.Errorf("%s: %d checks; want first ready, and others", w, len(checks))
		}
		seen := map[string]bool{}
		others := false
		for _, c := range checks {
			if seen[c.Name] || c.Clause == "" || c.Means == "" || c.Run == nil || c.First && others {
				t.Errorf("%s: %s: a second time, incomplete, or first behind others: %+v", w, c.Name, c)
			}
			seen[c.Name], others = true, others || !c.First
		}
	}
	if len(contracts) != len(workload.Names()) {
		t.Errorf("%d contracts for %d workloads", len(contracts), len(workload.Names()))
	}
}

func TestChooseOfTwoWorkloads(t *testing.T) {
	before := contracts
	defer func() { contracts = before }()
	contracts = map[string][]verify.Check{"one": {verify.Ready("A1"), {Name: "exact"}}, "two": {verify.Ready("B1"), {Name: "json"}}}
	for list, want := range map[string]string{
		"":            "ready exact ready json",
		"ready":       "ready ready",
		"json, exact": "exact json",
	} {
		chosen, err := Choose([]string{"one", "two"}, list)
		var names []string
		for _, c := range slices.Concat(chosen["one"], chosen["two"]) {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", list, got, err, want)
		}
	}
	if _, err := Choose([]string{"one"}, "json"); err == nil || !strings.Contains(err.Error(), "known are ready, exact") {
		t.Errorf("%v; want an error that names the checks of the servers' workloads", err)
	}
}
