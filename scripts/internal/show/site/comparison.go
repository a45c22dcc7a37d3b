package site

import (
	"math"
	"slices"
	"time"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
)

// A Comparison is what the pages show of base against head: the verdicts in the words of `scripts/bench
// replay`, with the figures of the rounds that count.
type Comparison struct {
	Schema   int             `json:"schema"`
	Run      string          `json:"run"` // its id
	Quick    bool            `json:"quick"`
	Verdicts []ServerVerdict `json:"verdicts"` // by server
}

// A ServerVerdict is the verdict on one server.
type ServerVerdict struct {
	Workload  string          `json:"workload"`
	Server    string          `json:"server"`
	Base      *string         `json:"base"` // commits; null: a changed working copy
	Head      *string         `json:"head"`
	Verdict   verdict.Verdict `json:"verdict"`
	Headline  string          `json:"headline"`
	Load      string          `json:"load"`      // its difference to the usual load, and how it is judged, in sentences; "": none
	AlphaPct  float64         `json:"alpha_pct"` // the false-alarm rate
	Rounds    []int           `json:"rounds"`    // that count
	Discarded []string        `json:"discarded"` // discarded rounds, with the reason
	Cells     []CellResult    `json:"cells"`     // as the table of the terminal
	// Requests is its table of requests by name, and MoreRequests how many it leaves out.
	Requests     []answer.RequestRow `json:"requests"`
	MoreRequests int                 `json:"more_requests"`
}

// A CellResult is a row of that table, and what a chart of it needs.
type CellResult struct {
	answer.Row
	Name    string          `json:"name"`    // of the metric
	Decides string          `json:"decides"` // the subject that it decides on, such as "CPU"; "": none
	Verdict verdict.Verdict `json:"verdict"`
	Leaning string          `json:"leaning"` // of an inconclusive cell: worse, better or ""
	Effect  *Effect         `json:"effect"`  // null: not measured
	// Values are the figures of base and head in each of the rounds that count, in the unit of
	// the label; null: unknown.
	Values []*[2]float64 `json:"values"`
}

// An Effect is a change with its 95 % interval, beside the margin that a cell must exclude to
// count as unchanged. All are shares of base, or in Unit.
type Effect struct {
	Change float64 `json:"change"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Margin float64 `json:"margin"`
	Unit   string  `json:"unit"` // "": shares of base
}

// isComparison reports whether records are of base and head.
func isComparison(records []record.Record) bool {
	return slices.ContainsFunc(records, func(r record.Record) bool { return r.Server.Side != "" })
}

// newComparison makes a Comparison of the answers to its records.
func newComparison(records []record.Record, answers []verdict.Answer) Comparison {
	all := Comparison{Schema: Schema, Run: records[0].Run.ID, Quick: records[0].Run.Quick, Verdicts: []ServerVerdict{}}
	comparisons := verdict.Comparisons(records)
	for _, a := range answers {
		i := slices.IndexFunc(comparisons, func(c verdict.Comparison) bool { return c.Server == a.Server })
		if i < 0 {
			continue
		}
		counted := comparisons[i].CountedRounds(a)
		v := ServerVerdict{
			Workload: a.Workload, Server: a.Server,
			Verdict: a.Verdict, Headline: answer.Plain(answer.Headline(a)), Load: answer.Plain(answer.LoadSentence(a)), AlphaPct: record.LimitDigits(100*a.Alpha, 2),
			Base: commitOf(records, a.Server, "base"), Head: commitOf(records, a.Server, "head"),
			Rounds: []int{}, Discarded: []string{}, Cells: []CellResult{}, Requests: []answer.RequestRow{},
		}
		for _, r := range counted {
			v.Rounds = append(v.Rounds, r.Round)
		}
		for _, why := range a.Discarded {
			v.Discarded = append(v.Discarded, answer.Plain(why))
		}
		for _, c := range a.Cells {
			v.Cells = append(v.Cells, newCellResult(c, counted))
		}
		if rows, more := answer.RequestRows(a); more+len(rows) > 0 {
			v.Requests, v.MoreRequests = rows, more
		}
		all.Verdicts = append(all.Verdicts, v)
	}
	return all
}

// countingIn reports whether a record of a comparison is of a round that the answers rest on.
func countingIn(records []record.Record, answers []verdict.Answer) func(record.Record) bool {
	counts := verdict.RoundFilter(records, answers)
	return func(r record.Record) bool { return counts(r.Server.Name, r.Round) }
}

func newCellResult(c verdict.Cell, counted []verdict.Round) CellResult {
	cell := CellResult{
		Row: answer.NewRow(c), Name: c.Metric.Name, Decides: c.Criterion.Decides,
		Verdict: c.Verdict, Leaning: c.Leaning(), Values: []*[2]float64{},
	}
	for _, r := range counted {
		at, known := r.Figures(c.Criterion)
		if !known {
			cell.Values = append(cell.Values, nil)
			continue
		}
		by := scale(c.Metric)
		cell.Values = append(cell.Values, &[2]float64{five(by * at[0]), five(by * at[1])})
	}
	if c.Verdict != verdict.NotMeasured {
		cell.Effect = &Effect{Change: five(c.Change), Low: five(c.Low), High: five(c.High), Margin: c.Criterion.Margin}
		if c.Criterion.Absolute {
			cell.Effect.Unit = c.Metric.Unit
		}
	}
	return cell
}

// five digits are more than a chart shows. JSON has no infinity, and an interval may end there.
func five(v float64) float64 {
	const far = 1e12
	return record.LimitDigits(math.Max(-far, math.Min(far, v)), 5)
}

// commitOf is what one side of a server was built from.
func commitOf(records []record.Record, server, side string) *string {
	for _, r := range records {
		if r.Server.Name == server && r.Server.Side == side {
			return r.Server.Commit
		}
	}
	return nil
}

// A ComparisonRow is a comparison on somebody's own machine.
type ComparisonRow struct {
	Run      string       `json:"run"`  // local/ID
	Text     string       `json:"text"` // server and revisions
	Time     time.Time    `json:"time"` // its begin
	Quick    bool         `json:"quick"`
	Details  bool         `json:"details"` // details/RUN.json.gz is there
	File     string       `json:"file"`    // its Comparison
	Verdicts []VerdictRow `json:"verdicts"`
}

// A VerdictRow is a verdict in a sentence.
type VerdictRow struct {
	Server   string          `json:"server"`
	Verdict  verdict.Verdict `json:"verdict"`
	Headline string          `json:"headline"`
}
