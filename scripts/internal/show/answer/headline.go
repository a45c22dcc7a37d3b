// Package answer makes every sentence about a result: verdicts of comparisons, conditions of a run, warnings. Terminal,
// report, comment, site and pictures take them from here. Its texts are plain, but for names in code spans.
package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// LoadSentence says what is special in the load of a server, and in how it is judged; "" if nothing is.
func LoadSentence(a verdict.Answer) string {
	var all []string
	declares := workload.Named(a.Workload).Declares
	switch {
	case a.Load != "" && declares:
		all = append(all, fmt.Sprintf("Base and head had %s.", a.Load))
	case a.Load != "":
		all = append(all, fmt.Sprintf("The usual load is too much for this server, so base and head had %s.", a.Load))
	}
	if workload.Named(a.Workload).Scripted && len(a.Cells) > 0 {
		all = append(all, "Both sides got base's script, with a k6 each.")
	}
	if text := workload.MarginsText(a.Margins); text != "" {
		all = append(all, fmt.Sprintf("Margins of its server.json: %s.", text))
	}
	switch {
	case len(a.Cells) == 0 || !workload.Named(a.Workload).Mixes:
	case len(a.Requests) > 0:
		all = append(all, "CPU time, memory and throughput cover all requests together; latency has a figure for each request.")
	default: // few requests, or older records
		all = append(all, "Each figure covers all requests together, not one endpoint.")
	}
	switch {
	case a.Bump && len(a.Packages) > 1:
		all = append(all, fmt.Sprintf("Packages that moved with it: %s.", firstOf(a.Packages[1:])))
	case !a.Bump && len(a.Packages) > 0:
		all = append(all, fmt.Sprintf("Packages that changed: %s.", firstOf(a.Packages)))
	}
	all = append(all, limitSentences(a)...)
	if len(a.LeftOut) > 0 {
		all = append(all, fmt.Sprintf("Base does not answer these requests as head's server.json wants, so neither side got them: %s.", strings.Join(a.LeftOut, ", ")))
	}
	return strings.Join(all, " ")
}

// firstOf names the first of a list, and counts the others.
func firstOf(names []string) string {
	const most = 6
	return strings.Join(names[:min(most, len(names))], ", ") + more(len(names)-most)
}

// Headline is an answer in one sentence, without the full stop. It begins with the package that was changed, if one alone was.
// An inconclusive answer, and one of a short load, has its next step as a second sentence.
func Headline(a verdict.Answer) string {
	if a.Bump {
		return a.Packages[0] + ": " + sentence(a)
	}
	return sentence(a)
}

func sentence(a verdict.Answer) string {
	text := strings.Join(clauses(a), "; ")
	if next := nextStep(a); next != "" {
		text += ". Next: " + next
	}
	return text
}

// Parts are the verdict of an answer in a word or two, and the rest of its headline.
func Parts(a verdict.Answer) (says, rest string) {
	headline := Plain(sentence(a))
	if rest, ok := strings.CutPrefix(headline, "over the limit: "); ok {
		return "Over the limit", Capital(rest)
	}
	says = string(a.Verdict)
	if rest, ok := strings.CutPrefix(headline, says+": "); ok {
		return Capital(says), rest
	}
	if a.Verdict == verdict.Unchanged {
		says = "no change"
	}
	return Capital(says), Capital(headline)
}

// clauses are the verdict, and then what else a reader must know, the most important first, since a status
// may keep only the begin.
func clauses(a verdict.Answer) []string {
	if a.Verdict == verdict.Inconclusive && a.Why == "" {
		return append(overLimit(a), "inconclusive: "+strings.Join(slices.Concat(news(a), inconclusive(a)), "; "))
	}
	all := slices.Concat(overLimit(a), []string{conclusion(a)}, news(a), leaning(a))
	if a.Verdict == verdict.Improved { // a regression needs no more
		all = slices.Concat(all, likely(a), open(a), sizes(a))
	}
	return all
}

func conclusion(a verdict.Answer) string {
	var of []verdict.Cell
	for _, c := range a.Cells {
		if c.Verdict == a.Verdict {
			of = append(of, c)
		}
	}
	switch {
	case a.Verdict == verdict.Unchanged:
		return cmp.Or(strings.Join(excluded(a.Cells), ""), "no change") // older verdicts may decide on other cells
	case a.Verdict == verdict.NoLargeChange:
		return "no change, but " + strings.Join(sizes(a), "")
	case a.Verdict == verdict.Identical:
		return "identical: base and head are the same program"
	case len(of) == 0 || a.Verdict == verdict.Inconclusive:
		return fmt.Sprintf("%s: %s", a.Verdict, a.Why)
	case a.Verdict == verdict.NotMeasured && a.Why != "":
		return fmt.Sprintf("not measured: %s%s; %s", cellName(of[0]), others(of), a.Why)
	case a.Verdict == verdict.NotMeasured:
		return fmt.Sprintf("not measured: %s%s", cellName(of[0]), others(of))
	case a.Verdict == verdict.Improved:
		return fmt.Sprintf("improved: %s %s%s", cellName(of[0]), Change(of[0]), others(of))
	}
	var sentences []string // of three cells, so that none is long
	for some := range slices.Chunk(of, 3) {
		var names []string
		for _, c := range some {
			names = append(names, cellName(c)+" "+Change(c))
		}
		sentences = append(sentences, strings.Join(names, ", "))
	}
	return fmt.Sprintf("%s: %s", a.Verdict, strings.Join(sentences, ". Also "))
}

// others says how many cells are not named.
func others(cells []verdict.Cell) string {
	if len(cells) == 1 {
		return ""
	}
	return "," + more(len(cells)-1)
}

// HasNews reports whether the headline of an answer says more than its verdict.
func HasNews(a verdict.Answer) bool { return len(news(a))+len(leaning(a)) > 0 }

// news is what a verdict does not say by itself: which requests became slower or faster, how head changes what is measured or allowed, which rounds failed,
// and which checks of the contract differ.
func news(a verdict.Answer) (all []string) {
	all = append(headAlone(a), byRequest(a)...)
	for _, change := range a.Changes {
		all = append(all, "head "+change)
	}
	if a.Failed != "" && !strings.Contains(a.Why, a.Failed) {
		all = append(all, a.Failed+", which do not count")
	}
	for _, of := range []struct {
		says   string
		checks []string
	}{
		{"head now passes the required", a.Gained},
		{"both sides fail the required", a.BothFail},
		{"head no longer passes the required", a.Failing},
		{"head no longer passes the optional", a.Lost},
	} {
		switch len(of.checks) {
		case 0:
		case 1:
			all = append(all, fmt.Sprintf("%s check %s", of.says, of.checks[0]))
		default:
			all = append(all, fmt.Sprintf("%s checks %s", of.says, strings.Join(of.checks, ", ")))
		}
	}
	return all
}
