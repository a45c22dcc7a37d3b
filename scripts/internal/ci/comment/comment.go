// Package comment writes the one comment under a pull request, from a plan and the records of
// its comparisons, and keeps it up to date. Records are untrusted: their texts stand in code
// spans.
package comment

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/workload"
)

// maxBody is below GitHub's limit of 65,536 characters.
const maxBody = 60_000

// foreign stands above the figures of a fork's or a bot's pull request. Such a server runs as the user that
// measures it.
const foreign = "> **These figures are a claim.** The code of this pull request comes from outside. It ran on the machine that measured it, and could forge them."

// claimed stands there if a workflow of the fork made the records. The repository's own workflow gives a verdict for the same
// commit. The comment shows no hash to paste, since that of the newest push is not the one that somebody read.
const claimed = `> **These figures are a claim.** A workflow of the fork made them, and it could write what it wanted. So the status never passes. For a verdict, somebody who may write here does two things:
>
> 1. Read [all changes](%[1]s/files), above all those in ` + "`.github`" + `, build scripts and tests.
> 2. Comment ` + "`/benchmark SHA`" + `, with the full hash of the [commit](%[1]s/commits) that you read. Your own workflow then builds and loads it, with a token that may only read.`

// maxChanged is how many changed cells stand above the fold.
const maxChanged = 12

// Placeholder is the comment while the comparisons run.
func Placeholder(p plan.Plan, run github.Run) string {
	if p.Say != "" {
		return fmt.Sprintf("%s\n**Not measured**: %s.\n", markerOf(p), p.Say)
	}
	return fmt.Sprintf("%s\n**Measuring** %s at %.10s against %.10s, as soon as the machine is free. Each server gets at most %d rounds, fewer if the verdict is clear earlier ([progress](%s)).%s\n",
		markerOf(p), names(p.Servers), p.Revision, p.Base, p.Rounds, run.URL(), leftOut(p))
}

// maxNames is how many servers a sentence names. A name has at most 50 letters.
const maxNames = 40

// names lists servers in a sentence.
func names(servers []workload.Server) string {
	text := plan.Join(servers[:min(len(servers), maxNames)], ", ")
	if n := len(servers) - maxNames; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// leftOut names the servers that the pull request changes and nobody named; "" without any.
func leftOut(p plan.Plan) string {
	if len(p.LeftOut) == 0 {
		return ""
	}
	return fmt.Sprintf(" It also changes %s. Nobody named them, so they are not measured.", names(p.LeftOut))
}

// Answer is the comment after the comparisons: what changed, the warnings, what stays open, and
// the conditions. The rest is folded. answers are those of Judge. benchstat is its output about the same
// records; "" when it failed.
func Answer(p plan.Plan, uploads artifact.Result, answers []verdict.Answer, benchstat string, run github.Run) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", answeredWith(markerOf(p), p.Revision), answer.Sentences(answers, absent(p, uploads)))
	switch {
	case p.Claimed():
		fmt.Fprintf(&b, claimed+"\n\n", fmt.Sprintf("%s/pull/%d", run.Repository, p.Pull))
	case p.Foreign:
		b.WriteString(foreign + "\n\n")
	}
	writeChanged(&b, answers)
	section(&b, "Warnings", warnings(answers, uploads))
	section(&b, "Not measured", answer.Unmeasured(answers))
	writeBasis(&b, p, uploads, answers, run)
	if b.Len() > maxBody { // cut at a line
		text := b.String()[:maxBody]
		b.Reset()
		fmt.Fprintf(&b, "%s\n\nThe rest is too long for a comment. The run has all records.\n", text[:strings.LastIndex(text, "\n")])
	}
	if len(answers) == 0 {
		return b.String()
	}
	for _, name := range p.Workloads() {
		foldCells(&b, name, answers)
	}
	for _, job := range slices.Sorted(maps.Keys(uploads.Functions)) {
		var functions strings.Builder
		report.WhereMarkdown(&functions, uploads.Functions[job])
		fold(&b, "Which function did it: "+uploads.Functions[job].Server, functions.String())
	}
	if benchstat != "" {
		fold(&b, "benchstat on the same rounds, with its own test for each cell", fmt.Sprintf("```\n%s\n```\n", strings.TrimRight(benchstat, "\n")))
	}
	return b.String()
}

// foldCells writes all cells of a workload, server by server.
func foldCells(b *strings.Builder, workload string, answers []verdict.Answer) {
	cells := 0
	var all strings.Builder
	for _, a := range answers {
		if a.Workload == workload && len(a.Cells) > 0 {
			cells += len(a.Cells)
			fmt.Fprintf(&all, "**%s**\n\n", a.ID())
			report.CellsMarkdown(&all, a.Cells)
			report.RequestsMarkdown(&all, a)
			report.OutcomesMarkdown(&all, a)
		}
	}
	if cells > 0 {
		fold(b, fmt.Sprintf("All %d cells of %s", cells, workload), all.String())
	}
}

// Judge judges the records of each server, the most urgent verdict first. Each server has its own
// direct.
func Judge(uploads artifact.Result) (answers []verdict.Answer) {
	for _, server := range slices.Sorted(maps.Keys(uploads.Records)) {
		answers = append(answers, verdict.Compare(artifact.Quoted(uploads.Records[server]))...)
	}
	slices.SortStableFunc(answers, answer.ByUrgency)
	return answers
}

// writeChanged writes the cells that changed, server by server.
func writeChanged(b *strings.Builder, answers []verdict.Answer) {
	left, more := maxChanged, 0
	for _, a := range answers {
		changed := slices.DeleteFunc(slices.Clone(a.Cells), func(c verdict.Cell) bool {
			return c.Verdict != verdict.Regressed && c.Verdict != verdict.Improved
		})
		shown := changed[:min(left, len(changed))]
		if left, more = left-len(shown), more+len(changed)-len(shown); len(shown) > 0 {
			fmt.Fprintf(b, "**%s**\n\n", a.ID())
			report.CellsMarkdown(b, shown)
		}
	}
	if more > 0 {
		fmt.Fprintf(b, "%d more cells changed; see the table of all cells below.\n\n", more)
	}
}

// section writes lines as a list, or nothing.
func section(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n\n", title)
	for _, line := range lines {
		fmt.Fprintf(b, "- %s\n", line)
	}
	b.WriteString("\n")
}

// fold writes a part that opens on a click, or says that it is too long.
func fold(b *strings.Builder, title, text string) {
	if b.Len()+len(title)+len(text) > maxBody {
		text = "Too long for a comment. The run has all records.\n"
	}
	fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n%s\n</details>\n", title, strings.TrimRight(text, "\n")+"\n")
}

// absent are the servers of a plan without records.
func absent(p plan.Plan, uploads artifact.Result) (names []string) {
	for _, s := range p.Servers {
		if len(uploads.Records[s.Dotted()]) == 0 {
			names = append(names, s.String())
		}
	}
	return names
}
