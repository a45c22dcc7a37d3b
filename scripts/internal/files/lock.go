package files

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"fairstream/scripts/internal/cli"
)

// ErrLocked means that another process, or another part of this one, holds the lock.
var ErrLocked = errors.New("another scripts/bench works in it")

// TryLock locks a directory or a file until release is called or this process ends. So two of our processes do not work
// in one directory. It uses the kernel's lock of the directory itself. That needs no right to write, leaves no file, and
// ends with the process.
func TryLock(path string) (release func() error, err error) {
	f, err := os.Open(path) // our child processes do not inherit it
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f.Close, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrLocked
	}
	return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
}

// LockHolder describes the process that locked a path: its pid, start time and command line. It is "unknown" when
// the kernel hides it, as in a container.
func LockHolder(path string) string {
	const unknown = "unknown"
	info, err := os.Stat(path)
	if err != nil {
		return unknown
	}
	stat := info.Sys().(*syscall.Stat_t)
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return unknown
	}
	for line := range strings.Lines(string(locks)) {
		// 1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF
		f := strings.Fields(line)
		if len(f) < 6 || f[1] != "FLOCK" || !strings.HasSuffix(f[5], fmt.Sprintf(":%d", stat.Ino)) {
			continue
		}
		process := "/proc/" + f[4]
		command, err := os.ReadFile(process + "/cmdline")
		started, statErr := os.Stat(process)
		if err == nil && statErr == nil {
			words := strings.TrimSpace(strings.ReplaceAll(string(command), "\x00", " "))
			return fmt.Sprintf("%s (pid %s, since %s)", words, f[4], started.ModTime().Format("15:04:05"))
		}
	}
	return unknown
}

// retry is the interval at which WaitLock tries.
const retry = 200 * time.Millisecond

// WaitLock locks a directory once it is free. It calls held if the directory is locked at first.
func WaitLock(ctx context.Context, path string, held func()) (release func() error, err error) {
	for {
		if release, err = TryLock(path); !errors.Is(err, ErrLocked) {
			return release, err
		}
		if held != nil {
			held()
			held = nil
		}
		if err := cli.Sleep(ctx, retry); err != nil {
			return nil, err
		}
	}
}
