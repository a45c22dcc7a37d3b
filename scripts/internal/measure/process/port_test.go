package process

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func freePort(t *testing.T) int {
	t.Helper()
	port, err := FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// foreign serves with h in this process, and names its port.
func foreign(t *testing.T, h http.HandlerFunc) int {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func TestAPortThatAnotherProgramHoldsIsTaken(t *testing.T) {
	t.Parallel()
	port := foreign(t, healthy)
	want := fmt.Sprintf("port %d is taken: a process outside the process group of sh listens on it; end that process, or run again with other ports (a server must stay in its process group)", port)
	living, _ := start(t, sh("sleep 1000"))
	ended, _ := start(t, sh("echo address in use >&2; exit 1"))
	<-ended.Done()
	for name, p := range map[string]*Process{"living": living, "ended": ended} {
		if err := p.WaitReady(t.Context(), port, "/healthz", 10*time.Second); err == nil || err.Error() != want {
			t.Errorf("%s: got  %v\nwant %s", name, err, want)
		}
	}
}

// anotherProcess opens the file of claims as another process of our user does.
func anotherProcess(t *testing.T) *os.File {
	t.Helper()
	freePort(t) // which opens it
	f, err := os.OpenFile(claims.file.Name(), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() }) // which ends its claims
	return f
}

// A port that another process has claimed is not even tried: to listen on it for
// a moment would keep that process's server from it.
func TestAClaimedPortIsNotTried(t *testing.T) {
	next, other, claimed := firstPort+int((drawn.Load()+1)%ports), anotherProcess(t), map[int]bool{}
	for port := next; len(claimed) < 50 && port < next+5000; port++ { // some may be another process's already
		if lockByte(other, port, unix.F_WRLCK) == nil {
			claimed[port] = true
		}
	}
	if len(claimed) == 0 {
		t.Fatal("no port could be claimed")
	}
	port, err := findPort(func(port int) error {
		if claimed[port] {
			t.Errorf("port %d was tried, which is claimed", port)
		}
		return nil
	})
	if err != nil || claimed[port] {
		t.Errorf("port %d, %v", port, err)
	}
}

func TestAListenerOnAnotherAddressDoesNotTakeAPort(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	// The kernel lists listeners in no order, so one alone might come after the server.
	for last := 2; last < 40; last++ {
		ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.%d:%d", last, port))
		if err != nil {
			t.Fatal(err)
		}
		defer ln.Close()
	}
	p, _ := start(t, serve(t, "tcp4", "127.0.0.1", port))
	if err := p.WaitReady(t.Context(), port, "/healthz", 10*time.Second); err != nil {
		t.Error(err)
	}
}

// Some runtimes have sockets of IPv6 only, and map the addresses of IPv4 to it.
func TestAListenerOnAMappedAddressIsFound(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	fd, err := syscall.Socket(syscall.AF_INET6, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Skip("no IPv6 here: ", err)
	}
	defer syscall.Close(fd) // to be rid of it
	if err := syscall.SetsockoptInt(fd, syscall.IPPROTO_IPV6, syscall.IPV6_V6ONLY, 0); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet6{Port: port, Addr: [16]byte(net.IPv4(127, 0, 0, 1).To16())}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 1); err != nil {
		t.Fatal(err)
	}
	want, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
	if err != nil {
		t.Fatal(err)
	}
	if inode, err := listener(local, port); err != nil || "socket:["+inode+"]" != want {
		t.Errorf("got %s, %v; want %s", inode, err, want)
	}
}

func TestAListenerThatIsGoneIsAnError(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	want := fmt.Sprintf("port %d answered, but nothing listens on it any more", port)
	if inode, err := listener(local, port); err == nil || err.Error() != want {
		t.Errorf("got %q, %v; want %s", inode, err, want)
	}
}

func TestAFreePortIsBelowThePortsOfConnectionsAndCanBeTaken(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	if err != nil {
		t.Fatal(err)
	}
	first, err := strconv.Atoi(strings.Fields(string(data))[0])
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		port := freePort(t)
		if port < 10000 || port >= 32768 || port >= first {
			t.Fatalf("port %d; want one from 10000 on, below 32768 and below %d", port, first)
		}
		ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			t.Fatal(err)
		}
		defer ln.Close()
	}
}

// Programs that are started meanwhile hold no copy of the socket that tried a port.
func TestAFreePortCanBeTakenWhileProgramsAreStarted(t *testing.T) {
	t.Parallel()
	exec.Command("true").Run() // the first of all starts also asks the kernel what it can, by a fork of its own
	var starting sync.WaitGroup
	defer starting.Wait()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for range 4 {
		starting.Go(func() {
			for ctx.Err() == nil {
				exec.Command("true").Run() // how it ends is nothing here
			}
		})
	}
	for range 500 {
		port := freePort(t)
		ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			t.Fatal(err)
		}
		ln.Close()
	}
}

// Another process that was given a port, and whose server does not listen yet,
// has claimed it.
func TestNoTwoProcessesAreGivenTheSamePort(t *testing.T) {
	given := freePort(t)
	other := anotherProcess(t)
	if lockByte(other, given, unix.F_WRLCK) == nil {
		t.Errorf("port %d was given and is not claimed", given)
	}
	claimed := map[int]bool{} // by the other process: the next ten that would be given
	for port := given + 1; port <= given+10; port++ {
		if lockByte(other, port, unix.F_WRLCK) != nil {
			continue // claimed by a test beside this one
		}
		claimed[port] = true
	}
	if next := freePort(t); claimed[next] {
		t.Errorf("port %d was given, though another process has claimed it", next)
	}
}
