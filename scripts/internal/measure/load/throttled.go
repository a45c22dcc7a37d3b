package load

import (
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// throttled sums over all cores how long CPU quotas have stopped this process and the others of its cgroup.
// It reads its cgroup and all above it, of either version. A quota slows a machine without a trace in its CPU
// time. nil is unknown.
func throttled() *time.Duration {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil
	}
	var sum *time.Duration
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // number:controllers:path
		base := "/sys/fs/cgroup"
		switch {
		case len(fields) < 3:
			continue
		case fields[0] == "0":
		case strings.Contains(","+fields[1]+",", ",cpu,"):
			base += "/cpu"
		default:
			continue
		}
		for dir := path.Join(base, path.Clean("/"+fields[2])); len(dir) >= len(base); dir = path.Dir(dir) {
			text, err := os.ReadFile(dir + "/cpu.stat")
			if err != nil {
				continue // a container sees only its own cgroups
			}
			if t, ok := throttledIn(string(text)); ok {
				if sum == nil {
					sum = new(time.Duration)
				}
				*sum += t
			}
		}
	}
	return sum
}

// throttledIn reads cpu.stat, which has microseconds in version 2 and nanoseconds in version 1. ok is false
// without a quota in it.
func throttledIn(text string) (t time.Duration, ok bool) {
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		unit := map[string]time.Duration{"throttled_usec": time.Microsecond, "throttled_time": time.Nanosecond}[key]
		if n, err := strconv.ParseInt(value, 10, 64); err == nil && unit > 0 {
			return time.Duration(n) * unit, true
		}
	}
	return 0, false
}

// throttledSince is the difference to an earlier reading, in seconds; nil is unknown.
func throttledSince(before *time.Duration) *float64 {
	now := throttled()
	if now == nil || before == nil {
		return nil
	}
	s := (*now - *before).Seconds()
	return &s
}
