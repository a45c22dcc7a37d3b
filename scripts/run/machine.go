package run

import (
	"fmt"
	"os"
	"strings"
	"time"

	"fairstream/scripts/raw"
)

// A moment is what /proc/stat and the load average said.
type moment struct {
	at                time.Time
	busy, steal, load float64 // core seconds since boot; load average of a minute
}

// ticksPerSecond is USER_HZ, the unit of /proc/stat; 100 on every Linux that Go runs on.
const ticksPerSecond = 100

// now reads the machine's counters; nil when they cannot be read.
func now() *moment {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return nil
	}
	m := moment{at: time.Now()}
	for _, core := range ours() { // a container may have some of the machine
		_, line, found := strings.Cut(string(stat), fmt.Sprintf("\ncpu%d ", core))
		// In proc_stat(5)'s order; guest time is within user time.
		var user, nice, system, idle, iowait, irq, softirq, steal float64
		if _, err := fmt.Sscan(line, &user, &nice, &system, &idle, &iowait, &irq, &softirq, &steal); err != nil || !found {
			return nil
		}
		m.busy += (user + nice + system + irq + softirq) / ticksPerSecond
		m.steal += steal / ticksPerSecond
	}
	loads, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return nil
	}
	if _, err := fmt.Sscan(string(loads), &m.load); err != nil {
		return nil
	}
	return &m
}

// since is what the machine did between two moments.
func (m *moment) since(before *moment) *raw.Machine {
	if m == nil || before == nil {
		return nil
	}
	return &raw.Machine{
		Seconds: m.at.Sub(before.at).Seconds(), BusySeconds: m.busy - before.busy,
		StealSeconds: m.steal - before.steal, LoadBefore: before.load,
	}
}
