// Package report turns records into tables and charts for people, and into the input of benchstat. It reads
// and writes no files. It does not decide what changed; package verdict does.
package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
)

// A format turns records, and the details beside them, into bytes.
type format struct {
	name  string
	write writer
}

type writer func(io.Writer, []record.Record) error

var formats = []format{
	{"text", Text{Width: logWidth}.Write},
	{"markdown", plainly(writeMarkdown)},
	{"benchfmt", writeBenchfmt},
	{"svg", writeSVG},
	{"claims", writeClaims},
}

// Formats are the formats of Write.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// CheckFormat returns an error for an unknown format.
func CheckFormat(name string) error {
	if !slices.Contains(Formats(), name) {
		return fmt.Errorf("report: format %q: unknown; known are %s", name, strings.Join(Formats(), ", "))
	}
	return nil
}

// An InputError means that this format cannot show these records.
type InputError struct{ error }

// Write writes records in a format. benchfmt takes
// records of several runs, a line each; the others show one run.
func Write(w io.Writer, name string, records []record.Record) error {
	if err := CheckFormat(name); err != nil {
		return err
	}
	if err := check(records, name); err != nil {
		return err
	}
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	return formats[i].write(w, records)
}

// check refuses no records, and several runs in a format that shows one.
func check(records []record.Record, name string) error {
	if len(records) == 0 {
		return InputError{errors.New("report: no records")}
	}
	if runs := record.Distinct(records, func(r record.Record) string { return r.Run.ID }); len(runs) > 1 && name != "benchfmt" {
		return InputError{fmt.Errorf("report: the files hold %d runs (%s), and figures of different runs are not comparable; report one run at a time", len(runs), strings.Join(runs, ", "))}
	}
	return nil
}
