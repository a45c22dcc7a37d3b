package doctor

import (
	"strconv"
	"strings"

	"fairstream/scripts/internal/measure/usage"
)

// A reading is the CPU use up to a moment.
type reading struct {
	usage.Reading
	throttled int64 // how often the processor slowed down for heat; -1: unknown
}

func (m *machine) reading() reading {
	return reading{usage.Read(m.root), m.throttleCount()}
}

// own returns the ids of this process and of its parent; 0 is unknown.
func (m *machine) own() (pid, parent int) {
	text := m.text("/proc/self/stat")
	if p, ok := usage.ParseProcess(text); ok {
		number, _, _ := strings.Cut(text, " ")
		pid, _ = strconv.Atoi(number) // the kernel writes a number; 0 is unknown
		parent = p.Parent
	}
	return pid, parent
}

// throttleCount is how often a core or a package slowed down for heat since boot; -1 is unknown. Cores that
// share their cooling count the same events, so it takes the highest count.
func (m *machine) throttleCount() int64 {
	most := int64(-1)
	for _, file := range m.glob("/sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/*_throttle_count") {
		if n, err := m.number(file); err == nil {
			most = max(most, n)
		}
	}
	return most
}
