package load

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/judge/raw"
)

// host describes the machine, and the one that loads it, if it is another. Unreadable facts are nil.
func host(load *raw.LoadHost) raw.Host {
	h := raw.Host{Cores: runtime.NumCPU(), Load: load}
	h.CPU = field("/proc/cpuinfo", "model name", ":")
	h.OS = field("/etc/os-release", "PRETTY_NAME", "=")
	if kb := field("/proc/meminfo", "MemTotal", ":"); kb != nil {
		if n, err := strconv.ParseInt(strings.TrimSuffix(*kb, " kB"), 10, 64); err == nil {
			n *= 1024
			h.MemoryBytes = &n
		}
	}
	var uts unix.Utsname
	if unix.Uname(&uts) == nil {
		kernel := unix.ByteSliceToString(uts.Release[:])
		h.Kernel = &kernel
	}
	return h
}

// field is the first value of a key in a file of "key SEPARATOR value" lines.
func field(path, key, separator string) *string {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		k, v, ok := strings.Cut(line, separator)
		if ok && strings.TrimSpace(k) == key {
			v = strings.Trim(strings.TrimSpace(v), `"`)
			return &v
		}
	}
	return nil
}

// loadAverage is the load average of the last minute; nil is unknown.
func loadAverage() *float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return nil
	}
	var load float64
	if _, err := fmt.Sscan(string(text), &load); err != nil {
		return nil
	}
	return &load
}
