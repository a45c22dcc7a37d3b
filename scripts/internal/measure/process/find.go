package process

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Group lists the processes of a process group, itself included if it lives.
func Group(pgid int) []int {
	return find(func(_, pgrp int) bool { return pgrp == pgid })
}

// find lists the living processes whose parent and group match.
func find(match func(ppid, pgrp int) bool) []int {
	names := []string{}
	if proc, err := os.Open("/proc"); err == nil {
		names, _ = proc.Readdirnames(-1) // a kernel without it has no processes that we could find
		proc.Close()                     // read only
	}
	var pids []int
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue // no process
		}
		data, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // it ended meanwhile
		}
		// pid (name) state ppid pgrp: the name may hold anything, so count from its end.
		var state string
		var ppid, pgrp int
		rest := string(data[strings.LastIndexByte(string(data), ')')+1:])
		if n, _ := fmt.Sscan(rest, &state, &ppid, &pgrp); n == 3 && state != "Z" && match(ppid, pgrp) { // n tells
			pids = append(pids, pid)
		}
	}
	return pids
}
