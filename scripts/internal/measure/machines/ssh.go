package machines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/measure/process"
)

// A Machine is a connection to the load machine.
type Machine struct {
	File
	Root     string // the directory there with k6, its scripts and the stub, after Install
	Device   string // the network card here with the servers' address
	LinkMbit int64  // its speed; 0 is unknown
	dir      string // with the connection's socket
	remove   func() error
	master   *process.Process
}

// lostAfter is when ssh takes a silent connection for lost: 3 questions without an answer, 5 s each.
const lostAfter = 15 * time.Second

// connectLimit is how long a connection may take.
const connectLimit = 20 * time.Second

// mostTempDir limits the directory of ssh's socket: its path has at most 107 bytes, and ours and ssh add 56.
const mostTempDir = 51

// Connect opens a connection, which all commands share. Close ends it.
func Connect(ctx context.Context, f File) (m *Machine, err error) {
	m = &Machine{File: f}
	if m.Device, err = f.device(); err != nil {
		return nil, err
	}
	m.LinkMbit = speed(m.Device)
	parent := os.TempDir()
	if len(parent) > mostTempDir {
		parent = "/tmp"
	}
	if m.dir, m.remove, err = files.MkdirTemp(parent, "fairstream-ssh-"); err != nil {
		return nil, err
	}
	if err = os.WriteFile(m.knownHosts(), []byte(alias+" "+f.Load.HostKey+"\n"), 0o600); err == nil {
		m.master, err = process.Start(process.Command{Args: m.ssh("-o", "ControlMaster=yes", "-N", f.Load.SSH)}, m.log())
	}
	if err != nil {
		return nil, errors.Join(err, m.remove())
	}
	if err = m.wait(ctx); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// alias stands for the host in the file of known hosts.
const alias = "load-machine"

func (m *Machine) knownHosts() string { return filepath.Join(m.dir, "known_hosts") }
func (m *Machine) log() string        { return filepath.Join(m.dir, "log") }

// ssh is a command line of ssh with our options. Only the pinned key is taken, nothing asks for a password, and nothing is forwarded.
func (m *Machine) ssh(more ...string) []string {
	all := []string{"ssh",
		"-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=yes", "-o", "HostKeyAlias=" + alias, "-o", "UserKnownHostsFile=" + m.knownHosts(), "-o", "GlobalKnownHostsFile=/dev/null",
		"-o", "ForwardAgent=no", "-o", "ForwardX11=no", "-o", "ClearAllForwardings=yes", "-o", "PermitLocalCommand=no", "-o", "RequestTTY=no", "-o", "LogLevel=ERROR",
		"-o", "ControlPath=" + filepath.Join(m.dir, "socket"), "-o", "ControlPersist=no",
		"-o", fmt.Sprintf("ConnectTimeout=%.0f", connectLimit.Seconds()), "-o", fmt.Sprintf("ServerAliveInterval=%.0f", lostAfter.Seconds()/3), "-o", "ServerAliveCountMax=3",
	}
	if m.Load.Port != 0 {
		all = append(all, "-p", strconv.Itoa(m.Load.Port))
	}
	if m.Load.Identity != "" {
		all = append(all, "-i", m.Load.Identity, "-o", "IdentitiesOnly=yes")
	}
	return append(all, more...)
}

// wait waits until the connection is open.
func (m *Machine) wait(ctx context.Context) error {
	for late := time.After(connectLimit + 5*time.Second); ; {
		if _, err := process.Output(ctx, process.Command{Args: m.ssh("-O", "check", m.Load.SSH)}); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-m.master.Done():
			return m.refused(m.master.Gone())
		case <-late:
			return fmt.Errorf("load machine %s: no connection within %v; want `ssh %[1]s true` to work without a password", m.Load.SSH, connectLimit)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// refused explains an error of ssh.
func (m *Machine) refused(err error) error {
	next := fmt.Sprintf("want `ssh %s true` to work without a password", m.Load.SSH)
	if strings.Contains(err.Error(), "Host key verification failed") || strings.Contains(err.Error(), "host key is known") {
		next = "its host key is not load.host_key; compare it with the key on that machine itself, since somebody may stand between"
	}
	return fmt.Errorf("load machine %s: %w; %s", m.Load.SSH, err, next)
}

// Close ends the connection, and all that runs there by it.
func (m *Machine) Close() {
	m.master.Stop()
	_ = m.remove() // best effort: a temporary directory
}

// Run runs a shell script there and returns its output. args are its $1, $2 and so on.
func (m *Machine) Run(ctx context.Context, input io.Reader, script string, args ...string) (string, error) {
	out, err := process.Output(ctx, process.Command{Args: m.ssh("-o", "ControlMaster=no", m.Load.SSH, shell(script, args...)), Stdin: input})
	if err != nil && ctx.Err() == nil {
		return "", m.explained(err)
	}
	return out, err
}

// explained is the error of a command, or of the connection if that is lost.
func (m *Machine) explained(err error) error {
	select {
	case <-m.master.Done():
		return fmt.Errorf("load machine %s: the connection is lost: %w; what ran there ends by itself", m.Load.SSH, m.master.Gone())
	default:
		return fmt.Errorf("load machine %s: %w", m.Load.SSH, err)
	}
}

// shell is the command line that runs a script with arguments there, whatever they hold.
func shell(script string, args ...string) string {
	words := []string{"exec", "sh", "-c", quote(script), "sh"}
	for _, a := range args {
		words = append(words, quote(a))
	}
	return strings.Join(words, " ")
}

func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// A Remote is a program that runs there. Its PID is of that machine, and that of Process of our ssh.
type Remote struct {
	*process.Process
	PID   int
	input *os.File
	log   string
}

// run starts a program, prints its pid, and ends it once our side of the connection is closed, or after $1 seconds. A connection
// that is lost may be noticed late there. $2 is the directory, and the rest is the command.
const run = `limit=$1
cd "$2" || exit 1
shift 2
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
echo "pid $program"
(timeout "$limit" cat <&3 >/dev/null; kill "$program") >/dev/null 2>&1 &
ends=$!
wait "$program"
status=$?
kill "$ends" 2>/dev/null
exit "$status"`

// Start runs a program in Root with variables, for some time at most. Its output goes to the file log here.
func (m *Machine) Start(ctx context.Context, limit time.Duration, env, args []string, log string) (*Remote, error) {
	theirs, ours, err := os.Pipe() // open until Stop, or until we die
	if err != nil {
		return nil, process.Unable{Err: err}
	}
	words := append([]string{fmt.Sprintf("%.0f", limit.Seconds()), m.Root, "env"}, append(env, args...)...)
	p, err := process.Start(process.Command{Args: m.ssh("-o", "ControlMaster=no", m.Load.SSH, shell(run, words...)), Stdin: theirs}, log)
	err = errors.Join(err, theirs.Close()) // ssh has its own copy
	if err != nil {
		return nil, errors.Join(err, ours.Close())
	}
	r := &Remote{Process: p, input: ours, log: log}
	text, err := r.Line(ctx, "pid ")
	if err == nil {
		r.PID, err = strconv.Atoi(text)
	}
	if err != nil {
		r.Stop()
		return nil, m.explained(err)
	}
	return r, nil
}

// startLimit is how long a program may take to start there.
const startLimit = 20 * time.Second

// Line waits until the program has printed a line that begins with a prefix, and returns the rest of it.
func (r *Remote) Line(ctx context.Context, prefix string) (rest string, err error) {
	for late := time.After(startLimit); ; {
		text, err := os.ReadFile(r.log)
		if err != nil {
			return "", process.Unable{Err: err}
		}
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, prefix); ok && strings.HasSuffix(line, "\n") {
				return strings.TrimSpace(rest), nil
			}
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-r.Done():
			return "", r.Gone()
		case <-late:
			return "", fmt.Errorf("no line %q within %v", prefix, startLimit)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Stop ends the program, if it runs.
func (r *Remote) Stop() {
	_ = r.input.Close() // the program ends by that
	select {
	case <-r.Done():
	case <-time.After(stopLimit):
	}
	r.Process.Stop()
}

// stopLimit is how long a program may take to end.
const stopLimit = 5 * time.Second

// Host is what the load machine is. "" and 0 are unknown.
type Host struct {
	CPU, OS, Kernel string
	Cores           int
	MemoryBytes     int64
}

// Host describes the load machine.
func (m *Machine) Host(ctx context.Context) (h Host, err error) {
	out, err := m.Run(ctx, nil, `sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
sed -n 's/^PRETTY_NAME="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' /etc/os-release
uname -r
nproc
sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' /proc/meminfo`)
	if err != nil {
		return h, err
	}
	lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
	if len(lines) != 5 {
		return h, fmt.Errorf("load machine %s: it says %q; want CPU, OS, kernel, cores and memory", m.Load.SSH, out)
	}
	h.CPU, h.OS, h.Kernel = lines[0], lines[1], lines[2]
	kb, err := strconv.ParseInt(lines[4], 10, 64)
	cores, wrong := strconv.Atoi(lines[3])
	h.Cores, h.MemoryBytes = cores, kb<<10
	return h, cmp.Or(err, wrong)
}
