package run

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// A Placement says who may use which cores. It is part of what a figure means:
// two that differ in it are not comparable.
type Placement string

// Shared leaves all cores to all. Split gives the lower half to the rig, k6
// and the stub, and the upper half to the servers: they then cannot take cores
// from each other, but a server has only half of them.
const (
	Shared Placement = "shared"
	Split  Placement = "split"
)

// splitFrom is the least number of cores that are split unless somebody says
// otherwise: k6 and the stub need more than one under stress.
const splitFrom = 4

// ParsePlacement reads what a user asks for; "" leaves it to the machine's size.
func ParsePlacement(text string) (Placement, error) {
	switch p := Placement(text); {
	case p == "" && runtime.NumCPU() >= splitFrom:
		return Split, nil
	case p == "" || p == Shared:
		return Shared, nil
	case p != Split:
		return "", fmt.Errorf("placement %q: want %s or %s", text, Shared, Split)
	case runtime.NumCPU() < 2:
		return "", fmt.Errorf("placement %q: there is one core; want two or more", text)
	}
	return Split, nil
}

// rig and server are the cores of either, as taskset(1) has them; "" is all.
func (p Placement) rig() string    { lower, _ := p.halves(); return lower }
func (p Placement) server() string { _, upper := p.halves(); return upper }

func (p Placement) halves() (lower, upper string) {
	if p != Split {
		return "", ""
	}
	cores := ours()
	return list(cores[:len(cores)/2]), list(cores[len(cores)/2:])
}

// ours are the numbers of the cores that we may use: not 0 to n-1 in a
// container that has some of the machine.
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
