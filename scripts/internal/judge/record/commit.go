package record

import "regexp"

var commit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// IsCommit reports whether a text is a full commit hash. A short hash could match another commit later.
func IsCommit(s string) bool { return commit.MatchString(s) }
