package plan

import (
	"context"
	"slices"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// calibrate plans comparisons of the revision with itself, for servers without another comparison,
// while their noise history is too short to count. A new installation so learns how noisy it is.
func (at Place) calibrate(ctx context.Context, plan *Plan) error {
	if at.NoiseHistory == nil || plan.Quick {
		return nil
	}
	lines, err := at.NoiseHistory(ctx)
	if err != nil {
		return err
	}
	for _, server := range plan.Servers {
		compared := slices.ContainsFunc(plan.Comparisons, func(c Comparison) bool { return c.Server == server })
		if !compared && length(lines, server) < verdict.LeastNoiseHistory {
			plan.Comparisons = append(plan.Comparisons, Comparison{Server: server, Base: plan.Revision, Same: true})
		}
	}
	return nil
}

// length is how many comparisons of a server are in the noise history of its newest epoch.
func length(lines []verdict.NoiseHistory, server workload.Server) (n int) {
	epoch := ""
	for _, line := range slices.Backward(lines) {
		if line.Workload != server.Workload || line.Server != server.Name {
			continue
		}
		if epoch == "" {
			epoch = line.Epoch
		}
		if line.Epoch == epoch {
			n++
		}
	}
	return n
}
