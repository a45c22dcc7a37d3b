package accept

import (
	"path/filepath"
	"time"

	"fairstream/scripts/internal/workload"
)

// Levels maps each server to the commits whose slowdown somebody accepted. Expired acceptances do not count.
// The error names unreadable files; the others count.
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
