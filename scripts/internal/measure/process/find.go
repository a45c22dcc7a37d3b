package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Group lists the processes of a process group, itself included if it lives.
func Group(pgid int) []int {
	return find(func(_, pgrp int) bool { return pgrp == pgid })
}

// find lists the living processes whose parent and group match.
func find(match func(ppid, pgrp int) bool) []int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is ours, and well-formed
	var pids []int
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		// pid (name) state ppid pgrp: the name may hold anything, so count from its end.
		var state string
		var ppid, pgrp int
		rest := string(data[strings.LastIndexByte(string(data), ')')+1:])
		if n, _ := fmt.Sscan(rest, &state, &ppid, &pgrp); n == 3 && state != "Z" && match(ppid, pgrp) { // n tells
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path))) // digits, as the pattern says
			pids = append(pids, pid)
		}
	}
	return pids
}
