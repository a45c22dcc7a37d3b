// Package process runs other programs and makes sure that none outlives us. Each program gets a process
// group, which ends as a whole. If we die first, the kernel kills the program, and a guard kills the rest of
// its group.
//
// It ends only processes that it started, by their ids. It knows nothing about the programs.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/files"
)

// Trace, when set, receives each external command as a line for a shell.
var Trace io.Writer

// grace is the time that a program may take to end after SIGTERM. It is also the time that we wait for
// children that keep its output open. Tests have less.
var grace = 10 * time.Second

// mostBytes limits the output of a program. A Process may not write longer files either: SIGXFSZ ends it, or
// its write fails.
const mostBytes = 256 << 20

// A Command is a program to run. Env is added to our environment. A Bare command gets only the few
// variables that every program needs, since an HTTP_PROXY, K6_VUS or GOGC must not change a measurement.
// Secret is added too, and never printed. Finishes says that the program ends soon by itself, and would
// leave something if it was killed: after our death the guard waits for it. CPUs lists the cores that it
// may use, as taskset(1) reads them; empty means all of ours. Marked says that no other program has all of
// Env. Children outside the group are then recognised by it, and end with it. Logs says that the output is a log: of a long one, only
// the end is kept.
type Command struct {
	Args     []string
	CPUs     string
	Dir      string
	Stdin    io.Reader // nil discards
	Env      []string
	Secret   []string
	Bare     bool
	Marked   bool
	Finishes bool
	Logs     bool
}

// needed lists the variables that a Bare command gets from our environment.
var needed = []string{"PATH", "HOME", "USER", "LANG", "TMPDIR"}

// Output runs a command to its end and returns its standard output. An error says how the command ended and
// quotes its last lines. When ctx ends, so does the command's whole group. The command has a directory for
// temporary files, which is removed at the end. An interrupted go build, for example, leaves such files.
func Output(ctx context.Context, c Command) (string, error) {
	out, all := bounded{most: mostBytes}, tail{limit: 8 << 10}
	temp, remove, err := files.MkdirTemp("", "fairstream-temp-")
	if err != nil {
		return "", Unable{Err: err}
	}
	defer remove() // best effort: a temporary directory
	cmd := c.cmd()
	cmd.Env = append(cmd.Env, "TMPDIR="+temp)
	cmd.Stdout = io.MultiWriter(&all, &out)
	cmd.Stderr = &all
	if err := c.start(cmd); err != nil {
		return "", err
	}
	defer files.ReleaseGroup(cmd.Process.Pid)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err = <-done:
	case <-ctx.Done():
		endGroup(cmd.Process.Pid, done)
		return "", ctx.Err()
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // ends its background children
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it succeeded, and only a child kept its output open
	}
	if out.over {
		return "", fmt.Errorf("%s: printed more than %d MiB%s", c.Args[0], mostBytes>>20, lastLines(all.whole()))
	}
	if err != nil {
		return "", &exitError{cmd.ProcessState.ExitCode(), c.Args[0] + ": " + ending(cmd.ProcessState) + lastLines(all.whole())}
	}
	return out.String(), nil
}

// A Process is a program that runs in the background until it is stopped.
type Process struct {
	Pid  int
	args []string
	cmd  *exec.Cmd
	done chan struct{}
	log  string
	mark []string
	stop sync.Once

	leftOut atomic.Int64 // bytes that the log lost

	started     time.Time
	firstAnswer time.Duration
}

// Unable means that this machine refused something, whatever the program.
type Unable struct{ Err error }

func (u Unable) Error() string { return u.Err.Error() }

func (u Unable) Unwrap() error { return u.Err }

// Start starts a command whose output goes to the file log. The error is Unable unless the program caused it.
func Start(c Command, log string) (*Process, error) {
	f, err := os.OpenFile(log, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return nil, Unable{Err: err}
	}
	defer f.Close() // the program has its own copy
	cmd := c.cmd()
	cmd.Stdout, cmd.Stderr = f, f
	started := time.Now()
	if err := c.start(cmd); err != nil {
		return nil, err
	}
	// A long log must not fill the disk. The program may have ended already.
	unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: mostBytes, Max: mostBytes}, nil)
	p := &Process{Pid: cmd.Process.Pid, args: c.Args, cmd: cmd, done: make(chan struct{}), log: log, started: started}
	if c.Marked {
		p.mark = c.Env
	}
	go func() {
		cmd.Wait() // Err and Gone report how it ended
		close(p.done)
	}()
	if c.Logs {
		go p.limitLog()
	}
	return p, nil
}

// Done is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Signal sends a signal to the program, and not to its group.
func (p *Process) Signal(s syscall.Signal) { p.cmd.Process.Signal(s) }

// Stop ends the program and its group with SIGTERM, and after 10 s with SIGKILL. It returns when the program
// has ended. A second Stop does nothing.
func (p *Process) Stop() {
	p.stop.Do(func() { // only once, since the kernel may reuse the group's number
		ended := make(chan error, 1)
		go func() { <-p.done; ended <- nil }()
		endGroup(p.Pid, ended)
		p.endStrays()
		files.ReleaseGroup(p.Pid)
	})
}

// StopAll stops several programs at the same time.
func StopAll(all []*Process) {
	var stopping sync.WaitGroup
	for _, p := range all {
		stopping.Go(p.Stop)
	}
	stopping.Wait()
}

// Kill ends the program and its group at once.
func (p *Process) Kill() {
	p.stop.Do(func() {
		syscall.Kill(-p.Pid, syscall.SIGKILL) // it may have ended
		<-p.done
		p.endStrays()
		files.ReleaseGroup(p.Pid)
	})
}

// CPUTime is the user and system time of the ended program and of the children that it waited for.
func (p *Process) CPUTime() time.Duration {
	<-p.done
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// Err waits for the end of the program. It is nil for status 0. Otherwise it says how the program ended and
// quotes the last lines of its log.
func (p *Process) Err() error {
	<-p.done
	if p.cmd.ProcessState.Success() {
		return nil
	}
	return p.Gone()
}

// Ending waits for the end of the program and says how it ended.
func (p *Process) Ending() string {
	<-p.done
	return ending(p.cmd.ProcessState)
}

// ExitStatus waits for the end of the program. It is -1 after a signal.
func (p *Process) ExitStatus() int {
	<-p.done
	return p.cmd.ProcessState.ExitCode()
}

// Killed waits for the end of the program and returns the signal that ended it, or 0.
func (p *Process) Killed() syscall.Signal {
	<-p.done
	if ws := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ws.Signaled() {
		return ws.Signal()
	}
	return 0
}

// Gone is the error of a program that ended too early, with any status.
func (p *Process) Gone() error {
	how := p.Ending()
	text, err := quoted(p.log)
	if err != nil {
		return fmt.Errorf("%s; its log cannot be read: %w", how, err)
	}
	return fmt.Errorf("%s%s", how, lastLines(text))
}

func (c Command) cmd() *exec.Cmd {
	if Trace != nil {
		fmt.Fprintln(Trace, c) // the reader may have gone
	}
	args := c.placed()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin = c.Stdin
	cmd.Dir = c.Dir // as in a shell, a relative path with a slash starts at our directory
	cmd.Env = slices.Concat(c.inherited(), c.Env, c.Secret)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if c.Finishes {
		cmd.SysProcAttr.Pdeathsig = 0
	}
	cmd.WaitDelay = grace
	return cmd
}

// start starts a program with a guard.
func (c Command) start(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return c.startError(err)
	}
	if err := files.HoldGroup(cmd.Process.Pid, c.Finishes); err != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it may have ended
		cmd.Wait()                                      // its status does not matter: we killed it
		return Unable{Err: fmt.Errorf("%s: no guard for what it starts: %w", c.Args[0], err)}
	}
	return nil
}

// placed returns the command line with its cores. taskset replaces itself with the program.
func (c Command) placed() []string {
	if c.CPUs == "" {
		return c.Args
	}
	return slices.Concat([]string{"taskset", "-c", c.CPUs}, c.Args)
}

func (c Command) inherited() []string {
	if !c.Bare {
		return os.Environ()
	}
	var env []string
	for _, name := range needed {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

func (c Command) startError(err error) error {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: no such program; install it, or correct its name", c.Args[0])
	}
	err = fmt.Errorf("%s: %w", c.Args[0], err)
	if slices.ContainsFunc(noRoom, func(e error) bool { return errors.Is(err, e) }) {
		return Unable{Err: err}
	}
	return err
}

// noRoom reports whether the machine is out of processes, memory or files.
var noRoom = []error{syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE}

// endGroup ends a process group, first with SIGTERM. ended is closed when its leader has ended.
func endGroup(pid int, ended <-chan error) {
	syscall.Kill(-pid, syscall.SIGTERM) // it may have ended
	select {
	case <-ended:
	case <-time.After(grace):
		syscall.Kill(-pid, syscall.SIGKILL) // as above
		<-ended
	}
	syscall.Kill(-pid, syscall.SIGKILL) // children that ignored SIGTERM
}

func ending(s *os.ProcessState) string {
	if ws := s.Sys().(syscall.WaitStatus); ws.Signaled() {
		return fmt.Sprintf("ended by signal %d (%v)", ws.Signal(), ws.Signal())
	}
	return fmt.Sprintf("exited with status %d", s.ExitCode())
}

// An exitError means that a program ran, and did not end with status 0.
type exitError struct {
	status int // -1: a signal ended it
	text   string
}

func (e *exitError) Error() string { return e.text }

// Exited reports whether the program of Output ran to its end and ended with this status. A program that did
// not start, or that was killed, did not.
func Exited(err error, status int) bool {
	e, ok := errors.AsType[*exitError](err)
	return ok && e.status == status
}
