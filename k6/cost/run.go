package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"fairstream/k6/rig"
)

// A client is a way to make load. Without a command it is k6 with stream.js or requests.js.
type client struct {
	requests bool // of GET, and not of streams
	command  func(url, vus string) *exec.Cmd
}

var known = map[string]client{
	"http": {}, "sse": {}, "idle": {},
	"plain": {requests: true}, "get": {requests: true}, "script": {requests: true},
	"wrk": {requests: true, command: func(url, vus string) *exec.Cmd {
		return exec.Command("wrk", "-t", fmt.Sprint(runtime.NumCPU()), "-c", vus, "-d", "600", url)
	}},
}

// A cost is the CPU time for a stream or a request, in us.
type cost struct{ client, stub, perSecond float64 }

// run measures one client with a new stub.
func run(name string, l load) (c cost, err error) {
	stub, base, err := rig.Stub(*stubBin)
	if err != nil {
		return c, err
	}
	defer rig.End(stub)
	started := time.Now()
	count := func() (float64, error) {
		streams, others, err := rig.Counts(base)
		if l.itl == 0 {
			return float64(others), err
		}
		return float64(streams), err
	}
	if name == "idle" { // counts on the wall clock
		count = func() (n float64, err error) {
			_, err = fmt.Sscan(l.vus, &n)
			return n * time.Since(started).Seconds() / (20 * l.itl.Seconds()), err
		}
	}
	program, remove, err := command(name, l, base)
	if err != nil {
		return c, err
	}
	defer remove()
	if *extra != "" {
		program.Env = append(program.Environ(), strings.Split(*extra, ",")...)
	}
	if err := program.Start(); err != nil {
		return c, err
	}
	defer rig.End(program)
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		n, err := count()
		if err != nil {
			return c, err
		}
		if n > 100 {
			break
		}
		if time.Now().After(until) {
			return c, fmt.Errorf("no load within 20 s")
		}
	}
	time.Sleep(*settle)
	n0, err := count()
	if err != nil {
		return c, err
	}
	cpu, stubCPU, began := cpuTime(program.Process.Pid), cpuTime(stub.Process.Pid), time.Now()
	time.Sleep(*window)
	cpu, stubCPU = cpuTime(program.Process.Pid)-cpu, cpuTime(stub.Process.Pid)-stubCPU
	took := time.Since(began)
	n1, err := count()
	if err != nil {
		return c, err
	}
	n := n1 - n0
	if n < 1 || cpu <= 0 {
		return c, fmt.Errorf("%v ended in %v of CPU time", n, cpu)
	}
	return cost{us(cpu) / n, us(stubCPU) / n, n / took.Seconds()}, nil
}

func us(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// command is a client that runs until it is ended. remove removes its files.
func command(name string, l load, base string) (c *exec.Cmd, remove func(), err error) {
	url, script := base+"/chat/completions", "stream.js"
	if l.itl == 0 {
		url, script = strings.TrimSuffix(base, "/v1")+"/healthz", "requests.js"
	}
	if c := known[name].command; c != nil {
		return c(url, l.vus), func() {}, nil
	}
	_, source, _, _ := runtime.Caller(0)
	flags := []string{"--no-summary"}
	remove = func() {}
	if name == "script" { // it is get, with the output that counts scripts
		dir, err := os.MkdirTemp("", "cost-")
		if err != nil {
			return nil, nil, err
		}
		remove = func() { _ = os.RemoveAll(dir) } // temporary files
		job := filepath.Join(dir, "job.json")
		text := fmt.Sprintf(`{"target": "stub", "base_url": %q, "summary": %q}`, url, filepath.Join(dir, "k6.json"))
		if err := os.WriteFile(job, []byte(text), 0o600); err != nil {
			remove()
			return nil, nil, err
		}
		name, flags = "get", append(flags, "--out", "fairstream="+job)
	}
	return rig.K6(*k6, filepath.Join(filepath.Dir(source), script), []string{
		"CLIENT=" + name, "VUS=" + l.vus, "TARGET_URL=" + url, "MESSAGE=hello @tokens=20 @itl=" + l.itl.String(),
		fmt.Sprintf("STREAM_MS=%d", 20*l.itl.Milliseconds()),
	}, flags...), remove, nil
}
