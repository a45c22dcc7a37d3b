package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"fairstream/scripts/internal/version"
)

// An Action runs a command with the arguments after its flags.
type Action func(ctx context.Context, args []string) error

// A Command is one subcommand. Define declares its flags; a command with Parts has none of its own.
type Command struct {
	Name, Args, Purpose string
	Define              func(*flag.FlagSet) Action
	Parts               []Command
}

// Dispatch runs the command that args begin with, or prints help. It calls trace when -x asks to print
// external commands.
func Dispatch(ctx context.Context, commands []Command, args []string, stderr io.Writer, trace func()) error {
	return dispatch(ctx, "scripts/bench", commands, args, stderr, trace)
}

// dispatch is Dispatch for the commands that follow the words of program.
func dispatch(ctx context.Context, program string, commands []Command, args []string, stderr io.Writer, trace func()) error {
	if len(args) == 0 {
		overview(stderr, program, commands)
		return Usagef("no command; %s help lists the commands", program)
	}
	if args[0] == "help" && len(args) > 1 {
		args = append(args[1:len(args):len(args)], "-h")
	}
	if args[0] == "-version" || args[0] == "--version" {
		fmt.Fprintln(Stdout, "fairstream", version.Version)
		return nil
	}
	if args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		overview(Stdout, program, commands)
		return nil
	}
	var names []string
	for _, c := range commands {
		switch {
		case c.Name != args[0]:
			names = append(names, c.Name)
		case c.Parts != nil:
			return dispatch(ctx, program+" "+c.Name, c.Parts, args[1:], stderr, trace)
		default:
			return c.run(ctx, program+" "+c.Name, args[1:], trace)
		}
	}
	return Usagef("command %q: unknown; known are %s; %s help explains them", args[0], strings.Join(names, ", "), program)
}

// run runs a command that the words of call name.
func (c Command) run(ctx context.Context, call string, args []string, trace func()) error {
	flags := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // we print its errors ourselves
	traced := flags.Bool("x", false, "print each external command as a line to paste")
	do := c.Define(flags)
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(Stdout, "usage: %s\n%s\n\nflags:\n", strings.TrimSpace(call+" [flags] "+c.Args), c.Purpose)
		flags.SetOutput(Stdout)
		flags.PrintDefaults()
		return nil
	} else if err != nil {
		return Usagef("%s: %w%s; %s -h lists its flags", c.Name, err, wanted(flags, err), call)
	}
	if *traced {
		trace()
	}
	for _, arg := range flags.Args() {
		if strings.HasPrefix(arg, "-") {
			return Usagef("%s: %s: flags come before other arguments: %s %s …", c.Name, arg, call, arg)
		}
	}
	return do(ctx, flags.Args())
}

func overview(w io.Writer, program string, commands []Command) {
	fmt.Fprintf(w, "usage: %s COMMAND [flags] [arguments]\n", program) // Output remembers the error
	for _, c := range commands {
		fmt.Fprintf(w, "  %-7s %-15s %s\n", c.Name, c.Args, c.Purpose) // as above
	}
	fmt.Fprintf(w, "%s COMMAND -h explains one.\n", program) // as above
}

// wanted describes a flag's value, for errors that do not.
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

// Given reports whether a flag is on the command line.
func Given(flags *flag.FlagSet, name string) (given bool) {
	flags.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	return given
}
