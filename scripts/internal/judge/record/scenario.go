package record

import "strings"

// Compare is a scenario for comparisons of two revisions. It has the levels of other scenarios in one k6 run.
// Its records have their names.
const Compare = "compare"

// Scenario is the name of a scenario and level in records: stress-100. The scenario Compare uses the level
// alone.
func Scenario(name, level string) string {
	switch {
	case level == "":
		return name
	case name == Compare:
		return level
	}
	return name + "-" + level
}

// Level splits the scenario name of a record. Without a level, all targets were loaded side by side at a
// fixed pace. On a level they took slices.
func Level(scenario string) (name, level string) {
	name, level, _ = strings.Cut(scenario, "-")
	return name, level
}
