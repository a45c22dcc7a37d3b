package session

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/release"
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
		vital := func(r verify.Result) bool { return isVital(base.Server.Workload, r.Name()) }
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

// isVital reports whether a load has no meaning without a check.
func isVital(name, check string) bool {
	vital := workload.Named(name).Vital
	clause, _, _ := strings.Cut(check, " ")
	return slices.Contains(vital, clause) || slices.Contains(vital, check)
}

// LoadFailing loads also a head that fails a check which base passes, if it is not vital.
func LoadFailing(targets []load.Target) {
	for i := range targets {
		t := &targets[i]
		vital := func(check string) bool { return isVital(t.Server.Workload, check) }
		if t.Side == "head" && t.Broken != nil && t.Artefact != nil && len(t.FailedChecks) > 0 && !slices.ContainsFunc(t.FailedChecks, vital) {
			t.Broken = nil
			fmt.Fprintf(os.Stderr, "comparison: %s: head fails %s, and is loaded nevertheless\n", t.Server.Name, strings.Join(t.FailedChecks, ", "))
		}
	}
}

// comparePackages notes which versions of packages differ between base and head. A lock file that cannot be read is the
// build's to refuse.
func comparePackages(targets []load.Target) {
	for i := range targets {
		base, head := &targets[i], headOf(targets, i)
		if head == nil || base.Broken != nil || head.Broken != nil {
			continue
		}
		bump, moved, err := release.Changes(base.Server, head.Server, head.Package)
		if err != nil {
			fmt.Fprintf(os.Stderr, "comparison: %s: its packages are not compared: %v\n", base.Server.Name, err)
			continue
		}
		if head.Bump = bump != ""; head.Bump {
			moved = append([]string{bump}, moved...)
		}
		head.Packages = shortened(moved)
	}
}
