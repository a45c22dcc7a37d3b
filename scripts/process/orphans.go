package process

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Adopt makes orphans among our descendants our children, so that KillOrphans
// finds programs that left their process group and outlived their parent.
func Adopt() error {
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

// KillOrphans kills every child of ours. It is for the very end, when all that
// was started has been stopped: what is left then is no longer wanted.
func KillOrphans() {
	for {
		children := find(func(ppid, _ int) bool { return ppid == os.Getpid() })
		if len(children) == 0 {
			return
		}
		for _, pid := range children {
			if syscall.Kill(pid, syscall.SIGKILL) == syscall.EPERM {
				return // another user's, such as what sudo started: it ends when it is done
			}
			syscall.Wait4(pid, nil, 0, nil)
		}
	}
}
