package process

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

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
		var state string
		var ppid, pgrp int
		rest := string(data[strings.LastIndexByte(string(data), ')')+1:])
		if n, _ := fmt.Sscan(rest, &state, &ppid, &pgrp); n == 3 && state != "Z" && match(ppid, pgrp) { // n says whether it worked
			pids = append(pids, pid)
		}
	}
	return pids
}
