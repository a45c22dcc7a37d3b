package run

import (
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// throttled is for how long CPU quotas have stopped this process and its neighbours of
// the same cgroup, on all cores together: those of its cgroup and of all above it, of
// either version. A quota makes a machine slower without being seen in what it did.
// nil is unknown.
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
				continue // a container sees its own cgroups alone
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

// throttledIn reads cpu.stat, which has microseconds in version 2 and nanoseconds in
// version 1; ok is false where it says nothing of a quota.
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

// throttledSince is in seconds, after another reading; nil is unknown.
func throttledSince(before *time.Duration) *float64 {
	now := throttled()
	if now == nil || before == nil {
		return nil
	}
	s := (*now - *before).Seconds()
	return &s
}
