package record

import (
	"path"
	"strings"

	"fairstream/scripts/internal/workload"
)

// LeaderboardPath is the path of the file of a run's leaderboard runs, beside that of the trend runs. It has a
// line for each workload.
func LeaderboardPath(path string) string {
	return strings.TrimSuffix(path, ".jsonl") + ".leaderboard.jsonl"
}

// DetailsPath is the path of a leaderboard run's details, from the path of its records. The file never
// changes.
func DetailsPath(run string) string {
	return beside("details", run, ".json")
}

// DetailsPathOf is DetailsPath for a workload. A file has details of one, so those of other workloads than the
// first have its name.
func DetailsPathOf(run, of string) string {
	if of == workload.Names()[0] {
		return DetailsPath(run)
	}
	return beside("details", run, "."+of+".json")
}

// EventsPath is the path of a run's events, from the path of its records. The file never changes.
func EventsPath(run string) string {
	return beside("events", run, ".json")
}

// beside returns the path in another directory with the name of a run's file.
func beside(dir, run, suffix string) string {
	return path.Join(dir, strings.TrimSuffix(strings.TrimPrefix(run, "runs/"), ".jsonl")+suffix)
}
