package verdict

import (
	"fmt"
	"slices"

	"fairstream/scripts/internal/judge/record"
)

// mostIdlePct is what other programs and the host may use of the machine without explaining a delay of the rig.
const mostIdlePct = 10

// discardDelayed discards rounds in which the rig delayed direct under paced load, though other programs did little:
// whatever stops k6 or the stub may do it while one side works. Beside a busy neighbour such a round counts. Base and
// head share its minutes, so its noise widens the intervals and favours neither. direct are the records of direct.
func (p *Comparison) discardDelayed(direct []record.Record) {
	for _, r := range direct {
		i := slices.IndexFunc(p.Rounds, func(of Round) bool { return of.Round == r.Round })
		ms, measured := r.RigDelayMS()
		pct, known := others(r.Conditions)
		if _, level := record.Level(r.Scenario); level != "" || i < 0 || !measured || !known || pct > mostIdlePct || ms <= record.MostRigDelayMS {
			continue
		}
		p.Rounds[i].discard(fmt.Sprintf("%s: k6 or the stub was delayed: requests of direct were %.1f ms late (p99), and other programs did little; want at most %g ms", r.Scenario, ms, record.MostRigDelayMS))
	}
}
