package archive

import (
	"path"
	"strings"
)

// LeaderboardPath is the path of a leaderboard run's file, beside that of the trend runs.
func LeaderboardPath(path string) string {
	return strings.TrimSuffix(path, ".jsonl") + ".leaderboard.jsonl"
}

// DetailsPath is the path of a leaderboard run's details, from the path of its records. The file never
// changes.
func DetailsPath(run string) string {
	return beside("details", run, ".json")
}

// EventsPath is the path of a run's events, from the path of its records. The file never changes.
func EventsPath(run string) string {
	return beside("events", run, ".json")
}

// beside returns the path in another directory with the name of a run's file.
func beside(dir, run, suffix string) string {
	return path.Join(dir, strings.TrimSuffix(strings.TrimPrefix(run, "runs/"), ".jsonl")+suffix)
}
