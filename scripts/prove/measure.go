package prove

import (
	"context"

	"fairstream/scripts/compare"
	"fairstream/scripts/record"
	"fairstream/scripts/run"
)

// A Measure loads two targets in the same minutes, round by round, until
// decide says that it is enough. It is told neither which of them is worse nor
// whether one is.
type Measure func(ctx context.Context, base, head run.Target, decide Decide) (Measured, error)

// Measured is what it leaves.
type Measured struct {
	Pair        compare.Pair
	Records     []record.Record
	Details     []record.Details
	Logs        map[string][2][]string // paths of base's and head's logs of each round, by scenario without plateau
	LoadSeconds float64
}
