package record

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"fairstream/scripts/internal/workload"
)

// LeaderboardPath is the path of the file of a run's leaderboard runs, beside that of the trend runs.
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

// TrialsPath is the path of a run's trials, from the path of its records. The file never changes.
func TrialsPath(run string) string {
	return beside("trials", run, ".jsonl")
}

// beside returns the path in another directory with the name of a run's file.
func beside(dir, run, suffix string) string {
	return path.Join(dir, strings.TrimSuffix(strings.TrimPrefix(run, "runs/"), ".jsonl")+suffix)
}

// EditionPath is the path of the file that names a branch's edition. The first published run writes it.
const EditionPath = "edition"

// Edition is the version of the branch as a whole, of its paths and of the schemas of its files. Branches
// before the third edition have no such file.
const Edition = 4

// CheckEdition refuses a branch with records of another edition. text is its file at EditionPath.
func CheckEdition(branch string, text []byte) error {
	seen := strings.TrimSpace(string(text))
	n, err := strconv.Atoi(seen)
	switch {
	case n == Edition:
		return nil
	case n > Edition, err != nil && seen != "":
		return fmt.Errorf("%s has records of edition %.20q; this Fairstream reads and writes edition %d; update it", branch, seen, Edition)
	}
	return fmt.Errorf("%[1]s has records of an earlier edition; this Fairstream reads and writes edition %[2]d, and changed nothing on it; "+
		"git push --atomic origin refs/remotes/origin/%[1]s:refs/heads/%[1]s-before-%[2]d :refs/heads/%[1]s keeps it under another name, and the next run begins a new one",
		branch, Edition)
}
