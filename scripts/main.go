// Command bench builds servers, loads them and records what they cost. Each
// subcommand is a stage with files in and files out; a package per stage does
// the work. See the README, or scripts/bench help.
//
// Data goes to stdout, talk and progress to stderr. Exit status: 0 all is
// well; 1 the benchmark says no (a server failed, or doctor found something to
// mend); 2 the command line or a server.json is wrong; 3 the harness broke; 130
// and 143 ended by SIGINT and SIGTERM.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/show/report"
)

// A command is one subcommand. Its flags are declared by define, which returns
// what to do with the remaining arguments.
type command struct {
	name   string
	args   string
	means  string
	define func(*flag.FlagSet) func(context.Context, []string) error
}

var commands = []command{
	{"setup", "", "install and build what a run needs beside the servers", setupCommand},
	{"list", "", "servers and scenarios", listCommand},
	{"build", "[server|dir...]", "build servers and ask for their versions", buildCommand},
	{"verify", "[server|dir...]", "check servers against the contract", verifyCommand},
	{"run", "[server|dir...]", "set up, build, verify, load, record; prints a table", runCommand},
	{"pair", "[server...]", "load servers at two revisions in the same minutes, until it is known which changed", pairCommand},
	{"compare", "FILE", "records of a pair in, verdicts out: replays what pair said", compareCommand},
	{"prove", "[FILE...]", "how often verdicts are wrong on this machine: trials of which the truth is known", proveCommand},
	{"soak", "[server|dir...]", "load for minutes; says of each server whether its memory grows", soakCommand},
	{"record", "DIR", "raw files of a run in, records (JSON Lines) out", recordCommand},
	{"report", "FILE...", "records in, tables out", reportCommand},
	{"publish", "[FILE...]", "the history of main, and runs of your own, as a site: written with -o, else shown in the browser", publishCommand},
	{"doctor", "", "what makes this machine noisy, the command that mends each, and the noise now", doctorCommand},
	{"plan", "", "on GitHub: what the event that started a workflow asks for", planCommand},
	{"collect", "DIR", "on GitHub: the legs' artifacts in, accepted records and chart points out", collectCommand},
	{"history", "DIR", "on GitHub: what collect wrote, onto the gh-pages branch", historyCommand},
	{"comment", "[ARTIFACTS]", "on GitHub: the comment under a pull request; without artifacts its placeholder", commentCommand},
	{"alarm", "ARTIFACTS", "on GitHub: an issue about each server of main that regressed and was not acknowledged", alarmCommand},
	{"watch", "", "on GitHub: an issue when nothing has been published for long, or a job waits for the machine", watchCommand},
}

// errNo is the benchmark's no: something that was looked at is not well.
var errNo = errors.New("no")

// A usageError is the caller's mistake.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// An interrupt is the signal that ended us.
type interrupt struct{ syscall.Signal }

func (i interrupt) Error() string { return "ended by " + i.Signal.String() }

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
	go func() { cancel(interrupt{(<-signals).(syscall.Signal)}) }()
	// A reader that has gone, as in "bench run | head", must not end us in the
	// middle of a load; asking to be told of the signal turns it into an error.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	err := process.Adopt()
	if err == nil {
		err = dispatch(ctx, args, stderr)
	}
	process.KillOrphans()
	if unsaid := stdout.failed(); unsaid != nil && (err == nil || err == errNo) {
		err = fmt.Errorf("what was to be printed is not: %w", unsaid)
	}
	if ended, ok := errors.AsType[interrupt](context.Cause(ctx)); ok && err != nil {
		fmt.Fprintln(stderr, "bench:", ended) // the exit status tells, too
		return 128 + int(ended.Signal)
	}
	switch _, usage := errors.AsType[usageError](err); {
	case err == nil:
		return 0
	case err == errNo:
		return 1
	default:
		fmt.Fprintln(stderr, "bench:", report.Plain(err.Error())) // the exit status tells, too
		if usage {
			return 2
		}
		return 3
	}
}

func dispatch(ctx context.Context, args []string, stderr io.Writer) error {
	if len(args) == 0 {
		overview(stderr)
		return usageError{errors.New("no command; scripts/bench help explains them")}
	}
	if args[0] == "help" && len(args) > 1 {
		args = []string{args[1], "-h"}
	}
	if args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		overview(stdout)
		return nil
	}
	for _, c := range commands {
		if c.name != args[0] {
			continue
		}
		flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
		flags.SetOutput(io.Discard) // we print its errors ourselves
		trace := flags.Bool("x", false, "print each external command as a line to paste")
		do := c.define(flags)
		if err := flags.Parse(args[1:]); errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(stdout, "usage: %s\n%s\n\nflags:\n", strings.TrimSpace("scripts/bench "+c.name+" [flags] "+c.args), c.means)
			flags.SetOutput(stdout)
			flags.PrintDefaults()
			return nil
		} else if err != nil {
			return usageError{fmt.Errorf("%s: %w%s; scripts/bench %s -h lists its flags", c.name, err, wanted(flags, err), c.name)}
		}
		if *trace {
			process.Trace = stderr
		}
		for _, arg := range flags.Args() {
			if strings.HasPrefix(arg, "-") {
				return usageError{fmt.Errorf("%s: %s: flags come before other arguments: scripts/bench %s %s …", c.name, arg, c.name, arg)}
			}
		}
		return do(ctx, flags.Args())
	}
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	return usageError{fmt.Errorf("command %q: unknown; known are %s", args[0], strings.Join(names, ", "))}
}

func overview(w io.Writer) {
	fmt.Fprintln(w, "usage: scripts/bench COMMAND [flags] [arguments]") // nobody may be reading; output remembers
	for _, c := range commands {
		fmt.Fprintf(w, "  %-7s %-15s %s\n", c.name, c.args, c.means) // likewise
	}
	fmt.Fprintln(w, "scripts/bench COMMAND -h explains one.") // likewise
}

// wanted is what a flag takes, where the error of its value does not say so.
func wanted(flags *flag.FlagSet, err error) (text string) {
	flags.VisitAll(func(f *flag.Flag) {
		value, _ := f.Value.(flag.Getter)
		if value == nil || !strings.HasSuffix(err.Error(), "for flag -"+f.Name+": parse error") {
			return
		}
		switch value.Get().(type) {
		case time.Duration:
			text = ", want a duration such as 30s or 500ms"
		case int, uint64:
			text = ", want a whole number"
		}
	})
	return text
}
