// Command bench builds servers, loads them and records what they cost. Each
// subcommand is a stage with files in and files out; a package per stage does
// the work. See the README, or scripts/bench help.
//
// Data goes to stdout, messages and progress to stderr. Exit status: 0 all is
// well; 1 the benchmark found something (a server failed, or doctor found
// something to mend); 2 the command line or a server.json is wrong; 3 the
// harness broke; 130 and 143 ended by SIGINT and SIGTERM.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"fairstream/scripts/cmd"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/show/answer"
)

var commands = []cli.Command{
	{Name: "setup", Purpose: "install and build the tools of a run; the servers are built by run and build", Define: cmd.Setup},
	{Name: "list", Purpose: "servers and scenarios", Define: cmd.List},
	{Name: "init", Args: "DIR [URL...]", Purpose: "write the server.json of a server, and the workflows that compare it; example: scripts/bench init ../shop/server. For the workload http it proposes requests from the answers of the running server to the URLs", Define: cmd.Init},
	{Name: "build", Args: "[server|dir...]", Purpose: "build servers and print their versions", Define: cmd.Build},
	{Name: "verify", Args: "[server|dir...]", Purpose: "check servers against the contract", Define: cmd.Verify},
	{Name: "run", Args: "[server|dir...]", Purpose: "set up, build, verify, load and record servers, then print a table", Define: cmd.Run},
	{Name: "compare", Args: "[server|dir...]", Purpose: "load servers at two revisions in the same minutes, and say which changed", Define: cmd.Compare},
	{Name: "replay", Args: "FILE", Purpose: "judge the records of a comparison again, and print its verdicts", Define: cmd.Replay},
	{Name: "releases", Args: "PACKAGE SERVER", Purpose: "list the releases of a package that a server uses, or find the one that changed it. Example: scripts/bench releases -from 4.13.1 hono relay/bun-hono", Define: cmd.Releases},
	{Name: "prove", Args: "[FILE...]", Purpose: "measure how often verdicts are wrong on this machine, by trials with a known truth", Define: cmd.Prove},
	{Name: "soak", Args: "[server|dir...]", Purpose: "load servers for minutes, and say whether their memory grows", Define: cmd.Soak},
	{Name: "record", Args: "DIR", Purpose: "turn the raw files of a run into records (JSON Lines)", Define: cmd.Record},
	{Name: "report", Args: "FILE...", Purpose: "print tables of records", Define: cmd.Report},
	{Name: "site", Args: "[FILE...]", Purpose: "make the site from main's history and your own runs; show it in the browser, or write it with -o", Define: cmd.Site},
	{Name: "doctor", Purpose: "list what makes this machine noisy, with the command that fixes it", Define: cmd.Doctor},
	{Name: "ci", Args: "PART", Purpose: "what only the workflows call; scripts/bench ci help lists its parts", Parts: cmd.CI},
}

func main() {
	os.Exit(status(os.Args[1:], os.Stderr))
}

// status runs the command line and turns its error into a message and an exit
// status.
func status(args []string, stderr io.Writer) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() { cancel(cli.Interrupted{Signal: (<-signals).(syscall.Signal)}) }()
	// A reader that ends early, as in "bench run | head", must not end us in the
	// middle of a load. Listening for the signal turns it into an error.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	err := process.Adopt()
	if err == nil {
		err = cli.Dispatch(ctx, commands, args, stderr, func() { process.Trace = stderr })
	}
	process.KillOrphans()
	if lost := cli.Stdout.Err(); lost != nil && (err == nil || err == cli.ErrFindings) {
		err = fmt.Errorf("cannot write to standard output: %w", lost)
	}
	if ended, ok := errors.AsType[cli.Interrupted](context.Cause(ctx)); ok && err != nil {
		fmt.Fprintln(stderr, "bench:", ended) // the exit status tells, too
		return 128 + int(ended.Signal)
	}
	switch _, usage := errors.AsType[cli.UsageError](err); {
	case err == nil:
		return 0
	case err == cli.ErrFindings:
		return 1
	default:
		fmt.Fprintln(stderr, "bench:", answer.Plain(err.Error())) // the exit status tells, too
		if usage {
			return 2
		}
		return 3
	}
}
