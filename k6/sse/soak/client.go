package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"fairstream/k6/sse/ruler"
)

// A client is one k6 with its stub.
type client struct {
	name       string
	k6, stub   *exec.Cmd
	base, heap string // URLs: of the stub's API, of k6's heap
	seen       []reading
}

// A reading is what a client held at a time, and how many streams had ended.
type reading struct {
	at        time.Time
	streams   int64
	rss, live float64 // bytes
}

func start(c config, name string) (*client, error) {
	var variables, flags []string
	switch name {
	case "iterations":
		variables = []string{"ITERATIONS=1"}
	case "loop":
	case "bare":
		flags = []string{"--no-summary", "--no-thresholds"}
	default:
		return nil, fmt.Errorf("client %q: want iterations, loop or bare", name)
	}
	address, err := ruler.FreeAddress()
	if err != nil {
		return nil, err
	}
	stub, base, err := ruler.Stub(c.stub)
	if err != nil {
		return nil, err
	}
	variables = append(variables, "TARGET_URL="+base+"/chat/completions", "TOKENS="+strconv.Itoa(c.tokens), "VUS="+strconv.Itoa(c.vus),
		"BODY="+ruler.Body(fmt.Sprintf("hello @tokens=%d @gap=%v", c.tokens, c.gap)))
	k6 := ruler.K6(c.k6, c.script, variables, append(flags, "--address", address, "--profiling-enabled")...)
	if err := k6.Start(); err != nil {
		ruler.End(stub)
		return nil, err
	}
	return &client{name: name, k6: k6, stub: stub, base: base, heap: "http://" + address + "/debug/pprof/heap?gc=1&debug=1"}, nil
}

func (c *client) end() {
	ruler.End(c.k6)
	ruler.End(c.stub)
}

// after waits until that many streams have ended and returns how many it were.
func (c *client) after(streams int64) (int64, error) {
	for until := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		n, err := ruler.Completed(c.base)
		if err != nil || n >= streams {
			return n, err
		}
		if time.Now().After(until) {
			return n, fmt.Errorf("%s: %d streams within 2 minutes; want %d: see what k6 says above", c.name, n, streams)
		}
	}
}

// read reads RSS first, since asking for the live heap collects garbage.
func (c *client) read() (r reading, err error) {
	r.at = time.Now()
	if r.streams, err = ruler.Completed(c.base); err != nil {
		return r, err
	}
	if r.rss, err = rssOf(c.k6.Process.Pid); err != nil {
		return r, err
	}
	r.live, err = liveOf(c.heap)
	return r, err
}

// rssOf is VmRSS in bytes.
func rssOf(pid int) (float64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(data)) {
		var kB int64
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kB); n == 1 {
			return float64(kB << 10), nil
		}
	}
	return 0, fmt.Errorf("process %d: no VmRSS: it has ended", pid)
}

// liveOf is what the heap of a Go program holds, from its profile as text.
func liveOf(url string) (float64, error) {
	res, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var n float64
		if found, _ := fmt.Sscanf(lines.Text(), "# HeapAlloc = %f", &n); found == 1 {
			return n, nil
		}
	}
	return 0, fmt.Errorf("%s: %s: no line HeapAlloc", url, res.Status)
}
