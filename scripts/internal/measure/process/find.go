package process

import (
	"bytes"
	"os"
	"strconv"
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
