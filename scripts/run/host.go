package run

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"fairstream/scripts/process"
	"fairstream/scripts/raw"
)

// host describes the machine. What cannot be read stays nil.
func host() raw.Host {
	h := raw.Host{Cores: runtime.NumCPU()}
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

// commit is the checkout's commit and whether it differs from it; nil where
// there is no git or no repository.
func commit(ctx context.Context, root string) (hash *string, dirty *bool) {
	head := git(ctx, root, "rev-parse", "HEAD")
	status := git(ctx, root, "status", "--porcelain")
	if head == nil || status == nil {
		return nil, nil
	}
	changed := *status != ""
	return head, &changed
}

// tree is git's hash of a directory's content at HEAD; nil when the directory
// differs from it, since the hash would then name something else.
func tree(ctx context.Context, dir string) *string {
	if status := git(ctx, dir, "status", "--porcelain", "--", "."); status == nil || *status != "" {
		return nil
	}
	return git(ctx, filepath.Dir(dir), "rev-parse", "HEAD:./"+filepath.Base(dir))
}

func git(ctx context.Context, dir string, args ...string) *string {
	out, err := process.Output(ctx, process.Command{Args: append([]string{"git"}, args...), Dir: dir})
	if err != nil {
		return nil
	}
	out = strings.TrimSpace(out)
	return &out
}
