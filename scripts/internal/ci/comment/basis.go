package comment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
)

// writeBasis writes the conditions: the machine, the rounds, the risk, and the commands that
// replay the verdicts.
func writeBasis(b *strings.Builder, p plan.Plan, uploads artifact.Result, answers []verdict.Answer, run github.Run) {
	fmt.Fprintf(b, "%.10s against %.10s, both loaded in the same minutes ([run](%s)).", p.Revision, p.Base, run.URL())
	if p.Quick {
		b.WriteString(" The load was shortened (quick). This shows that everything works, but its figures mean little.")
	}
	if p.Rig {
		b.WriteString(" This pull request also changes k6/, stub/ or scripts/. The comparison used those of main.")
	}
	b.WriteString(leftOut(p) + "\n\n")
	if len(answers) == 0 {
		return
	}
	b.WriteString(machines(uploads.All()))
	for _, a := range answers {
		fmt.Fprintf(b, "- %s\n", comparisons(p, a, uploads.Records[a.ID().Dotted()]))
	}
	b.WriteString("- base and head: means of the rounds that the verdict uses\n")
	shared := "over all cells and looks of the server"
	if n := p.SharedBy(); n > 0 {
		shared = fmt.Sprintf("over %d servers, and all their cells and looks", n)
	}
	fmt.Fprintf(b, "- rate of false alarms: %g %% %s\n", 100*verdict.Alpha, shared)
	for _, a := range answers {
		fmt.Fprintf(b, "- replay %s: `gh run download %s -n raw-%s-%d -D comparison-%[1]s && scripts/bench replay comparison-%[1]s/run.jsonl`\n",
			a.ID().Dotted(), run.ID, a.ID().Dotted(), cmp.Or(uploads.Attempts[a.ID().Dotted()], run.Attempt))
	}
}

// comparisons says how many rounds a server's verdict uses, and when they ran.
func comparisons(p plan.Plan, a verdict.Answer, records []record.Record) string {
	if a.Verdict == verdict.Identical {
		return a.ID().String() + ": not loaded"
	}
	first, last, rounds := records[0].Started, records[0].Started, []int{}
	for _, r := range records {
		if r.Started.Before(first) {
			first = r.Started
		}
		if r.Started.After(last) {
			last = r.Started
		}
		if !slices.Contains(rounds, r.Round) {
			rounds = append(rounds, r.Round)
		}
	}
	text := fmt.Sprintf("%s: %d rounds loaded, at most %d count, started between %s and %s UTC (%.0f min)",
		a.ID(), len(rounds), p.Rounds, first.UTC().Format("2006-01-02 15:04"), last.UTC().Format("15:04"), last.Sub(first).Round(time.Minute).Minutes())
	if load := answer.LoadSentence(a); load != "" {
		text += ". " + strings.TrimSuffix(load, ".")
	}
	if len(a.Cells) == 0 {
		return text
	}
	return text + fmt.Sprintf(". The verdict uses %d", a.Rounds)
}

// machines names the machines of the records, once if they are the same.
func machines(records []record.Record) string {
	or := func(s *string) string {
		if s == nil {
			return "unknown"
		}
		return *s
	}
	var all []string
	on := map[string][]string{} // servers
	for _, r := range artifact.Shown(records) {
		machine := fmt.Sprintf("CPU %s, %d cores, %s, kernel %s", or(r.Host.CPU), r.Host.Cores, or(r.Host.OS), or(r.Host.Kernel))
		if !slices.Contains(all, machine) {
			all = append(all, machine)
		}
		if r.Server.Side != "" && !slices.Contains(on[machine], r.ID().String()) {
			on[machine] = append(on[machine], r.ID().String())
		}
	}
	if len(all) == 1 {
		return fmt.Sprintf("- machine: %s\n", all[0])
	}
	var b strings.Builder
	for _, machine := range all {
		fmt.Fprintf(&b, "- machine of %s: %s\n", strings.Join(on[machine], ", "), machine)
	}
	return b.String()
}
