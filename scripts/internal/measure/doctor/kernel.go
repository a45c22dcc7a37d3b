package doctor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/measure/usage"
)

// swap checks whether memory may move to a disk or to zram.
func swap(m *machine) seen {
	text, err := m.read("/proc/swaps")
	if err != nil {
		return unknown("/proc/swaps", err)
	}
	var areas int
	var usedKB int64
	for line := range strings.Lines(text) {
		columns := strings.Fields(line) // Filename Type Size Used Priority
		if len(columns) < 4 || columns[0] == "Filename" {
			continue
		}
		used, err := strconv.ParseInt(columns[3], 10, 64)
		if err != nil {
			return unknown("/proc/swaps", err)
		}
		areas++
		usedKB += used
	}
	if areas == 0 {
		return seen{state: Fine, text: "off"}
	}
	return seen{Fix, fmt.Sprintf("on, %d MB used", usedKB/1024), "sudo swapoff -a"}
}

// hugePages checks whether the kernel makes huge pages for programs that did not ask.
func hugePages(m *machine) seen {
	const file = "/sys/kernel/mm/transparent_hugepage/enabled"
	text, err := m.read(file)
	_, after, _ := strings.Cut(text, "[")
	mode, _, chosen := strings.Cut(after, "]")
	switch {
	case chosen && mode == "always":
		return seen{Fix, mode, "echo madvise | sudo tee " + file}
	case chosen && (mode == "madvise" || mode == "never"):
		return seen{state: Fine, text: mode}
	case missing(err) && m.exists("/sys/kernel/mm"):
		return seen{state: Fine, text: "not in this kernel"}
	default:
		return unknown(file, err)
	}
}

// samePages checks whether ksmd compares pages.
func samePages(m *machine) seen {
	const file = "/sys/kernel/mm/ksm/run"
	switch text, err := m.read(file); {
	case text == "0" || text == "2": // 2 stops it and undoes its work
		return seen{state: Fine, text: "off"}
	case text == "1":
		return seen{Fix, "on", "echo 0 | sudo tee " + file}
	case missing(err) && m.exists("/sys/kernel/mm"):
		return seen{state: Fine, text: "not in this kernel"}
	default:
		return unknown(file, err)
	}
}

// watchdog checks whether the kernel interrupts every core to see whether it hangs.
func watchdog(m *machine) seen {
	const file = "/proc/sys/kernel/nmi_watchdog"
	switch text, err := m.read(file); text {
	case "0":
		return seen{state: Fine, text: "off"}
	case "1":
		return seen{Fix, "on", "sudo sysctl kernel.nmi_watchdog=0"}
	default:
		return unknown(file, err)
	}
}

// slack checks how late the kernel may wake this process and its children.
func slack(m *machine) seen {
	const file, usual = "/proc/self/timerslack_ns", 50_000
	ns, err := m.number(file)
	if err != nil {
		return unknown(file, err)
	}
	text := fmt.Sprintf("a timer may be %d us late by design", ns/1000)
	if ns <= usual {
		return seen{state: Fine, text: text}
	}
	return seen{Fix, fmt.Sprintf("%s, where %d is usual", text, usual/1000), fmt.Sprintf("echo %d | sudo tee /proc/$$/timerslack_ns", usual)}
}

// quickClocks can be read without a system call.
var quickClocks = []string{"tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "timebase", "tod", "riscv_clocksource"}

// clock checks the kernel's source of time.
func clock(m *machine) seen {
	const dir = "/sys/devices/system/clocksource/clocksource0"
	current, err := m.read(dir + "/current_clocksource")
	switch {
	case err != nil || current == "":
		return unknown(dir+"/current_clocksource", err)
	case slices.Contains(quickClocks, current):
		return seen{state: Fine, text: current}
	case slices.Contains(strings.Fields(m.text(dir+"/available_clocksource")), "tsc"):
		return seen{Fix, usage.Printable(current), "echo tsc | sudo tee " + dir + "/current_clocksource"}
	default:
		return seen{state: Given, text: usage.Printable(current) + ", and the kernel offers no tsc"}
	}
}
