package process

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"time"
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
