package usage

import (
	"fmt"
	"io/fs"
	"slices"
)

// SplitFrom is the number of CPUs from which k6 and the stub get half of them by default, since they need more than one under stress.
const SplitFrom = 4

// Halves divides the CPUs that this process may use: the lower half for k6 and the stub, the upper half for servers. Threads of one core
// stay together, since each is slower while the other works. Of an odd number of cores, servers have one more. threads reports whether
// cores have several threads; unknown counts as none. With one core, its threads are divided.
func Halves(root fs.FS) (lower, upper []int, threads bool) {
	var cores [][]int
	all := Allowed(root)
	for _, cpu := range all {
		i := slices.IndexFunc(cores, func(core []int) bool { return slices.Contains(siblings(root, cpu), core[0]) })
		if i < 0 {
			cores = append(cores, []int{cpu})
			continue
		}
		cores[i], threads = append(cores[i], cpu), true
	}
	if len(cores) < 2 {
		return all[:len(all)/2], all[len(all)/2:], threads
	}
	return slices.Sorted(slices.Values(slices.Concat(cores[:len(cores)/2]...))), slices.Sorted(slices.Values(slices.Concat(cores[len(cores)/2:]...))), threads
}

// siblings lists the CPUs that are threads of the core of a CPU, with itself; nil is unknown.
func siblings(root fs.FS, cpu int) []int {
	return ParseList(text(root, fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu)))
}
