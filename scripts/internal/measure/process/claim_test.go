package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const nobody = 65534

// Another user, who claims all that a name can claim, takes no port from us.
func TestAnotherUserCannotClaimPorts(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	freePort(t) // so the file is there
	c := role(t, "claim all", "CLAIMS="+claims.file.Name())
	c.Args = []string{"/bin/sh", "-c", "exec /proc/self/fd/3"} // others may not reach this binary by its path
	cmd := c.cmd()
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	exe, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer exe.Close()
	cmd.ExtraFiles = []*os.File{exe}
	var out strings.Builder
	cmd.Stderr = &out
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	var names, locks int
	if _, err := fmt.Fscan(stdout, &names, &locks); err != nil || names < ports*9/10 {
		t.Fatalf("the other user claimed %d names: %v\n%s", names, err, out.String())
	}
	if locks > 0 {
		t.Errorf("the other user locked %d ports", locks)
	}
	for range 100 {
		freePort(t)
	}
}

// claimAll claims each port by all ways that another user may try, and prints how many names and locks it got.
func claimAll() {
	var names, locks atomic.Int64
	file, err := os.OpenFile(os.Getenv("CLAIMS"), os.O_RDWR, 0)
	const tables = 4 // of open files: one may not have room for all
	var all sync.WaitGroup
	for table := range tables {
		all.Add(1)
		go func() {
			runtime.LockOSThread()
			fail(unix.Unshare(unix.CLONE_FILES))
			for port := firstPort + table; port < firstPort+ports; port += tables {
				socket, socketErr := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
				if socketErr == nil {
					bindErr := unix.Bind(socket, &unix.SockaddrUnix{Name: fmt.Sprintf("@fairstream-port-%d", port)})
					if bindErr == nil || errors.Is(bindErr, unix.EADDRINUSE) { // a test in another checkout has it
						names.Add(1)
					}
				}
				if err == nil && lockByte(file, port, unix.F_WRLCK) == nil {
					locks.Add(1)
				}
			}
			all.Done()
			select {} // the end of the thread would close its files
		}()
	}
	all.Wait()
	fmt.Println(names.Load(), locks.Load())
	time.Sleep(time.Hour)
}

// Claims use no directory that another user made or may enter, and then the next one.
func TestClaimsAreInADirectoryOfOurOwn(t *testing.T) {
	ours, parent := t.TempDir(), t.TempDir()
	dir := filepath.Join(parent, fmt.Sprint("fairstream-", os.Geteuid()))
	for what, make := range map[string]func() error{
		"nothing": func() error { return os.Chmod(parent, 0o500) },
		"a file":  func() error { return os.WriteFile(dir, nil, 0o600) },
		"a link":  func() error { return os.Symlink(ours, dir) },
		"open":    func() error { return os.Mkdir(dir, 0o755) },
		"another user's": func() error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, nobody, nobody))
		},
	} {
		if root := os.Geteuid() == 0; root && what == "nothing" || !root && what == "another user's" {
			continue // root may write anywhere, and only root gives a directory away
		}
		if err := make(); err != nil {
			t.Fatal(what, err)
		}
		if f := openClaims(parent); f != nil {
			t.Errorf("%s: opened %s", what, f.Name())
		}
		f := openClaims("", parent, ours)
		if f == nil || !strings.HasPrefix(f.Name(), ours) {
			t.Fatalf("%s: got %v; want a file below %s", what, f, ours)
		}
		f.Close()
		if err := errors.Join(os.Chmod(parent, 0o700), os.RemoveAll(dir)); err != nil {
			t.Fatal(err)
		}
	}
}

// Without a directory there are still free ports, one after the other.
func TestWithoutAPlaceForClaimsThereArePorts(t *testing.T) {
	freePort(t)
	claims.Lock()
	file := claims.file
	claims.file = nil
	claims.Unlock()
	defer func() { claims.Lock(); claims.file = file; claims.Unlock() }()
	if a, b := freePort(t), freePort(t); a == b {
		t.Errorf("port %d twice", a)
	}
}
