package branch

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/workload"
)

// Summary writes Markdown: the servers with and without records, the reasons, then the figures of the
// leaderboard runs and the trend runs, a table for each workload. note is a line about the history, or "". It
// neutralises the texts of artifacts.
func Summary(w *strings.Builder, p plan.Plan, result artifact.Result, note string) error {
	all := result.All()
	measured := servers(all)
	fmt.Fprintf(w, "**%d of %d servers measured at `%.12s`**", len(measured), len(p.Servers), p.Revision)
	if n := count(all, record.Invalid); n > 0 {
		fmt.Fprintf(w, ", %d of %d records invalid", n, len(all))
	}
	for _, name := range p.Leaderboards() {
		if len(result.Leaderboards[name]) == 0 {
			fmt.Fprintf(w, ", no leaderboard of %s", name)
		}
	}
	fmt.Fprintf(w, ": rounds: %d", p.Rounds)
	if p.Leaderboard > 0 {
		fmt.Fprintf(w, ", leaderboard rounds: %d", p.Leaderboard)
	}
	for _, name := range p.Workloads() {
		fmt.Fprintf(w, "; %s: %s", name, strings.ReplaceAll(p.Scenarios[name], ",", ", "))
	}
	fmt.Fprint(w, ".\n\n")
	if len(result.Missing) > 0 {
		fmt.Fprintf(w, "Missing: %s. The charts have no point for them; the job of that name says why.\n\n", strings.Join(result.Missing, "; "))
	}
	if len(result.Refused) > 0 {
		fmt.Fprint(w, "Refused:\n\n")
		for _, r := range result.Refused {
			fmt.Fprintf(w, "- `%s`: `%s`\n", r.Artifact, r.Why)
		}
		fmt.Fprintln(w)
	}
	if p.Reason != "" {
		fmt.Fprintf(w, "Started by hand: `%s`\n\n", artifact.Harmless(p.Reason))
	}
	if note != "" {
		fmt.Fprintf(w, "%s\n\n", note)
	}
	for _, name := range workload.Names() {
		if len(result.Leaderboards[name]) == 0 {
			continue
		}
		fmt.Fprintf(w, "### Leaderboard of %s: servers against each other\n\nAll servers and direct, in the same minutes.\n\n", name)
		if err := report.Write(w, "markdown", artifact.Shown(result.Leaderboards[name])); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if len(all) == 0 {
		return nil
	}
	fmt.Fprint(w, "### Trend runs: each server against its own history\n\n"+
		"Each server ran beside direct in its own job, at another time than the others. The charts show these figures; the job has the complete table.\n\n")
	for _, name := range workload.Names() {
		its := record.Filter(all, func(r record.Record) bool { return r.Workload == name })
		if len(its) == 0 {
			continue
		}
		if err := trendRuns(w, its); err != nil {
			return err
		}
	}
	return nil
}

// trendRuns writes a row for each server of a workload and a column for each series.
func trendRuns(w *strings.Builder, records []record.Record) error {
	fmt.Fprint(w, "| server |")
	of := rank.WorkloadOf(records)
	charts := of.Charts
	for _, c := range charts {
		unit, _ := shown(of.Name, c)
		fmt.Fprintf(w, " %s: %s, %s |", c.Scenario, c.Label, unit)
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("--:|", len(charts)))
	for _, server := range servers(records) {
		fmt.Fprintf(w, "| %s |", server)
		for _, c := range charts {
			text := rank.Unknown
			if f := rank.NewFigure(pick(records, server, c.Scenario), c.Metric); f.Rounds > 0 {
				_, scale := shown(of.Name, c)
				text = short(round(f.Mid * scale))
			}
			fmt.Fprintf(w, " %s |", text)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	harmless := artifact.Shown(records)
	lines := reasons(harmless)
	for i, r := range harmless {
		if line := "epoch " + record.Epoch(records[i]) + ": " + machine(r); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	for _, line := range lines {
		if _, err := fmt.Fprintf(w, "- %s\n", line); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	return nil
}

// maxReasons limits the reasons in a summary.
const maxReasons = 20

// reasons lists each reason of records with a warning or no figures once. A fault of k6 or the machine stands
// in the record of every target.
func reasons(records []record.Record) (lines []string) {
	var texts []string
	of := map[string][]record.Record{}
	for _, r := range records {
		for _, why := range r.Why {
			text := fmt.Sprintf("%s: %s", r.Status, why)
			if of[text] == nil {
				texts = append(texts, text)
			}
			of[text] = append(of[text], r)
		}
	}
	for _, text := range texts[:min(len(texts), maxReasons)] {
		line := of[text][0].ID().String() + " " + of[text][0].Scenario
		if n := len(of[text]) - 1; n > 0 {
			line += fmt.Sprintf(" and %d more", n)
		}
		lines = append(lines, line+": "+text)
	}
	if n := len(texts) - maxReasons; n > 0 {
		lines = append(lines, fmt.Sprintf("%d more reasons to warning records, which have them", n))
	}
	return lines
}

// machine describes the machine of an epoch.
func machine(r record.Record) string {
	or := func(s *string) string {
		if s == nil {
			return "unknown"
		}
		return *s
	}
	return fmt.Sprintf("%s, %d cores, %s, kernel %s, placement %s, rig %.8s", or(r.Host.CPU), r.Host.Cores, or(r.Host.OS), or(r.Host.Kernel), r.Run.Placement, r.Run.Rig)
}
