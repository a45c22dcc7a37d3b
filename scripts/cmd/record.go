package cmd

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// Record turns the raw files of a run into records.
func Record(*flag.FlagSet) cli.Action {
	return cli.Abandonable(func(args []string) error {
		if len(args) != 1 {
			return cli.Usagef("record: want one directory of raw files, as named by scripts/bench run")
		}
		if _, err := os.Stat(filepath.Join(args[0], raw.RunFile)); err != nil {
			return cli.Usagef("record: %w; want the directory of a run, as named by scripts/bench run", err)
		}
		records, _, planned, err := record.FromRaw(args[0])
		if err != nil {
			return err
		}
		if len(records) < planned {
			fmt.Fprintf(os.Stderr, "record: %d of %d records, because the run did not finish\n", len(records), planned)
		}
		return record.Write(cli.Stdout, records)
	})
}
