package accept

import (
	"path/filepath"
	"time"

	"fairstream/scripts/internal/workload"
)

// Levels are the commits, by server, from which on somebody accepted that it got
// worse, and that have not expired. The error names the files that cannot be read; the others count.
func Levels(root string, now time.Time) (map[workload.Server][]string, error) {
	all, unread := Read(filepath.Join(root, Dir))
	since := map[workload.Server][]string{}
	for _, a := range all {
		for _, a := range Valid([]Acceptance{a}, a.ID(), now) {
			since[a.ID()] = append(since[a.ID()], a.Since)
		}
	}
	return since, unread
}
