package archive

import "strings"

// LeaderboardPath is the path of a leaderboard run's file, beside that of the trend runs.
func LeaderboardPath(path string) string {
	return strings.TrimSuffix(path, ".jsonl") + ".leaderboard.jsonl"
}

// DetailsPath is the path of a leaderboard run's details, from the path of its records. The file never
// changes.
func DetailsPath(run string) string {
	return beside("details", run, ".json")
}
