package process

import (
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// Adopt makes orphans among our descendants our children, so that KillOrphans
// finds programs that left their process group and outlived their parent.
func Adopt() error {
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

// KillOrphans kills every child of ours. It is for the very end, when all that
// was started has been stopped: what is left then is no longer wanted. Another
// user's, such as what sudo started, ends when it is done.
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
			syscall.Wait4(pid, nil, 0, nil) // another part of us may have waited for it
		}
	}
}
