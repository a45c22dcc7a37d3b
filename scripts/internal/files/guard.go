package files

import (
	"cmp"
	"crypto/rand"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// The guard ends and removes what we leave when somebody kills us: programs with all that they started, and
// temporary directories.
//
// The guard is a shell. It reads from a pipe what we hold. When the pipe closes, it kills the process groups that
// are left, waits for their end, and removes the directories. It removes only directories that MkdirTemp names.
var guard struct {
	sync.Mutex
	pipe io.Writer
	held []string // numbers of process groups, and paths
}

//go:embed guard.sh
var script string

// finishing is before the number of a group that ends soon by itself.
const finishing = "~"

// HoldGroup tells the guard about a process group. One that finishes soon by itself may do so.
func HoldGroup(group int, finishes bool) error {
	if finishes {
		return hold(finishing + strconv.Itoa(group))
	}
	return hold(strconv.Itoa(group))
}

// ReleaseGroup tells the guard that a process group has ended, since another program may get its number.
func ReleaseGroup(group int) { release(strconv.Itoa(group)) }

// MkdirTemp makes a directory for our user alone in parent; "" is the usual place of temporary files. Call remove
// at the end. The guard removes the directory if we cannot.
func MkdirTemp(parent, prefix string) (dir string, remove func() error, err error) {
	if parent, err = filepath.Abs(cmp.Or(parent, os.TempDir())); err != nil {
		return "", nil, err
	}
	if strings.Contains(parent, "\n") {
		return "", nil, fmt.Errorf("temporary files: %q: its name has a line feed; set TMPDIR to another directory", parent)
	}
	// The guard knows the name first, so that no moment is too early to kill us. Nobody else has such a name.
	dir = filepath.Join(parent, prefix+rand.Text()[:16])
	if err := hold(dir); err != nil {
		return "", nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		release(dir)
		return "", nil, err
	}
	return dir, func() error {
		err := os.RemoveAll(dir)
		if err == nil {
			release(dir)
		}
		return err
	}, nil
}

func hold(what string) error {
	guard.Lock()
	defer guard.Unlock()
	if guard.pipe != nil {
		if _, err := fmt.Fprintln(guard.pipe, "+", what); err == nil {
			guard.held = append(guard.held, what)
			return nil
		} // somebody killed the guard; another one gets all that it had
	}
	pipe, err := start()
	if err == nil {
		guard.pipe = pipe
		_, err = fmt.Fprint(pipe, "+ ", strings.Join(append(guard.held, what), "\n+ "), "\n")
	}
	if err != nil {
		return fmt.Errorf("sh: %w", err)
	}
	guard.held = append(guard.held, what)
	return nil
}

func release(what string) {
	guard.Lock()
	defer guard.Unlock()
	guard.held = slices.DeleteFunc(guard.held, func(held string) bool {
		return strings.TrimPrefix(held, finishing) == what
	})
	if guard.pipe != nil {
		fmt.Fprintln(guard.pipe, "-", what) // a killed guard does nothing
	}
}

func start() (io.Writer, error) {
	read, write, err := os.Pipe() // closed on exec, so no program keeps our end of the pipe open
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/bin/sh", "-c", script, "guard", strconv.FormatInt(time.Now().Unix(), 10))
	cmd.Dir, cmd.Stdin = "/", read
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C reaches only us
	err = cmd.Start()
	read.Close() // the guard has its own copy
	if err != nil {
		write.Close() // it cannot be used
		return nil, err
	}
	go cmd.Wait() // it ends when we end
	return write, nil
}
