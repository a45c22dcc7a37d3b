package usage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Use says who else used the machine between two readings, in per cent of all its CPUs.
type Use struct {
	Programs []Program // that /proc shows, the largest first
	Unseen   float64   // of programs that /proc does not show
	Steal    float64   // taken by the host of a virtual machine
}

// A Program is all processes of one name.
type Program struct {
	Command string
	PIDs    []int
	Pct     float64
}

// Total is the share of all others.
func (u Use) Total() float64 {
	sum := u.Unseen + u.Steal
	for _, p := range u.Programs {
		sum += p.Pct
	}
	return sum
}

// Between compares two readings. The process self, and those below it, are ours. An ended process counts for
// its parent, which waited for it: a compiler counts for make. ok is false when the kernel does not say how
// busy the CPUs were.
func Between(before, after Reading, self int) (u Use, ok bool) {
	window := after.CPU.All - before.CPU.All
	if window <= 0 || after.Cores == 0 || after.Cores != before.Cores {
		return u, false
	}
	percent := func(ticks int64) float64 { return 100 * float64(max(0, ticks)) / float64(window) }
	unseen := after.CPU.Busy - before.CPU.Busy
	byName := map[string]Program{}
	for pid, ticks := range grown(before, after) {
		unseen -= ticks
		if name := Printable(after.Processes[pid].Command); !after.below(pid, self) {
			p := byName[name]
			byName[name] = Program{name, append(p.PIDs, pid), p.Pct + percent(ticks)}
		}
	}
	for _, p := range byName {
		slices.Sort(p.PIDs)
		u.Programs = append(u.Programs, p)
	}
	slices.SortFunc(u.Programs, func(a, b Program) int { return cmp.Or(cmp.Compare(b.Pct, a.Pct), cmp.Compare(a.Command, b.Command)) })
	u.Unseen, u.Steal = percent(unseen), percent(after.CPU.Steal-before.CPU.Steal)
	return u, true
}

// grown returns the ticks of each living process between two readings, with those of ended children.
func grown(before, after Reading) map[int]int64 {
	ticks := map[int]int64{}
	same := func(pid int) bool {
		now, there := after.Processes[pid]
		return there && now.Started == before.Processes[pid].Started
	}
	for pid, p := range after.Processes {
		ticks[pid] = p.Used + p.Waited
		if same(pid) {
			ticks[pid] -= before.Processes[pid].Used + before.Processes[pid].Waited
		}
	}
	// An ended process used time before the first reading. That time now counts for its parent, or for the
	// parent's parent.
	for pid, was := range before.Processes {
		if same(pid) {
			continue
		}
		heir := was.Parent
		for generations := 0; !same(heir) && generations < len(before.Processes); generations++ {
			heir = before.Processes[heir].Parent
		}
		if same(heir) {
			ticks[heir] -= was.Used + was.Waited
		}
	}
	for pid := range ticks {
		ticks[pid] = max(0, ticks[pid]) // a parent that does not wait gets nothing of its children
	}
	return ticks
}

// below reports whether a process is another one, or was started by it or by one below it.
func (r Reading) below(pid, self int) bool {
	for generations := 0; pid != self && generations <= len(r.Processes); generations++ {
		p, there := r.Processes[pid]
		if !there {
			return false
		}
		pid = p.Parent
	}
	return pid == self
}

// Shares below these are not worth a word, in per cent of the machine. Clocks of programs and of the machine
// differ by some per cent, so an unseen share needs more.
const (
	leastSeen   = 1
	leastUnseen = 5
	mostNamed   = 3
)

// String names the programs: "hog (4711) used 45 % of the machine, make (99) 3 %". It is "" without any worth a
// word.
func (u Use) String() string {
	var parts []string
	for _, p := range u.Programs[:min(mostNamed, len(u.Programs))] {
		if p.Pct < leastSeen {
			break
		}
		who := fmt.Sprintf("%s (%d)", p.Command, p.PIDs[0])
		if len(p.PIDs) > 1 {
			who = fmt.Sprintf("%s (%d processes)", p.Command, len(p.PIDs))
		}
		parts = append(parts, fmt.Sprintf("%s used %.0f %% of the machine", who, p.Pct))
	}
	if u.Unseen >= leastUnseen {
		parts = append(parts, fmt.Sprintf("programs that /proc does not show used %.0f %% of the machine", u.Unseen))
	}
	if u.Steal >= leastSeen {
		parts = append(parts, fmt.Sprintf("the host of the virtual machine took %.0f %% of the machine (steal)", u.Steal))
	}
	for i := range parts[min(1, len(parts)):] {
		parts[i+1] = strings.Replace(parts[i+1], " of the machine", "", 1)
	}
	return strings.Join(parts, ", ")
}
