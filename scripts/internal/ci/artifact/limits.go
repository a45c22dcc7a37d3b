package artifact

import (
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/workload"
)

// Limits. A record has about 2 kB, or 0.4 kB zipped. The largest job has 36 rounds of a comparison, which
// give 432 records.
const (
	maxFiles = 512      // below the directory of artifacts
	maxZip   = 1 << 20  // bytes of a zip
	maxText  = 2 << 20  // bytes of a file in it
	maxLine  = 64 << 10 // bytes of a record
)

// maxLevels is at least the number of levels of every scenario.
const maxLevels = 8

// mostRecords is the number of records in the largest job of a plan.
func mostRecords(p plan.Plan) (most int) {
	for _, name := range p.Workloads() {
		k6Runs := len(slots(p, name, lastRound(p, max(p.Rounds, p.Leaderboard), p.Leaderboard > 0)))
		targets, records := 2, maxLevels // of a k6 run and target
		if p.Kind == plan.Pull {
			targets, records = 1+len(commits(p)), len(workload.Named(name).ComparedRecords()) // 1 is direct
		} else if p.Leaderboard > 0 {
			targets = 1 + len(p.Of(name))
		}
		most = max(most, k6Runs*targets*records)
	}
	return most
}
