package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
		children := children(os.Getpid())
		if len(children) == 0 {
			return
		}
		for _, pid := range children {
			syscall.Kill(pid, syscall.SIGKILL)
			syscall.Wait4(pid, nil, 0, nil)
		}
	}
}

// children lists the living children of a process.
func children(parent int) []int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var pids []int
	for _, path := range stats {
		if state, ppid, _, ok := readStat(path); ok && state != "Z" && ppid == parent {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// readStat reads a process's state, parent and group; ok is false when it has
// ended meanwhile.
func readStat(path string) (state string, ppid, pgrp int, ok bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", 0, 0, false
	}
	// pid (name) state ppid pgrp: the name may hold anything, so count from its end.
	rest := string(data[strings.LastIndexByte(string(data), ')')+1:])
	n, _ := fmt.Sscan(rest, &state, &ppid, &pgrp)
	return state, ppid, pgrp, n == 3
}
