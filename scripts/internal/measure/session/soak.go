package session

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/workload"
)

// Soak loads targets and prints a report. It returns cli.ErrFindings when a server or the rig (k6 and stub)
// leaks, or when a token or a row was lost or doubled.
func Soak(ctx context.Context, s *Session, targets []load.Target) error {
	runErr := s.Measure(ctx, targets)
	if runErr != nil && runErr != cli.ErrFindings {
		return runErr
	}
	records, _, _, err := record.FromRaw(s.Dir)
	if err != nil {
		return err
	}
	text := new(strings.Builder)
	found := leaks(text, records)
	soak, err := record.ReadSoak(s.Dir, 1, s.Scenarios)
	if err == nil {
		found = account(text, soak, unitOf(records)) || found
	}
	fmt.Fprint(cli.Stdout, text)
	if err != nil {
		return err
	}
	if found {
		return cli.ErrFindings
	}
	return runErr
}

// unitOf is the unit of the records' workload.
func unitOf(records []record.Record) string {
	if len(records) == 0 {
		return workload.All[0].Unit
	}
	return workload.Named(records[0].Workload).Unit
}

// leaks writes the result for each server, and reports whether one leaks.
func leaks(w *strings.Builder, records []record.Record) (any bool) {
	unit := unitOf(records)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "\nserver\tleaks\tbytes kept of each %[1]s, 95 %% interval\t%[1]ss\n", unit)
	for _, r := range records {
		if r.Server.Name == raw.Direct {
			continue
		}
		verdict := r.Leaks()
		any = any || verdict == record.Leaks
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", r.Target(), verdict, growth(r, "server_rss_slope", "_bytes_per_"+unit), shown(r, unit+"s", "%.0f"))
	}
	tw.Flush() // a Builder never fails
	if len(records) > 0 && records[0].Tools[build.Sampler] == "" {
		fmt.Fprintf(w, "\nThe growth of memory is unknown, because this machine has no pidstat. Next: install the package sysstat.\n")
		return any
	}
	fmt.Fprintf(w, "\nA server leaks when it keeps %d bytes or more of each %s. It does not leak when the whole\ninterval is below that. Otherwise the result is inconclusive, as in every soak under five minutes.\nNext: load longer with -for.\n", record.LeakBytes, unit)
	return any
}

func growth(r record.Record, metric, unit string) string {
	low, high := shown(r, metric+"_low"+unit, "%.1f"), shown(r, metric+"_high"+unit, "%.1f")
	return fmt.Sprintf("%s (%s to %s)", shown(r, metric+unit, "%.1f"), low, high)
}

func shown(r record.Record, metric, format string) string {
	if v, known := r.Metrics.Get(metric); known {
		return fmt.Sprintf(format, v)
	}
	return "?"
}

// account writes the tokens of streams, the rows of databases, and the rig's memory. It returns true when tokens or rows
// were lost, doubled or not counted, or when the rig leaks.
func account(w *strings.Builder, soak record.Soak, unit string) (failed bool) {
	switch unknown := len(soak.Unknown); {
	case len(soak.Accounts)+unknown > 0 && unit == workload.Stream:
		failed = tokens(w, soak)
	case len(soak.Rows)+unknown > 0:
		failed = rows(w, soak)
	}
	fmt.Fprintf(w, "\nThe rig keeps of each %s, in bytes with 95 %% interval:\n", unit)
	for _, of := range []struct {
		name string
		*record.Growth
	}{{"k6", soak.K6}, {"the stub", soak.Stub}} {
		if of.Growth == nil {
			fmt.Fprintf(w, "%s: ?\n", of.name)
			continue
		}
		leak := of.Leaks()
		fmt.Fprintf(w, "%s: %.1f (%.1f to %.1f), leaks: %s\n", of.name, of.Bytes, of.Low, of.High, leak)
		failed = failed || leak == record.Leaks
	}
	return failed
}

// tokens writes the token counts, and returns true unless each token arrived once.
func tokens(w *strings.Builder, soak record.Soak) (failed bool) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "\ntokens of\tsent by the stub\treceived by k6\tlost\tdoubled\t\n")
	sum := record.Account{Target: "all servers"}
	for _, a := range soak.Accounts {
		writeAccount(tw, a)
		failed = failed || !a.Even()
		if a.Target == raw.Direct {
			continue
		}
		sum.Sent, sum.Received, sum.Doubled = sum.Sent+a.Sent, sum.Received+a.Received, sum.Doubled+a.Doubled
	}
	writeAccount(tw, sum)
	return writeUnknown(w, tw, soak.Unknown, "") || failed
}

func writeAccount(tw *tabwriter.Writer, a record.Account) {
	fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t\n", a.Target, a.Sent, a.Received, a.Lost(), a.Doubled)
}

// rows writes the messages that were announced and stored, and returns true unless they are the same.
func rows(w *strings.Builder, soak record.Soak) (failed bool) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "\nmessages of\truns\tannounced as stored\tin the database\tlost\t\n")
	for _, r := range soak.Rows {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t\n", r.Target, r.Runs, r.Announced, r.Left, r.Announced-r.Left)
		failed = failed || !r.Even()
	}
	return writeUnknown(w, tw, soak.Unknown, " A run is complete only with as many events as it has steps and tokens.") || failed
}

// writeUnknown ends a table of counts with the targets that have none, and a note. It returns true if there are any.
func writeUnknown(w *strings.Builder, tw *tabwriter.Writer, unknown []string, note string) bool {
	for _, name := range unknown {
		fmt.Fprintf(tw, "%s\t?\t?\t?\t?\t\n", name)
	}
	tw.Flush() // a Builder never fails
	fmt.Fprintf(w, "\nThese counts include the warm-up.%s\n", note)
	return len(unknown) > 0
}
