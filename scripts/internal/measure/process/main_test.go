package process

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The tests run this binary as the programs they need: ROLE says which.
func TestMain(m *testing.M) {
	grace = 4 * time.Second // two tests wait for its end
	switch os.Getenv("ROLE") {
	case "":
		flag.Set("test.parallel", "16") // it is there; nearly all tests wait
		os.Exit(m.Run())
	case "parent":
		p, err := Start(Command{Args: []string{"sleep", "1000"}}, os.DevNull)
		fail(err)
		fmt.Println(p.Pid)
		time.Sleep(time.Hour)
	case "grandparent":
		ended, err := Start(sh("exit"), os.DevNull)
		fail(err)
		ended.Stop()
		_, err = Start(sh("sleep 1000 & echo $!; wait"), os.Getenv("LOG"))
		fail(err)
		fmt.Println("guarded")
		time.Sleep(time.Hour)
	case "adopt":
		fail(Adopt())
		p, err := Start(sh("sleep 1000 & echo $!"), os.Getenv("LOG"))
		fail(err)
		<-p.Done()
		KillOrphans()
		KillOrphans() // of none
	case "unprivileged":
		var own []int
		for range 3 {
			cmd := exec.Command("sleep", "1000")
			fail(cmd.Start())
			own = append(own, cmd.Process.Pid)
		}
		fmt.Println(len(find(func(ppid, _ int) bool { return ppid == os.Getpid() })), "children")
		KillOrphans()
		for _, pid := range own {
			if s := state(pid); s != "" && s != "Z" {
				fmt.Println("left:", pid)
			}
		}
	case "zombie":
		cmd := exec.Command("true")
		fail(cmd.Start())
		fmt.Println(cmd.Process.Pid)
		time.Sleep(time.Hour) // without waiting for it
	case "burn":
		burn(burnt)
	case "claim all":
		claimAll()
	case "burn for ever":
		burn(time.Hour)
	case "burn and serve":
		burn(burntFirst)
		fallthrough
	case "serve":
		ln, err := net.Listen(os.Getenv("NETWORK"), os.Getenv("ADDRESS"))
		fail(err)
		fail(http.Serve(ln, http.HandlerFunc(healthy)))
	}
}

// burnt is the CPU time that ROLE=burn uses at least.
const burnt = 50 * time.Millisecond

// burntFirst is the CPU time that ROLE="burn and serve" uses before it listens.
const burntFirst = 200 * time.Millisecond

// burn uses CPU time. It seldom asks how much, so that it stays on its thread.
func burn(most time.Duration) {
	var used syscall.Rusage
	for n := 0; time.Duration(used.Utime.Nano()+used.Stime.Nano()) < most; n++ {
		if n%1_000_000 == 0 {
			fail(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
		}
	}
}

func healthy(w http.ResponseWriter, r *http.Request) {
	if r.Method != "GET" || r.URL.Path != "/healthz" {
		http.NotFound(w, r)
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// role is a command that runs this binary in a role.
func role(t *testing.T, name string, env ...string) Command {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The race detector's second of patience at the end would only cost time.
	return Command{Args: []string{exe}, Env: append([]string{"ROLE=" + name, "GORACE=atexit_sleep_ms=0"}, env...)}
}

// serve is a command that serves on an address; the network tcp4 or tcp6 makes
// that the family of the socket, which tcp does not.
func serve(t *testing.T, network, host string, port int) Command {
	t.Helper()
	return role(t, "serve", "NETWORK="+network, "ADDRESS="+net.JoinHostPort(host, strconv.Itoa(port)))
}

func sh(script string) Command { return Command{Args: []string{"sh", "-c", script}} }

// start starts a command that is stopped with the test, and names its log.
func start(t *testing.T, c Command) (*Process, string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	p, err := Start(c, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-p.Pid, syscall.SIGKILL)
		<-p.Done()
	})
	return p, log
}

// eventually waits for what must come true, however slow the machine is.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 2 minutes: %s", what)
		}
	}
}

// pids waits until a file has this many lines, and reads the process ids on them.
func pids(t *testing.T, path string, lines int) []int {
	t.Helper()
	var data []byte
	eventually(t, fmt.Sprintf("%d lines in %s", lines, path), func() bool {
		data, _ = os.ReadFile(path) // a missing file is fine
		return strings.Count(string(data), "\n") >= lines
	})
	var all []int
	for _, word := range strings.Fields(string(data)) {
		if pid, err := strconv.Atoi(word); err == nil {
			all = append(all, pid)
		}
	}
	slices.Sort(all)
	return all
}

// state is the letter of a process's state, proc(5), and empty if it is gone.
func state(pid int) string {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // it may have ended
	rest := string(data)[strings.LastIndex(string(data), ")")+1:]
	return strings.TrimSpace(rest[:min(2, len(rest))])
}

// gone waits for the end of a process that is not our child.
func gone(t *testing.T, pid int) {
	t.Helper()
	ended := false
	t.Cleanup(func() {
		if !ended {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	eventually(t, fmt.Sprintf("end of process %d", pid), func() bool {
		s := state(pid)
		return s == "" || s == "Z" || s == "X"
	})
	ended = true
}
