// Package comment turns a plan, and the records of its legs, into the one
// comment under a pull request, and keeps it there. Records are untrusted:
// what a leg chose stands in code spans, the rest is ours.
package comment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/artifact"
	"fairstream/scripts/compare"
	"fairstream/scripts/github"
	"fairstream/scripts/plan"
	"fairstream/scripts/record"
)

// marker is how our comment is found again. Behind it stands, in an answer,
// what it is an answer about.
const marker = "<!-- fairstream -->"

func answered(revision string) string { return marker + "\n<!-- answer about " + revision + " -->" }

// author is who writes with a workflow's token. Anybody may write our marker.
const author = "github-actions[bot]"

// maxBody is below GitHub's limit of 65,536 characters.
const maxBody = 60_000

// Placeholder is the comment until there is an answer.
func Placeholder(p plan.Plan, runURL string) string {
	if p.Say != "" {
		return fmt.Sprintf("%s\n**Not measured**: %s.\n", marker, p.Say)
	}
	return fmt.Sprintf("%s\n**Measuring** %s at %.10s against %.10s, as soon as the machine is free: %s of %s ([progress](%s)).\n",
		marker, strings.Join(p.Servers, ", "), p.Revision, p.Base, rounds(p), strings.ReplaceAll(p.Scenarios, ",", ", "), runURL)
}

// Answer is the comment when the legs have ended. benchstat is what benchstat
// printed about the same records; "" when it could not be had.
func Answer(p plan.Plan, legs artifact.Result, benchstat, runURL string) string {
	cells := compare.Compare(legs.All())
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", answered(p.Revision), headline(p, together(cells), legs))
	changed := slices.DeleteFunc(together(cells), func(c compare.Cell) bool { return c.Verdict == compare.Inconclusive })
	writeCells(&b, changed[:min(len(changed), maxChanged)])
	if n := len(changed) - maxChanged; n > 0 {
		fmt.Fprintf(&b, "\nAnd %d more that changed or were not measured, in all comparisons below.\n", n)
	}
	b.WriteString("\n")
	for _, m := range legs.Missing {
		fmt.Fprintf(&b, "- %s: no records\n", m)
	}
	for _, r := range legs.Refused {
		fmt.Fprintf(&b, "- artifact `%s` refused: `%s`\n", r.Artifact, r.Why)
	}
	writeDoubts(&b, legs.All())
	fmt.Fprintf(&b, "\n%.10s against %.10s, both loaded in the same minutes, %s of %s ([run](%s)).", p.Revision, p.Base, rounds(p), strings.ReplaceAll(p.Scenarios, ",", ", "), runURL)
	if p.Quick {
		b.WriteString(" Scenarios were shortened (quick): this shows that all works, and measures little.")
	}
	if p.Ruler {
		b.WriteString(" This pull request changes k6/, stub/ or scripts/ too; measured was with those of main.")
	}
	b.WriteString("\n")
	if len(cells) == 0 {
		return b.String()
	}
	fold(&b, fmt.Sprintf("All %d comparisons", len(cells)), allCells(cells))
	if benchstat != "" {
		fold(&b, "benchstat", fmt.Sprintf("```\n%s\n```\n", strings.TrimRight(benchstat, "\n")))
	}
	fold(&b, "Measured on", machine(legs.All()))
	return b.String()
}

// together makes one cell of those that say the same of a server for the same
// reason: a server that does not start fails in every scenario.
func together(cells []compare.Cell) (fewer []compare.Cell) {
	for _, c := range cells {
		i := slices.IndexFunc(fewer, func(d compare.Cell) bool {
			return c.Why != "" && d.Why == c.Why && d.Server == c.Server && d.Verdict == c.Verdict && d.Metric.Name == c.Metric.Name
		})
		if i >= 0 {
			fewer[i].Scenario += ", " + c.Scenario
			continue
		}
		fewer = append(fewer, c)
	}
	return fewer
}

func allCells(cells []compare.Cell) string {
	var b strings.Builder
	writeCells(&b, together(cells))
	fmt.Fprintf(&b, "\nA change is called one when a Mann-Whitney U test of the rounds has p below %v and it is %.0f %% or more; by chance alone that is expected of at most %.2f of %d comparisons. "+
		"Inconclusive is not \"unchanged\": with few rounds on a shared machine a change may not show.\n",
		compare.Alpha, 100*compare.MinChange, compare.Alpha*float64(len(cells)), len(cells))
	return b.String()
}

// maxDoubts is how many are shown.
const maxDoubts = 10

// writeDoubts quotes the reasons of records that are not ok, each once: what
// ails k6 or the machine is in the record of every target.
func writeDoubts(b *strings.Builder, records []record.Record) {
	type doubt struct {
		status record.Status
		why    string
	}
	var order []doubt
	first, of := map[doubt]record.Record{}, map[doubt]int{}
	for _, r := range artifact.Shown(records) {
		for _, why := range r.Why {
			d := doubt{r.Status, why}
			if of[d]++; of[d] == 1 {
				order, first[d] = append(order, d), r
			}
		}
	}
	for _, d := range order[:min(len(order), maxDoubts)] {
		r := first[d]
		fmt.Fprintf(b, "- %s %s, round %d", r.Server.Name, r.Scenario, r.Round)
		if r.Server.Side != "" {
			fmt.Fprintf(b, " of %s", r.Server.Side)
		}
		if n := of[d] - 1; n > 0 {
			fmt.Fprintf(b, ", and %d more records", n)
		}
		fmt.Fprintf(b, ": %s: %s\n", d.status, d.why)
	}
	if n := len(order) - maxDoubts; n > 0 {
		fmt.Fprintf(b, "- and %d more reasons to doubt records; the run has them\n", n)
	}
}

// headline is the answer in a line.
func headline(p plan.Plan, cells []compare.Cell, legs artifact.Result) string {
	count := map[compare.Verdict]int{}
	first := map[compare.Verdict]compare.Cell{}
	var unmeasured, few []string
	enough := 0 // cells that could show a change
	for _, c := range cells {
		switch {
		case c.Verdict == compare.NotMeasured || c.Why != "":
		case min(c.Rounds[0], c.Rounds[1]) >= compare.MinRounds:
			enough++
		case !slices.Contains(few, c.Server):
			few = append(few, c.Server)
		}
		if count[c.Verdict]++; count[c.Verdict] == 1 {
			first[c.Verdict] = c
		}
		if name := c.Server; c.Verdict == compare.NotMeasured && !slices.Contains(unmeasured, name) {
			unmeasured = append(unmeasured, name)
		}
	}
	for _, m := range legs.Missing {
		if name, _, _ := strings.Cut(m, ":"); !slices.Contains(unmeasured, name) {
			unmeasured = append(unmeasured, name)
		}
	}
	var parts []string
	for _, v := range []struct {
		verdict compare.Verdict
		word    string
	}{{compare.Regressed, "Regressed"}, {compare.Improved, "Improved"}} {
		if count[v.verdict] == 0 {
			continue
		}
		c := first[v.verdict]
		more := ""
		if n := count[v.verdict] - 1; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		if c.Metric.Name == "" {
			parts = append(parts, fmt.Sprintf("**%s**: %s %s, which fails at head only%s.", v.word, c.Server, c.Scenario, more))
			continue
		}
		parts = append(parts, fmt.Sprintf("**%s**: %s %s %s %s%s.", v.word, c.Server, c.Scenario, c.Metric.Label, percent(c.Change), more))
	}
	if count[compare.Regressed] == 0 && enough > 0 {
		parts = append(parts, fmt.Sprintf("**No regression seen** in %d comparisons.", enough))
	}
	if len(few) > 0 {
		parts = append(parts, fmt.Sprintf("**Inconclusive**: %s, whose fewer than %d rounds cannot tell a change from noise.", strings.Join(few, ", "), compare.MinRounds))
	}
	if len(unmeasured) > 0 {
		slices.Sort(unmeasured)
		parts = append(parts, fmt.Sprintf("**Not measured**: %s.", strings.Join(unmeasured, ", ")))
	}
	if len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("**Not measured**: %s.", strings.Join(p.Servers, ", ")))
	}
	return strings.Join(parts, " ")
}

// maxChanged cells are shown before the fold. maxRows of a table are: beyond
// the 17 cells that each of eight servers has in all scenarios.
const (
	maxChanged = 12
	maxRows    = 200
)

// writeCells writes a table, or nothing.
func writeCells(b *strings.Builder, cells []compare.Cell) {
	if len(cells) == 0 {
		return
	}
	b.WriteString("| server | scenario | metric | base | head | change | p | verdict |\n|---|---|---|--:|--:|--:|--:|---|\n")
	for i, c := range cells {
		if i == maxRows {
			fmt.Fprintf(b, "| and %d more | | | | | | | |\n", len(cells)-i)
			return
		}
		if c.Why != "" {
			fmt.Fprintf(b, "| %s | %s | %s | | | | | %s: `%s` |\n", c.Server, c.Scenario, c.Metric.Label, c.Verdict, strings.ReplaceAll(artifact.Harmless(c.Why), "|", "/"))
			continue
		}
		scale := 1.0
		if c.Metric.Unit == "bytes" {
			scale = 1e-6 // its label says MB
		}
		verdict := string(c.Verdict)
		if c.Verdict != compare.Inconclusive {
			verdict = "**" + verdict + "**"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %.4g | %.4g | %s | %.3f | %s |\n",
			c.Server, c.Scenario, c.Metric.Label, c.Base*scale, c.Head*scale, percent(c.Change), c.P, verdict)
	}
}

func rounds(p plan.Plan) string {
	if p.Rounds == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", p.Rounds)
}

func percent(change float64) string { return fmt.Sprintf("%+.1f %%", 100*change) }

// fold writes a part that opens on a click, or says that it would be too long.
func fold(b *strings.Builder, title, text string) {
	if b.Len()+len(title)+len(text) > maxBody {
		text = "Too long for a comment; the run has the records.\n"
	}
	fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n%s\n</details>\n", title, text)
}

// machine says what the records were measured on, in their own words.
func machine(records []record.Record) string {
	var lines []string
	for _, r := range artifact.Shown(records) {
		or := func(s *string) string {
			if s == nil {
				return "unknown"
			}
			return *s
		}
		line := fmt.Sprintf("- %s: CPU %s, %d cores, %s, kernel %s\n", r.Server.Name, or(r.Host.CPU), r.Host.Cores, or(r.Host.OS), or(r.Host.Kernel))
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// Post makes body our comment under a pull request: the one there is, edited,
// or a new one. An answer about the same revision gives way to another answer
// only, so that a workflow that starts again does not take it away.
func Post(ctx context.Context, c github.Client, pull int, revision, body string) error {
	all, err := c.Comments(ctx, pull)
	if err != nil {
		return err
	}
	for _, old := range all {
		if old.User.Login == author && strings.HasPrefix(old.Body, marker) {
			if strings.HasPrefix(old.Body, answered(revision)) && !strings.HasPrefix(body, answered(revision)) {
				return nil
			}
			return c.EditComment(ctx, old.ID, body)
		}
	}
	return c.CreateComment(ctx, pull, body)
}
