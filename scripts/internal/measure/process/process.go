// Package process runs foreign programs so that none of them outlives us: each
// gets a process group of its own, which is ended as a whole. Should we die without
// ending it, the kernel kills the program, and a guard the rest of its group.
//
// It ends only what it started, by process id, and knows nothing of what the
// programs are.
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
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Trace, when set, gets each external command as a line to paste into a shell.
var Trace io.Writer

// grace is how long a program may take to end after it is asked to, or after its
// standard output is all that keeps us waiting.
const grace = 10 * time.Second

// mostBytes is how much a program may print, and how long any file may be that it
// writes when it is started to run beside us: it is ended by SIGXFSZ, or its write fails.
const mostBytes = 256 << 20

// A Command is a program to run. Env is added to our own environment, or, for
// a Bare one, to the few variables of it that any program needs: what is
// measured must not depend on an HTTP_PROXY, a K6_VUS or a GOGC that happens
// to be set. Secret is added to the environment too and never printed. CPUs, a
// list as taskset(1) has it, are the cores that it may use; empty is all of ours.
// Marked says that no other program has all of Env, so that what this one starts is
// known by it also outside of its group, and ends with it.
type Command struct {
	Args   []string
	CPUs   string
	Dir    string
	Stdin  io.Reader // nil is nothing
	Env    []string
	Secret []string
	Bare   bool
	Marked bool
}

// needed are the variables that a Bare command gets from our environment.
var needed = []string{"PATH", "HOME", "USER", "LANG", "TMPDIR"}

// Output runs a command to its end and returns what it printed on stdout. An
// error says how the command ended and holds the last lines it printed. When
// ctx is done, the command's whole group is ended. Its temporary files are in a
// directory of its own and go with it: go build, for one, leaves them when it is ended.
func Output(ctx context.Context, c Command) (string, error) {
	out, all := bounded{most: mostBytes}, tail{limit: 8 << 10}
	temp, err := os.MkdirTemp("", "fairstream-temp-")
	if err != nil {
		return "", Unable{Err: err}
	}
	defer os.RemoveAll(temp) // best effort: a temporary directory
	cmd := c.cmd()
	cmd.Env = append(cmd.Env, "TMPDIR="+temp)
	cmd.Stdout = io.MultiWriter(&all, &out)
	cmd.Stderr = &all
	if err := c.start(cmd); err != nil {
		return "", err
	}
	defer unguarded(cmd.Process.Pid)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err = <-done:
	case <-ctx.Done():
		endGroup(cmd.Process.Pid, done)
		return "", ctx.Err()
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left in the background
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it succeeded; only what it left held its output open
	}
	if out.over {
		return "", fmt.Errorf("%s: printed more than %d MiB%s", c.Args[0], mostBytes>>20, lastLines(all.whole()))
	}
	if err != nil {
		return "", &exitError{cmd.ProcessState.ExitCode(), c.Args[0] + ": " + ending(cmd.ProcessState) + lastLines(all.whole())}
	}
	return out.String(), nil
}

// A Process is a program that runs beside us until it is stopped.
type Process struct {
	Pid  int
	args []string
	cmd  *exec.Cmd
	done chan struct{}
	log  string
	mark []string
	stop sync.Once
}

// Unable is what this machine did not let us do, whatever the program.
type Unable struct{ Err error }

func (u Unable) Error() string { return u.Err.Error() }
func (u Unable) Unwrap() error { return u.Err }

// Start starts a command whose output goes to the file log. The error is Unable
// unless it is the program's.
func Start(c Command, log string) (*Process, error) {
	f, err := os.Create(log)
	if err != nil {
		return nil, Unable{Err: err}
	}
	defer f.Close() // the program has its own
	cmd := c.cmd()
	cmd.Stdout, cmd.Stderr = f, f
	if err := c.start(cmd); err != nil {
		return nil, err
	}
	// Its log must not fill the disk, which all others need. It may have ended.
	unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: mostBytes, Max: mostBytes}, nil)
	p := &Process{Pid: cmd.Process.Pid, args: c.Args, cmd: cmd, done: make(chan struct{}), log: log}
	if c.Marked {
		p.mark = c.Env
	}
	go func() {
		cmd.Wait() // Err and Gone ask how it ended
		close(p.done)
	}()
	return p, nil
}

// Done is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Signal sends a signal to the program alone, not to its group.
func (p *Process) Signal(s syscall.Signal) { p.cmd.Process.Signal(s) }

// Stop ends the program and its group: SIGTERM, and SIGKILL if it takes longer
// than 10 s. It returns when the program is gone; stopping twice is harmless.
func (p *Process) Stop() {
	p.stop.Do(func() { // once: the kernel may give the group's number to a stranger later
		ended := make(chan error, 1)
		go func() { <-p.done; ended <- nil }()
		endGroup(p.Pid, ended)
		p.endStrays()
		unguarded(p.Pid)
	})
}

// StopAll stops programs side by side: each may take its 10 s.
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
		unguarded(p.Pid)
	})
}

// CPUTime is the user and system time of the ended program, its waited-for
// children included.
func (p *Process) CPUTime() time.Duration {
	<-p.done
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// Err is nil if the program ended with status 0, and else says how it ended
// and holds the last lines of its log. It waits for the end.
func (p *Process) Err() error {
	<-p.done
	if p.cmd.ProcessState.Success() {
		return nil
	}
	return p.Gone()
}

// Ending says how the program ended. It waits for the end.
func (p *Process) Ending() string {
	<-p.done
	return ending(p.cmd.ProcessState)
}

// Killed waits for the end of the program, and is the signal that ended it; 0 is none.
func (p *Process) Killed() syscall.Signal {
	<-p.done
	if ws := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ws.Signaled() {
		return ws.Signal()
	}
	return 0
}

// Gone is the error of a program that ended when it should not have, with
// whatever status.
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
	cmd.Dir = c.Dir // a relative program with a slash is looked for here, as in a shell
	cmd.Env = slices.Concat(c.inherited(), c.Env, c.Secret)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.WaitDelay = grace
	return cmd
}

// start starts what cmd made, guarded.
func (c Command) start(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return c.startError(err)
	}
	if err := guarded(cmd.Process.Pid); err != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it may have ended
		cmd.Wait()                                      // whatever it says: it was killed
		return Unable{Err: fmt.Errorf("%s: no guard for what it starts: %w", c.Args[0], err)}
	}
	return nil
}

// placed is the command line with its cores: taskset replaces itself by the program.
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
		return fmt.Errorf("%s: no such program", c.Args[0])
	}
	err = fmt.Errorf("%s: %w", c.Args[0], err)
	if slices.ContainsFunc(noRoom, func(e error) bool { return errors.Is(err, e) }) {
		return Unable{Err: err}
	}
	return err
}

// noRoom is why a machine starts no further program: processes, memory, files.
var noRoom = []error{syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE}

// endGroup asks a process group to end, and ends it. ended tells when its
// leader is gone.
func endGroup(pid int, ended <-chan error) {
	syscall.Kill(-pid, syscall.SIGTERM) // it may have ended
	select {
	case <-ended:
	case <-time.After(grace):
		syscall.Kill(-pid, syscall.SIGKILL) // likewise
		<-ended
	}
	syscall.Kill(-pid, syscall.SIGKILL) // children that ignored it
}

func ending(s *os.ProcessState) string {
	if ws := s.Sys().(syscall.WaitStatus); ws.Signaled() {
		return fmt.Sprintf("ended by signal %d (%v)", ws.Signal(), ws.Signal())
	}
	return fmt.Sprintf("exited with status %d", s.ExitCode())
}
