package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// VerdictFormats are the formats of WriteVerdicts.
func VerdictFormats() []string { return []string{"text", "markdown", "png"} }

// CheckVerdictFormat returns an error for an unknown format.
func CheckVerdictFormat(name string) error {
	if !slices.Contains(VerdictFormats(), name) {
		return fmt.Errorf("format %q: unknown; known are %s", name, strings.Join(VerdictFormats(), ", "))
	}
	return nil
}

// WriteVerdicts writes answers for people: for each server its headline, then the cells. As png it is a picture.
func WriteVerdicts(out io.Writer, format string, answers []verdict.Answer) error {
	if err := CheckVerdictFormat(format); err != nil {
		return err
	}
	if format == "png" {
		return changesPNG(out, answers)
	}
	w := new(strings.Builder)
	for i, a := range answers {
		if i > 0 {
			fmt.Fprintln(w)
		}
		switch format {
		case "text":
			verdictText(w, a)
		case "markdown":
			fmt.Fprintf(w, "**%s**: %s\n\n", a.Server, Headline(a))
			if text := LoadSentence(a); text != "" {
				fmt.Fprintf(w, "%s\n\n", text)
			}
			CellsMarkdown(w, a.Cells)
			RequestsMarkdown(w, a)
			for _, s := range a.Discarded {
				fmt.Fprintf(w, "- not counted: %s\n", s)
			}
		}
	}
	_, err := io.WriteString(out, Plain(w.String()))
	return err
}

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
	if len(a.LeftOut) > 0 {
		all = append(all, fmt.Sprintf("Base does not answer these requests as head's server.json wants, so neither side got them: %s.", strings.Join(a.LeftOut, ", ")))
	}
	return strings.Join(all, " ")
}

// Headline is an answer in one sentence, without the full stop. An inconclusive answer has its next step as a
// second sentence.
func Headline(a verdict.Answer) string {
	text := strings.Join(clauses(a), "; ")
	if next := nextStep(a); next != "" {
		text += ". Next: " + next
	}
	return text
}

// clauses are the verdict, and then what else a reader must know, the most important first, since a status
// may keep only the begin.
func clauses(a verdict.Answer) []string {
	if a.Verdict == verdict.Inconclusive && a.Why == "" {
		return []string{"inconclusive: " + strings.Join(slices.Concat(news(a), inconclusive(a)), "; ")}
	}
	all := slices.Concat([]string{conclusion(a)}, news(a), leaning(a))
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
		return strings.Join(excluded(a.Cells), "")
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
	all = byRequest(a)
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

// up rounds a share up to a tenth of a per cent.
func up(share float64) float64 { return math.Ceil(1000*share) / 10 }

// Change is a cell's change as text: a share, or an amount in the metric's unit; "" when it was not measured.
func Change(c verdict.Cell) string {
	if c.Verdict == verdict.NotMeasured {
		return ""
	}
	return amount(c, c.Change)
}

// spelt formats a figure with n digits and never an exponent.
func spelt(v float64, n int) string {
	return strconv.FormatFloat(record.LimitDigits(v, n), 'f', -1, 64)
}

func amount(c verdict.Cell, v float64) string {
	if c.Criterion.Absolute {
		plus := ""
		if v >= 0 {
			plus = "+"
		}
		return fmt.Sprintf("%s%s %s", plus, spelt(v, 3), c.Metric.Unit)
	}
	if v > 2 { // hundreds of per cent need no digits
		return "x" + spelt(1+v, 3)
	}
	return fmt.Sprintf("%+.1f %%", 100*v)
}

// Interval is the 95 % interval of the change as text.
func Interval(c verdict.Cell) string {
	if c.Verdict == verdict.NotMeasured {
		return ""
	}
	low, high := amount(c, c.Low), amount(c, c.High)
	if number, unit, _ := strings.Cut(low, " "); strings.HasSuffix(high, " "+unit) {
		low = number // the unit once
	}
	return fmt.Sprintf("%s to %s", low, high)
}

// Says is a cell's verdict as text, with the change that it excludes or leaves possible.
func Says(c verdict.Cell) string {
	switch c.Verdict {
	case verdict.Unchanged, verdict.NoLargeChange:
		return fmt.Sprintf("no change of %s or more", least(c, c.Excluded()))
	case verdict.Inconclusive:
		if side := c.Leaning(); side != "" {
			return fmt.Sprintf("inconclusive, leaning %s: %s", side, Interval(c))
		}
		return "inconclusive: " + possible(c)
	}
	return string(c.Verdict)
}

// possible says which change a cell leaves possible, as text.
func possible(c verdict.Cell) string {
	if hopeless(c) {
		return "even a large change is possible"
	}
	return "up to " + least(c, c.Excluded()) + " is possible"
}

// least is a change without its sign, rounded up.
func least(c verdict.Cell, v float64) string {
	if c.Criterion.Absolute {
		if v > 0 { // up to the third digit
			step := math.Pow(10, math.Floor(math.Log10(v))-2)
			v = math.Ceil(v/step-1e-9) * step
		}
		return fmt.Sprintf("%s %s", spelt(v, 3), c.Metric.Unit)
	}
	return fmt.Sprintf("%.1f %%", up(v))
}

// figureOf is a cell's value in the unit of its label; "" when it was not measured.
func figureOf(c verdict.Cell, v float64) string {
	if c.Verdict == verdict.NotMeasured {
		return ""
	}
	if c.Metric.Unit == "bytes" {
		v *= 1e-6 // its label says MB
	}
	return spelt(v, 4)
}

// A Row is a cell as tables show it: every figure is text.
type Row struct {
	Scenario string `json:"scenario"`
	Metric   string `json:"metric"` // its label
	Base     string `json:"base"`   // means of the rounds; "" where it was not measured, as in the next three
	Head     string `json:"head"`
	Change   string `json:"change"`
	Interval string `json:"interval"` // 95 %
	Result   string `json:"result"`
}

// NewRow is the row of a cell.
func NewRow(c verdict.Cell) Row {
	return Row{c.Scenario, c.Metric.Label, figureOf(c, c.Base), figureOf(c, c.Head), Change(c), Interval(c), Says(c)}
}

func verdictText(w *strings.Builder, a verdict.Answer) {
	fmt.Fprintf(w, "%s  %s\n", a.Server, Headline(a))
	if text := LoadSentence(a); text != "" {
		fmt.Fprintf(w, "%*s  %s\n", len(a.Server), "", text)
	}
	if len(a.Cells) > 0 {
		fmt.Fprintf(w, "%*s  base and head are means of %d rounds; false-alarm rate %.2g %% per server\n", len(a.Server), "", a.Rounds, 100*a.Alpha)
		if slices.ContainsFunc(a.Cells, func(c verdict.Cell) bool { return c.Verdict == verdict.Inconclusive && probable(c) }) {
			fmt.Fprintf(w, "%*s  all cells and looks share that rate, so a 95 %% interval beside 0 is not yet a verdict\n", len(a.Server), "")
		}
		fmt.Fprintln(w)
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(tw, "  scenario\tmetric\tbase\thead\tchange\t95 % interval\tverdict")
		for _, c := range a.Cells {
			r := NewRow(c)
			fmt.Fprintf(tw, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Scenario, r.Metric, r.Base, r.Head, r.Change, r.Interval, r.Result)
		}
		tw.Flush() // a Builder never fails
		requestsText(w, a)
	}
	if len(a.Discarded) > 0 {
		fmt.Fprintf(w, "\n  discarded rounds; others took their place where there was time:\n")
		for _, s := range a.Discarded {
			fmt.Fprintf(w, "  %s\n", s)
		}
	}
}

// CellsMarkdown writes a table of cells, or nothing.
func CellsMarkdown(w *strings.Builder, cells []verdict.Cell) {
	if len(cells) == 0 {
		return
	}
	fmt.Fprint(w, "| scenario | metric | base | head | change | 95 % interval | verdict |\n|---|---|--:|--:|--:|---|---|\n")
	for _, c := range cells {
		r := NewRow(c)
		if c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved {
			r.Result = "**" + r.Result + "**"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", r.Scenario, r.Metric, r.Base, r.Head, r.Change, r.Interval, r.Result)
	}
	fmt.Fprintln(w)
}
