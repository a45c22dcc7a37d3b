package site

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"

	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/verdict"
)

// acceptLink is the repository's page for a new file that accepts the regressions of an event. A person adds the reason.
func acceptLink(repository string, e Event) string {
	a := accept.Acceptance{Workload: e.Workload, Server: e.Server, Since: e.Head, Scenario: "*", Metric: "*"}
	for i, c := range slices.DeleteFunc(slices.Clone(e.Cells), func(c verdict.EventCell) bool { return c.Verdict != verdict.Regressed }) {
		if i == 0 {
			a.Scenario, a.Metric = c.Scenario, c.Metric
		}
		a.Scenario, a.Metric = either(a.Scenario, c.Scenario), either(a.Metric, c.Metric)
	}
	text, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		panic(err) // texts alone
	}
	file := fmt.Sprintf("%s/%s.%s-%.10s.json", accept.Dir, e.Workload, e.Server, e.Head)
	return repository + "/new/main?" + url.Values{"filename": {file}, "value": {string(text) + "\n"}}.Encode()
}

// either is a pattern for both texts: the one that they are, or any.
func either(a, b string) string {
	if a == b {
		return a
	}
	return "*"
}
