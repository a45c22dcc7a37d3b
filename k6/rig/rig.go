// Package rig starts the stub, k6 and a server for the commands and tests here, each in a bare
// environment. It measures nothing.
package rig

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Build compiles the program in a module's root to bin, for tests. It uses -trimpath as the tests
// do, so that k6 is not compiled twice.
func Build(module, bin string) error {
	build := exec.Command("go", "build", "-C", module, "-trimpath", "-o", bin, ".")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build of %s: %w\n%s", module, err, out)
	}
	return nil
}

// Stub starts the stub and returns it once it listens, with the root of its API, such as
// http://127.0.0.1:4242/v1. The caller ends it with End.
func Stub(bin string) (stub *exec.Cmd, base string, err error) {
	stub = command(bin)
	stub.Env = []string{"PORT=0"}
	out, err := stub.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := stub.Start(); err != nil {
		return nil, "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		End(stub)
		return nil, "", fmt.Errorf("%s: no address: %w", bin, err)
	}
	return stub, strings.TrimSpace(line), nil
}

// Server starts a server of the project with a stub as its upstream. It returns the server once it
// answers, with the URL of its chat.
func Server(bin, base string) (server *exec.Cmd, url string, err error) {
	address, err := FreeAddress()
	if err != nil {
		return nil, "", err
	}
	_, port, _ := strings.Cut(address, ":")
	server = command(bin)
	server.Env = []string{"HOST=127.0.0.1", "PORT=" + port, "STUB_URL=" + base}
	if err := server.Start(); err != nil {
		return nil, "", err
	}
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		res, err := http.Get("http://" + address + "/healthz")
		if err == nil {
			res.Body.Close()
			return server, "http://" + address + "/chat", nil
		}
		if time.Now().After(until) {
			End(server)
			return nil, "", fmt.Errorf("%s: no answer to /healthz within 20 s: %w", bin, err)
		}
	}
}

// FreeAddress is an address of 127.0.0.1 where nothing listens now.
func FreeAddress() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer ln.Close()
	return ln.Addr().String(), nil
}

// K6 is a `k6 run` that is not started yet. It calls nobody on the network. The script gets the
// variables, NAME=value each.
func K6(bin, script string, variables []string, flags ...string) *exec.Cmd {
	args := []string{"run", "--quiet", "--no-color", "--address", ""}
	for _, v := range variables {
		args = append(args, "-e", v)
	}
	k6 := command(bin, append(append(args, flags...), script)...)
	k6.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "K6_NO_USAGE_REPORT=true", "K6_AUTO_EXTENSION_RESOLUTION=false"}
	return k6
}

// command makes a program that does not outlive this one.
func command(bin string, args ...string) *exec.Cmd {
	c := exec.Command(bin, args...)
	c.Stderr = os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return c
}

// End ends a program at once.
func End(c *exec.Cmd) {
	_ = c.Process.Kill() // it may have ended already
	_ = c.Wait()         // we killed it
}

// Counts returns how many streams the stub has sent completely, and how many other requests it has
// had.
func Counts(base string) (completed, others int64, err error) {
	res, err := http.Get(strings.TrimSuffix(base, "/v1") + "/stats")
	if err != nil {
		return 0, 0, err
	}
	defer res.Body.Close()
	var stats struct{ Completed, Others int64 }
	err = json.NewDecoder(res.Body).Decode(&stats)
	return stats.Completed, stats.Others, err
}

// Body is the body of a client's request to the stub, with a message.
func Body(message string) string {
	return fmt.Sprintf(`{"messages":[{"role":"user","content":%q}],"stream":true}`, message)
}
