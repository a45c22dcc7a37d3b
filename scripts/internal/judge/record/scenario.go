package record

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/workload"
)

// Ranking and Compare have the levels of other scenarios in one k6 run. Their records have the names of those. Ranking is
// for servers beside each other, and Compare for two revisions of a server.
const (
	Ranking = "ranking"
	Compare = "compare"
)

// Loadable lists by name the scenarios that a person can ask for. Those of a ranking are loaded together.
func Loadable(w workload.Workload) []string {
	return slices.Sorted(slices.Values(append(w.ScenarioNames(), w.Soak.Name, Compare)))
}

// Scenario is the name of a scenario and level in records: stress-100. Ranking and Compare use the level alone.
func Scenario(name, level string) string {
	switch {
	case level == "":
		return name
	case name == Ranking || name == Compare:
		return level
	}
	return name + "-" + level
}

// CompareLevels orders levels by their number: 10 before 100 before 200, and 8k-50 before 8k-100 before 200k-50.
func CompareLevels(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

// VUs is the number of VUs of a level: the last number in the name. It is 0 where the name has none, and -1
// without a level.
func VUs(scenario string) int {
	_, level := Level(scenario)
	if level == "" {
		return -1
	}
	vus, _ := strconv.Atoi(level[strings.LastIndexByte(level, '-')+1:]) // 0 for any other text
	return vus
}

// Level splits the scenario name of a record at the first hyphen: the level in "stress-8k-100" is "8k-100". Without a level, all targets were loaded side by side at a
// fixed pace. On a level they took slices.
func Level(scenario string) (name, level string) {
	name, level, _ = strings.Cut(scenario, "-")
	return name, level
}
