package compare

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
)

// Endpoint prints how the requests of a name are distributed on both sides, over the rounds that the answers rest on. dir has the
// raw files.
func Endpoint(dir, name string, records []record.Record, answers []verdict.Answer) error {
	all, err := record.Endpoints(dir, name, verdict.RoundFilter(records, answers))
	if err != nil {
		return cli.UsageError{Err: err}
	}
	w := tabwriter.NewWriter(cli.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\n  %s, ms\trequests\tp50\tp75\tp90\tp95\tp99\tmax\t\n", answer.Plain(name))
	for _, e := range all {
		figures := []string{fmt.Sprint(e.Counts.Count)}
		for _, q := range []float64{0.5, 0.75, 0.9, 0.95, 0.99, 1} {
			figures = append(figures, answer.Spelt(e.Counts.QuantileUS(q)/1000, 4))
		}
		fmt.Fprintf(w, "  %s\t%s\t\n", e.Target, strings.Join(figures, "\t"))
	}
	return w.Flush()
}
