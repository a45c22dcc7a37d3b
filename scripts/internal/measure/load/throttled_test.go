package load

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The tests run this binary as a program that is held to a quota, where CGROUP names
// one, and as a stub that is merely alive, where HEALTHZ_ONLY is set.
func TestMain(m *testing.M) {
	if os.Getenv("HEALTHZ_ONLY") != "" {
		serveHealthz()
	}
	if dir := os.Getenv("CGROUP"); dir != "" {
		before := throttled()
		if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
			if now := throttled(); before != nil && now != nil && *now > *before {
				fmt.Println("throttled")
				os.Exit(0)
			}
		}
		os.Exit(1)
	}
	flag.Set("test.parallel", "8") // it is there; nearly all tests wait
	os.Exit(m.Run())
}

// quota makes a cgroup below ours whose processes have a part of a core, in per cent.
func quota(t *testing.T, pct int) string {
	t.Helper()
	base, name, value := "/sys/fs/cgroup", "cpu.max", fmt.Sprintf("%d 100000", pct*1000)
	if _, err := os.Stat(base + "/cpu/cpu.cfs_quota_us"); err == nil {
		base, name, value = base+"/cpu", "cpu.cfs_quota_us", strconv.Itoa(pct*1000)
	}
	dir, err := os.MkdirTemp(base, "fairstream-test-")
	if err == nil {
		t.Cleanup(func() {
			if err := os.Remove(dir); err != nil { // it has no processes any more
				t.Error(err)
			}
		})
		err = os.WriteFile(filepath.Join(dir, name), []byte(value), 0o644)
	}
	if err != nil {
		t.Skip("it takes the right to make a cgroup: ", err)
	}
	return dir
}

// The kernel counts the stopped time of a process that uses up its quota.
func TestAQuotaThatIsUsedUpIsSeen(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "CGROUP="+quota(t, 5))
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "throttled" {
		t.Errorf("%v: %s", err, out)
	}
}

func TestTimeStoppedByAQuota(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"usage_usec 5\nnr_periods 3\nnr_throttled 2\nthrottled_usec 1500\n": 1500 * time.Microsecond,
		"nr_periods 3\nnr_throttled 2\nthrottled_time 1500\n":               1500,
		"throttled_usec 0":                           0,
		"usage_usec 5\nuser_usec 4\nsystem_usec 1\n": -1, // of the root, which has no quota
		"throttled_usec x":                           -1,
		"":                                           -1,
	} {
		got, ok := throttledIn(text)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %v, %t; want %v", text, got, ok, want)
		}
	}
}
