package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"fairstream/scripts/record"
)

// soakCommand loads for minutes and says of each server whether it leaks.
func soakCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	planned := plannedRun{rounds: 1, scenarios: "soak"}
	planned.loadFlags(flags)
	return func(ctx context.Context, names []string) error {
		root, servers, err := project(names)
		if err != nil {
			return err
		}
		scenarios, done, err := planned.begin(ctx, root)
		if err != nil {
			return err
		}
		defer done()
		runErr := planned.measure(ctx, root, scenarios, targets(ctx, servers))
		if runErr != nil && runErr != errNo {
			return runErr
		}
		records, _, _, err := record.FromRaw(planned.dir)
		if err != nil {
			return err
		}
		if leaks(stdout, records) {
			return errNo
		}
		return runErr
	}
}

// leaks writes what a soak says of each server, and whether one of them leaks.
func leaks(w io.Writer, records []record.Record) (any bool) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "\nserver\tleaks\tbytes kept of each stream, 95 %% interval\tstreams\n")
	for _, r := range records {
		if _, server := r.Metrics.Get("samples"); !server && r.Status != record.Invalid {
			continue // direct
		}
		verdict := r.Leaks()
		any = any || verdict == record.Leaks
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", r.Target(), verdict, growth(r, "server_rss_slope"), shown(r, "streams", "%.0f"))
	}
	tw.Flush()
	for _, r := range records {
		if k6, known := r.Metrics.Get("k6_rss_slope_bytes_per_stream"); known {
			fmt.Fprintf(w, "\nk6 itself kept %.1f bytes of each stream.", k6)
			break
		}
	}
	fmt.Fprintf(w, "\nA server leaks when it keeps %d bytes or more of each stream, and does not when the whole\ninterval is below that. What cannot be told, a longer soak (-for) narrows; below two minutes\nnothing can be.\n", record.LeakBytes)
	return any
}

func growth(r record.Record, metric string) string {
	low, high := shown(r, metric+"_low_bytes_per_stream", "%.1f"), shown(r, metric+"_high_bytes_per_stream", "%.1f")
	return fmt.Sprintf("%s (%s to %s)", shown(r, metric+"_bytes_per_stream", "%.1f"), low, high)
}

func shown(r record.Record, metric, format string) string {
	if v, known := r.Metrics.Get(metric); known {
		return fmt.Sprintf(format, v)
	}
	return "?"
}
