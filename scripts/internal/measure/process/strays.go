package process

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Strays lists the processes that a marked program started outside its group: daemons. They would disturb the
// next measurement.
func (p *Process) Strays() []int {
	if len(p.mark) == 0 {
		return nil
	}
	strays := find(func(_, pgrp int) bool { return pgrp != p.Pid })
	return slices.DeleteFunc(strays, func(pid int) bool { return !marked(pid, p.mark) })
}

// marked reports whether the initial environment of a process contains a mark.
func marked(pid int, mark []string) bool {
	environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return false // it belongs to another user, or has ended
	}
	has := bytes.Split(environment, []byte{0})
	return !slices.ContainsFunc(mark, func(entry string) bool {
		return !slices.ContainsFunc(has, func(other []byte) bool { return string(other) == entry })
	})
}

// endStrays kills strays, also those that a stray starts meanwhile.
func (p *Process) endStrays() {
	for end := time.Now().Add(grace); time.Now().Before(end); time.Sleep(time.Millisecond) {
		strays := p.Strays()
		if len(strays) == 0 {
			return
		}
		for _, pid := range strays {
			stray, _ := os.FindProcess(pid) // pidfd_open fails only for a process that has ended
			if marked(pid, p.mark) {        // checked again, since the number may belong to another process now
				stray.Kill() // it may have ended
			}
			stray.Release() // frees the descriptor
		}
	}
}

// Group lists the living processes of a process group.
func Group(pgid int) []int {
	return find(func(_, pgrp int) bool { return pgrp == pgid })
}

// find lists the living processes with this parent or group.
func find(match func(ppid, pgrp int) bool) []int {
	names := []string{}
	if proc, err := os.Open("/proc"); err == nil {
		names, _ = proc.Readdirnames(-1) // without /proc there is nothing to find
		proc.Close()                     // read only
	}
	var pids []int
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue // not a process
		}
		data, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // it has ended meanwhile
		}
		// pid (name) state ppid pgrp: the name may contain anything, so look for its last bracket.
		fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
		if len(fields) < 3 || string(fields[0]) == "Z" {
			continue
		}
		ppid, err := strconv.Atoi(string(fields[1]))
		pgrp, also := strconv.Atoi(string(fields[2]))
		if err == nil && also == nil && match(ppid, pgrp) {
			pids = append(pids, pid)
		}
	}
	return pids
}

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
