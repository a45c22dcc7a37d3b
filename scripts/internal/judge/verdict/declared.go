package verdict

import (
	"fmt"
	"strings"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// declare notes what both sides of a server say of themselves, and how head's file differs.
func (p *Comparison) declare(base, head raw.Server) {
	p.FailedChecks = [2][]string{base.FailedChecks, head.FailedChecks}
	p.MissingChecks = [2][]string{base.MissingChecks, head.MissingChecks}
	p.LeftOut, p.Packages, p.Bump = head.LeftOut, head.Packages, head.Bump && len(head.Packages) > 0
	p.Releases = base.Commit == nil && head.Commit == nil && p.Bump
	p.Margins, p.Changes = workload.Named(p.Workload).NarrowerMargins(base.Margins, head.Margins)
	agreed, ofLimits := workload.AgreedLimits(base.Limits, head.Limits)
	p.Limits, p.Changes = agreed, append(p.Changes, ofLimits...)
	for _, change := range []struct {
		says     string
		requests []string
	}{{"no longer sends", head.Dropped}, {"also sends", head.Added}, {changed(p.Workload), head.Changed}} {
		if len(change.requests) > 0 {
			p.Changes = append(p.Changes, fmt.Sprintf("%s %s", change.says, listed(change.requests)))
		}
	}
}

// changed says what head does to requests, or to its script.
func changed(name string) string {
	if workload.Named(name).Scripted {
		return "changes its"
	}
	return "changes the content or weight of"
}

// listed names some of many, since a headline has them.
func listed(names []string) string {
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}
