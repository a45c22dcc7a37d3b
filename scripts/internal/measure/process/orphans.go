package process

import (
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// Adopt makes us the parent of orphans among our descendants, so that KillOrphans finds programs that left
// their process group.
func Adopt() error {
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

// KillOrphans kills all our children. Call it at the very end, after stopping everything. A process of
// another user, such as a child of sudo, goes on until it is done.
func KillOrphans() {
	var theirs []int
	for {
		children := find(func(ppid, _ int) bool { return ppid == os.Getpid() })
		children = slices.DeleteFunc(children, func(pid int) bool { return slices.Contains(theirs, pid) })
		if len(children) == 0 {
			return
		}
		for _, pid := range children {
			if syscall.Kill(pid, syscall.SIGKILL) == syscall.EPERM {
				theirs = append(theirs, pid)
				continue
			}
			syscall.Wait4(pid, nil, 0, nil) // another goroutine may have waited for it
		}
	}
}
