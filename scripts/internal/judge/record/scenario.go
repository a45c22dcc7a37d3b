package record

import "strings"

// Pair is the scenario that has the plateaus of others in one loading, for a
// comparison of two revisions: its records are called as theirs.
const Pair = "pair"

// Scenario is how a scenario on one of its plateaus is called in records:
// stress-100. On the plateaus of pair it is called as the plateau alone.
func Scenario(name, plateau string) string {
	switch {
	case plateau == "":
		return name
	case name == Pair:
		return plateau
	}
	return name + "-" + plateau
}

// Plateau takes the name in a record apart. Without a plateau, "", all targets
// were loaded side by side at a pace; on a plateau they took turns.
func Plateau(scenario string) (name, plateau string) {
	name, plateau, _ = strings.Cut(scenario, "-")
	return name, plateau
}
