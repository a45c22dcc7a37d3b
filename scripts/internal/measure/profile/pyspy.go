package profile

import (
	"context"
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

// spyHz is the rate of py-spy, which stops the program for each sample.
const spyHz = 100

// spies reports whether py-spy samples a server: it knows the functions of Python before 3.12, and perf does not.
func spies(language, version string) bool {
	if language != "python" {
		return false
	}
	_, err := exec.LookPath("py-spy")
	return err == nil && Old(version)
}

// Old reports whether a version of Python has no support for perf.
func Old(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	one, err := strconv.Atoi(major)
	two, also := strconv.Atoi(minor)
	return err == nil && also == nil && (one < 3 || one == 3 && two < 12)
}

// startSpy samples one process of Python until it ends. Its output is a line for each stack, with its count.
func startSpy(pid int, dir, target string) (*Recording, error) {
	file := filepath.Join(dir, target+".pyspy")
	p, err := process.Start(process.Command{Bare: true, Args: []string{
		"py-spy", "record", "--pid", strconv.Itoa(pid), "--format", "raw", "--rate", strconv.Itoa(spyHz), "--output", file, "--nonblocking", "--subprocesses", "--duration", "unlimited",
	}}, file+".log")
	if err != nil {
		return nil, err
	}
	return &Recording{Process: p, file: file, spy: true}, nil
}

// endSpy reads what py-spy wrote.
func (r *Recording) endSpy(ctx context.Context, dir string) (stacks map[string]int64, periodUS float64, err error) {
	defer os.Remove(r.file) // the counts are kept
	r.Signal(syscall.SIGINT)
	select {
	case <-r.Done():
	case <-time.After(endLimit):
		r.Stop()
		return nil, 0, fmt.Errorf("py-spy: not ended after %v", endLimit)
	case <-ctx.Done():
		r.Stop()
		return nil, 0, ctx.Err()
	}
	text, err := os.ReadFile(r.file)
	if err != nil {
		return nil, 0, fmt.Errorf("py-spy: it wrote nothing: %w", r.Gone())
	}
	return spied(string(text), dir), 1e6 / spyHz, nil
}

// spied reads lines of functions with ";" between, the outermost first, and a count. A function is "name (file:line)".
func spied(text, dir string) map[string]int64 {
	all := map[string]int64{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		i := strings.LastIndexByte(line, ' ')
		if i < 0 {
			continue
		}
		n, err := strconv.ParseInt(line[i+1:], 10, 64)
		if err != nil {
			continue
		}
		var functions []string
		for frame := range strings.SplitSeq(line[:i], ";") {
			frame = strings.ReplaceAll(frame, dir+"/", "")
			if j := strings.LastIndexByte(frame, ':'); j >= 0 && strings.HasSuffix(frame, ")") {
				frame = frame[:j] + ")" // lines change with each edit
			}
			functions = append(functions, frame)
		}
		all[strings.Join(functions, ";")] += n
	}
	return all
}
