package archive

import "strings"

// LeaderboardPath names the file of what was loaded together, beside the trend runs'.
func LeaderboardPath(path string) string {
	return strings.TrimSuffix(path, ".jsonl") + ".leaderboard.jsonl"
}

// DetailsPath names the file of what the site draws of a run's rank, which never
// changes, by that of its records.
func DetailsPath(run string) string {
	return beside("details", run, ".json")
}
