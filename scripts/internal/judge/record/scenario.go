package record

import "strings"

// Compare is the scenario that has the levels of others in one k6 run, for a
// comparison of two revisions: its records are called as theirs.
const Compare = "compare"

// Scenario is how a scenario on one of its levels is called in records:
// stress-100. On the levels of comparison it is called as the level alone.
func Scenario(name, level string) string {
	switch {
	case level == "":
		return name
	case name == Compare:
		return level
	}
	return name + "-" + level
}

// Level takes the name in a record apart. Without a level, "", all targets
// were loaded side by side at a pace; on a level they took slices.
func Level(scenario string) (name, level string) {
	name, level, _ = strings.Cut(scenario, "-")
	return name, level
}
