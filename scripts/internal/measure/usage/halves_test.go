package usage

import (
	"fmt"
	"testing"
	"testing/fstest"
)

// smt is a machine whose CPUs have siblings: those of core n are n and n + cores, as Linux numbers them on most machines, or 2n and 2n + 1.
func smt(cpus, threads int, together bool) fstest.MapFS {
	m := fstest.MapFS{"proc/self/status": {Data: fmt.Appendf(nil, "Cpus_allowed_list:\t0-%d\n", cpus-1)}}
	cores := cpus / threads
	for cpu := range cpus {
		list := fmt.Sprint(cpu)
		if threads == 2 && together {
			list = fmt.Sprintf("%d-%d", cpu&^1, cpu|1)
		} else if threads == 2 {
			list = fmt.Sprintf("%d,%d", cpu%cores, cpu%cores+cores)
		}
		m[fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu)] = &fstest.MapFile{Data: []byte(list + "\n")}
	}
	return m
}

func TestHalvesHaveWholeCores(t *testing.T) {
	limited := smt(8, 2, false)
	limited["proc/self/status"] = &fstest.MapFile{Data: []byte("Cpus_allowed_list:\t1-2,5-6\n")}
	unknown := smt(4, 1, false)
	for name := range unknown {
		if name != "proc/self/status" {
			delete(unknown, name)
		}
	}
	for name, c := range map[string]struct {
		root         fstest.MapFS
		lower, upper string
		threads      bool
	}{
		"8 threads of 4 cores, far apart":  {smt(8, 2, false), "[0 1 4 5]", "[2 3 6 7]", true},
		"8 threads of 4 cores, neighbours": {smt(8, 2, true), "[0 1 2 3]", "[4 5 6 7]", true},
		"6 threads of 3 cores":             {smt(6, 2, false), "[0 3]", "[1 2 4 5]", true},
		"4 cores":                          {smt(4, 1, false), "[0 1]", "[2 3]", false},
		"4 cores of an unknown kind":       {unknown, "[0 1]", "[2 3]", false},
		"2 threads of 1 core":              {smt(2, 2, true), "[0]", "[1]", true},
		"a cpuset of 2 cores":              {limited, "[1 5]", "[2 6]", true},
	} {
		lower, upper, threads := Halves(c.root)
		if fmt.Sprint(lower) != c.lower || fmt.Sprint(upper) != c.upper || threads != c.threads {
			t.Errorf("%s: k6 and the stub %v, servers %v, threads %t; want %s, %s, %t", name, lower, upper, threads, c.lower, c.upper, c.threads)
		}
	}
	if lower, upper, _ := Halves(fstest.MapFS{}); lower != nil || upper != nil {
		t.Errorf("of an unknown machine: %v, %v", lower, upper)
	}
}
