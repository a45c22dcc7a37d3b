// Package launch knows how a server is started: its command, its environment, what prepares its data, and when it
// is ready. A workload says so for all of its servers, or each server does in its server.json. It starts stubs, too.
package launch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// Limits of the time from the start of a server until it is ready. A server that nobody wrote for a benchmark may
// load a model or fill caches first.
const (
	readyLimit    = 5 * time.Second
	declaredLimit = 30 * time.Second
)

// ReadyLimit is how long a server may take until it is ready.
func ReadyLimit(s server.Server) time.Duration {
	if s.Declared != nil {
		return declaredLimit
	}
	return readyLimit
}

// command starts a server on a port, beside a stub at an address.
func command(s server.Server, port int, stub string, more []string) process.Command {
	all := append(env(s, port, stub), more...)
	return process.Command{Args: words(s, s.Run, all), Dir: s.Dir, Env: all, Bare: true, Marked: true, Logs: true}
}

// words puts address and port in the place of $HOST and $PORT, since a command is not a shell line and most programs take them
// as arguments. Only servers that declare their requests get them.
func words(s server.Server, command, env []string) []string {
	if s.Declared == nil {
		return command
	}
	all := slices.Clone(command)
	for _, name := range []string{"HOST", "PORT"} {
		value := ""
		for _, variable := range env { // the last one counts
			if v, ok := strings.CutPrefix(variable, name+"="); ok {
				value = v
			}
		}
		for i := range all {
			all[i] = strings.ReplaceAll(all[i], "$"+name, value)
		}
	}
	return all
}

func env(s server.Server, port int, stub string) []string {
	all := workload.Named(s.Workload).Env(port, stub)
	if s.Declared != nil {
		for _, name := range slices.Sorted(maps.Keys(s.Declared.Env)) {
			all = append(all, name+"="+s.Declared.Env[name])
		}
	}
	return all
}

// mostBefore limits the command that prepares data.
var mostBefore = 2 * time.Minute

// before prepares the data of a server, as its server.json says. Without such a command it does nothing.
func before(ctx context.Context, s server.Server, port int, stub string, more []string) error {
	if s.Declared == nil || s.Declared.Before == nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, mostBefore)
	defer cancel()
	all := append(env(s, port, stub), more...)
	_, err := process.Output(limited, process.Command{Args: words(s, s.Declared.Before, all), Dir: s.Dir, Env: all, Bare: true})
	switch _, unable := errors.AsType[process.Unable](err); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return fmt.Errorf("before: not ended after %v; want a command that prepares data and ends", mostBefore)
	case unable:
		return err
	}
	return fmt.Errorf("before: %w\n    the command is %q in %s", err, s.Declared.Before, server.File)
}

// Begin prepares a server's data and starts it. Its output goes to the file log. It may use these cores, in the form of
// process.Command.
func Begin(ctx context.Context, s server.Server, port int, stub string, more []string, cpus, log string) (*process.Process, error) {
	if err := before(ctx, s, port, stub, more); err != nil {
		return nil, err
	}
	c := command(s, port, stub, more)
	c.CPUs = cpus
	return process.Start(c, log)
}

// Start begins a server on any cores, and waits until it is ready. Nothing is left running after an error.
func Start(ctx context.Context, s server.Server, port int, stub string, more []string, log string, limit time.Duration) (*process.Process, error) {
	server, err := Begin(ctx, s, port, stub, more, "", log)
	if err != nil {
		return nil, err
	}
	if err := WaitReady(ctx, server, s, "", port, limit); err != nil {
		server.Stop()
		return nil, err
	}
	return server, nil
}

// WaitReady waits until a server on a port of an address is ready. The address "" is 127.0.0.1.
func WaitReady(ctx context.Context, p *process.Process, s server.Server, host string, port int, limit time.Duration) error {
	if s.Declared == nil {
		return p.WaitAnswer(ctx, port, process.Probe{Host: host, Path: "/healthz", Status: http.StatusOK}, limit)
	}
	r := s.Declared.Ready
	err := p.WaitAnswer(ctx, port, process.Probe{Host: host, TLS: s.Declared.TLS(), Path: r.Path, Headers: r.Headers, Status: r.Answer.Status}, limit)
	if _, late := errors.AsType[process.Late](err); late {
		return fmt.Errorf("%w\n    each start has %v; \"before\" in %s can prepare what takes longer, and \"ready\" can name another path", err, limit, server.File)
	}
	return err
}
