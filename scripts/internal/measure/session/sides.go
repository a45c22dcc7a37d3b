package session

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/verify"
	"fairstream/scripts/internal/workload"
)

// headOf is the head of the base at index i; nil for any other target.
func headOf(targets []load.Target, i int) *load.Target {
	base := targets[i]
	j := slices.IndexFunc(targets, func(t load.Target) bool {
		return base.Side == "base" && t.Side == "head" && t.Server.ID() == base.Server.ID()
	})
	if j < 0 {
		return nil
	}
	return &targets[j]
}

// tolerate loads a comparison although base fails required checks. Head is not loaded only where it fails a check that
// base passes. A vital check ends the load of its side.
func tolerate(targets []load.Target, results [][]verify.Result) {
	of := map[*load.Target][]verify.Result{}
	for i := range targets {
		of[&targets[i]] = results[i]
	}
	for i := range targets {
		base, head := &targets[i], headOf(targets, i)
		if head == nil || of[base] == nil || of[head] == nil || len(base.FailedChecks) == 0 {
			continue
		}
		vital := func(r verify.Result) bool {
			vital := workload.Named(base.Server.Workload).Vital
			return slices.Contains(vital, r.Clause) || slices.Contains(vital, r.Name())
		}
		if !slices.ContainsFunc(verify.Failures(of[base], true), vital) {
			base.Broken = nil
		}
		if failed := verify.Failures(of[head], true); !slices.ContainsFunc(failed, vital) {
			head.Broken = verify.FailedChecks(slices.DeleteFunc(failed, func(r verify.Result) bool {
				return slices.Contains(base.FailedChecks, r.Name())
			}))
		}
		if base.Broken == nil && head.Broken == nil {
			fmt.Fprintf(os.Stderr, "comparison: %s: base fails %s; both sides are loaded, since head fails no check that base passes\n",
				base.Server.Name, strings.Join(base.FailedChecks, ", "))
		}
	}
}
