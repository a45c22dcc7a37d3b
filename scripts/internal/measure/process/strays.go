package process

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"time"
)

// Strays lists what a marked program, or what it started, has started outside of its
// group: a daemon. They would work on beside whoever is measured next.
func (p *Process) Strays() []int {
	if len(p.mark) == 0 {
		return nil
	}
	strays := find(func(_, pgrp int) bool { return pgrp != p.Pid })
	return slices.DeleteFunc(strays, func(pid int) bool { return !marked(pid, p.mark) })
}

// marked says whether the environment that a process was started with has all of a mark.
func marked(pid int, mark []string) bool {
	environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return false // another user's, or it ended meanwhile
	}
	has := bytes.Split(environment, []byte{0})
	return !slices.ContainsFunc(mark, func(entry string) bool {
		return !slices.ContainsFunc(has, func(other []byte) bool { return string(other) == entry })
	})
}

// endStrays kills strays, of which each may have started more before its end.
func (p *Process) endStrays() {
	for end := time.Now().Add(grace); time.Now().Before(end); time.Sleep(time.Millisecond) {
		strays := p.Strays()
		if len(strays) == 0 {
			return
		}
		for _, pid := range strays {
			stray, _ := os.FindProcess(pid) // never fails here: what has ended is one that cannot be killed
			if marked(pid, p.mark) {        // still, now that a stranger who gets its number is not this one
				stray.Kill() // it may have ended
			}
			stray.Release() // to be rid of it
		}
	}
}
