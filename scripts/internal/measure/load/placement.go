package load

import (
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/usage"
)

// A Placement says which programs may use which cores. Figures with different placements are not comparable.
type Placement string

// Shared gives all cores to all programs. Split gives the lower half to the rig (k6 and the stub), and the
// upper half to the servers. They then cannot take cores from each other, but a server has only half of them.
// SplitCores is Split where a core has several threads, which stay together.
const (
	Shared     Placement = "shared"
	Split      Placement = "split"
	SplitCores Placement = "split-cores"
)

// ParsePlacement reads the user's choice; "" decides by the number of cores.
func ParsePlacement(text string) (Placement, error) {
	switch p := Placement(text); {
	case p == "" && runtime.NumCPU() >= usage.SplitFrom:
		return split(os.DirFS("/")), nil
	case p == "" || p == Shared:
		return Shared, nil
	case p != Split:
		return "", fmt.Errorf("placement %q: want %s or %s", text, Shared, Split)
	case runtime.NumCPU() < 2:
		return "", fmt.Errorf("placement %q: there is one core; want two or more", text)
	}
	return split(os.DirFS("/")), nil
}

// split is the kind of split of a machine.
func split(root fs.FS) Placement {
	if _, _, threads := usage.Halves(root); threads {
		return SplitCores
	}
	return Split
}

// rig and server list the cores of either, as taskset(1) reads them; "" means all.
func (p Placement) rig() string    { lower, _ := p.halves(); return lower }
func (p Placement) server() string { _, upper := p.halves(); return upper }

func (p Placement) halves() (lower, upper string) {
	if p == Shared {
		return "", ""
	}
	rig, servers, _ := usage.Halves(os.DirFS("/"))
	return list(rig), list(servers)
}

// ours lists the cores that we may use. In a container they may differ from 0 to n-1.
func ours() (cores []int) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		for i := range runtime.NumCPU() {
			cores = append(cores, i)
		}
		return cores
	}
	for i := range len(set) * 64 {
		if set.IsSet(i) {
			cores = append(cores, i)
		}
	}
	return cores
}

func list(cores []int) string {
	var text []string
	for _, c := range slices.Sorted(slices.Values(cores)) {
		text = append(text, strconv.Itoa(c))
	}
	return strings.Join(text, ",")
}
