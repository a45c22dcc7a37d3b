// Package profile samples the stacks of a server under load with Linux's perf, by the CPU clock. That needs no hardware counters, so it
// works in virtual machines. The package turns samples into counts of stacks, and judges nothing.
package profile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"fairstream/scripts/internal/measure/process"
)

// hz is the rate of samples on each core that the server uses. README of load says what it costs.
const hz = 499

// hzDWARF is that where a sample holds a copy of the stack, which costs more.
const hzDWARF = 99

// A Kind says how the programs of a language are sampled.
type Kind struct {
	Env   []string // of the server, in these rounds only
	dwarf bool     // there are no frame pointers
	spy   bool     // py-spy samples it
	Note  string   // the part that samples cannot show; "" for nothing
}

// KindOf is the kind of a server's language and version. A runtime without symbols is never shown as if it had them.
func KindOf(language, version string) Kind {
	if spies(language, version) {
		return Kind{spy: true}
	}
	switch language {
	case "rust", "c++":
		return Kind{dwarf: true}
	case "node":
		return Kind{Env: []string{"NODE_OPTIONS=--perf-basic-prof --interpreted-frames-native-stack"}}
	case "python":
		k := Kind{Env: []string{"PYTHONPERFSUPPORT=1"}}
		if Old(version) {
			k.Note = "Python before 3.12 does not name its functions to perf, so only those of the interpreter are shown; py-spy knows them: pip install py-spy."
		}
		return k
	case "bun":
		return Kind{Note: "Bun does not name the functions of its JavaScript to perf; their time is one row, \"in JavaScript\"."}
	}
	return Kind{}
}

// Able returns an error that says what to set if perf cannot sample here.
func Able() error {
	if _, err := exec.LookPath("perf"); err != nil {
		return errors.New("perf: not found, so no functions are named; install it: sudo apt-get install linux-perf")
	}
	if os.Geteuid() == 0 {
		return nil
	}
	text, err := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
	if err != nil {
		return nil // the recording itself reports the fault
	}
	if level, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && level > 2 {
		return fmt.Errorf("perf: kernel.perf_event_paranoid is %d, so no functions are named; allow your own processes: sudo sysctl kernel.perf_event_paranoid=2", level)
	}
	return nil
}

// A Recording is perf at work.
type Recording struct {
	*process.Process
	file string
	kind Kind
	spy  bool // it is py-spy
}

// Start samples processes until End. Its file goes to dir.
func Start(pids []int, kind Kind, dir, target string) (*Recording, error) {
	if kind.spy {
		return startSpy(pids[0], dir, target)
	}
	file := filepath.Join(dir, target+".perf")
	rate, graph := hz, "fp"
	if kind.dwarf {
		rate, graph = hzDWARF, "dwarf,4096"
	}
	var of []string
	for _, pid := range pids {
		of = append(of, strconv.Itoa(pid))
	}
	p, err := process.Start(process.Command{Bare: true, Args: []string{
		"perf", "record", "--quiet", "--event", "cpu-clock", "--freq", strconv.Itoa(rate), "--call-graph", graph, "--pid", strings.Join(of, ","), "--output", file,
	}}, file+".log")
	if err != nil {
		return nil, err
	}
	return &Recording{Process: p, file: file, kind: kind}, nil
}

// endLimit is the time that perf may take to write its file.
const endLimit = 20 * time.Second

// End stops the samples and counts their stacks. dir is the server's, which names leave out. It removes perf's file, which is large.
func (r *Recording) End(ctx context.Context, dir string) (stacks map[string]int64, periodUS float64, err error) {
	if r.spy {
		return r.endSpy(ctx, dir)
	}
	defer os.Remove(r.file) // the counts are kept
	r.Signal(syscall.SIGINT)
	select {
	case <-r.Done():
	case <-time.After(endLimit):
		r.Stop()
		return nil, 0, fmt.Errorf("perf: not ended after %v", endLimit)
	case <-ctx.Done():
		r.Stop()
		return nil, 0, ctx.Err()
	}
	if _, err := os.Stat(r.file); err != nil {
		return nil, 0, fmt.Errorf("perf: it wrote nothing: %w", r.Gone())
	}
	text, err := process.Output(ctx, process.Command{Bare: true, Args: []string{
		"perf", "script", "--input", r.file, "--fields", "ip,sym,dso", "--no-inline", "--max-stack", "127",
	}})
	if err != nil {
		return nil, 0, fmt.Errorf("perf: %w", err)
	}
	rate := hz
	if r.kind.dwarf {
		rate = hzDWARF
	}
	return Stacks(text, dir), 1e6 / float64(rate), nil
}
