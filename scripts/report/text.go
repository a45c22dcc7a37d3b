package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"fairstream/scripts/record"
)

// Formats are the names that Write knows.
var Formats = []string{"text", "markdown", "benchfmt"}

// CheckFormat is an error for a name that Write does not know.
func CheckFormat(format string) error {
	if !slices.Contains(Formats, format) {
		return fmt.Errorf("report: format %q: unknown; known are %s", format, strings.Join(Formats, ", "))
	}
	return nil
}

// Write writes records as tables, one per scenario; benchfmt has a line per record.
func Write(w io.Writer, format string, records []record.Record) error {
	if len(records) == 0 {
		return errors.New("report: no records")
	}
	if err := CheckFormat(format); err != nil {
		return err
	}
	if format == "benchfmt" {
		return writeBenchfmt(w, records)
	}
	if runs := distinct(records, func(r record.Record) string { return r.Run.ID }); len(runs) > 1 {
		return fmt.Errorf("report: records of %d runs (%s); figures of different runs are not comparable, report one at a time", len(runs), strings.Join(runs, ", "))
	}
	write := map[string]func(io.Writer, table) error{"text": text, "markdown": markdown}[format]
	for _, t := range tables(records) {
		if err := write(w, t); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, provenance(records))
	return err
}

func text(w io.Writer, t table) error {
	fmt.Fprintln(w, t.title)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range slices.Concat([][]string{t.header}, t.rows) {
		// tabwriter aligns all cells alike; the names are padded here to stand at the left.
		width := 0
		for _, r := range t.rows {
			width = max(width, len(r[0]))
		}
		fmt.Fprintf(tw, "%-*s\t%s\t\n", width, row[0], strings.Join(row[1:], "\t"))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, n := range t.notes {
		fmt.Fprintln(w, "  "+n)
	}
	_, err := fmt.Fprintln(w)
	return err
}

func markdown(w io.Writer, t table) error {
	fmt.Fprintf(w, "**%s**\n\n| %s |\n|---|%s\n", t.title, strings.Join(t.header, " | "), strings.Repeat("--:|", len(t.header)-1))
	for _, row := range t.rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
	}
	if len(t.notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, n := range t.notes {
		fmt.Fprintf(w, "- %s\n", n)
	}
	_, err := fmt.Fprintln(w)
	return err
}
