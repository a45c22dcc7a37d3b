package doctor

import (
	"maps"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	cpu0   = "/sys/devices/system/cpu/cpu0"
	clocks = "/sys/devices/system/clocksource/clocksource0/"
	// The quiet machine's, after 2 s.
	otherCPUs = "cpu1 9000 10 4000 980200 300 0 40 0 0 0\ncpu2 9000 10 4000 980200 300 0 40 0 0 0\ncpu3 9000 10 4000 980200 300 0 40 0 0 0\n"
	table     = "ipv4 2 tcp 6 119 TIME_WAIT src=127.0.0.1 dst=127.0.0.1 sport=42022 dport=37115 src=127.0.0.1 dst=127.0.0.1 sport=37115 dport=42022 [ASSURED] use=2\n"
)

// Each thing that is made wrong on the quiet machine is found, and nothing else;
// what its command does to the machine makes the finding vanish.
var wrong = []struct {
	name   string
	files  map[string]string
	state  State
	seen   string
	mended map[string]string // what else than writing a value the command does
}{
	{"others", map[string]string{
		"/later/proc/stat":      "cpu0 9100 10 4001 980100 300 0 40 0 0 0\n" + otherCPUs,
		"/proc/55/stat":         "55 (cc1 (a) b) R 1 1 1 0 -1 0 0 0 0 0 10 2 0 0 20 0 1 0 1",
		"/later/proc/55/stat":   "55 (cc1 (a) b) R 1 1 1 0 -1 0 0 0 0 0 80 12 0 0 20 0 1 0 1",
		"/later/proc/4242/stat": "4242 (bench) R 4200 1 1 0 -1 0 0 0 0 0 4 1 0 0 20 0 1 0 1",
	}, Fix, "50 % of a core: cc1 (a) b (55) 40 %", map[string]string{"/later/proc/stat": "cpu0 9001 10 4001 980199 300 0 40 0 0 0\n" + otherCPUs, "/later/proc/55/stat": gone}},
	{"load", map[string]string{"/proc/loadavg": "2.00 1.00 0.50 1/312 4243"}, Fix, "2.00 in the last minute, on 4 cores", map[string]string{"/proc/loadavg": "1.99 1.00 0.50 1/312 4243"}},
	{"virtual", map[string]string{"/sys/class/dmi/id/sys_vendor": "QEMU"}, Given, "a guest of QEMU", nil},
	{"virtual", map[string]string{"/sys/class/dmi/id/sys_vendor": "QEMU", clocks + "available_clocksource": "tsc kvm-clock"}, Given, "a guest of KVM", nil},
	{"virtual", map[string]string{"/proc/cpuinfo": "flags\t: fpu hypervisor\n"}, Given, "a guest; the kernel does not name its host", nil},
	{"virtual", map[string]string{"/sys/hypervisor/type": "xen"}, Given, "a guest of xen", nil},
	{"steal", map[string]string{"/later/proc/stat": "cpu0 9001 10 4001 980199 300 0 40 7960 0 0\n" + otherCPUs}, Given, "0.20 % of the time since the start", nil},
	{"quota", map[string]string{"/sys/fs/cgroup/user.slice/cpu.max": "150000 100000"}, Fix, "1.5 CPUs (/sys/fs/cgroup/user.slice/cpu.max)", nil},
	{"quota", map[string]string{
		"/proc/self/cgroup": "3:cpuacct,cpu:/job\n0::/\n", "/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us": "50000", "/sys/fs/cgroup/cpu/job/cpu.cfs_period_us": "100000",
		"/sys/fs/cgroup/cpu/job/cpu.stat": "nr_periods 9\nnr_throttled 4\nthrottled_time 1\n",
	}, Fix, "0.5 CPUs (/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us), used up in 4 of 9 periods", nil},
	{"cpuset", map[string]string{"/proc/self/status": "Cpus_allowed_list:\t0-1,3\nUid:\t1000\t1000\t1000\t1000\n"}, Fix, "3 of 4 CPUs may be used",
		map[string]string{"/proc/self/status": "Cpus_allowed_list:\t0-3\nUid:\t1000\t1000\t1000\t1000\n"}},
	{"power", map[string]string{"/sys/class/power_supply/AC/online": "0"}, Fix, "on battery", map[string]string{"/sys/class/power_supply/AC/online": "1"}},
	{"power", map[string]string{"/sys/class/power_supply/BAT0/status": "Discharging"}, Fix, "on battery", map[string]string{"/sys/class/power_supply/BAT0/status": "Charging"}},
	{"governor", map[string]string{cpu0 + "/cpufreq/scaling_governor": "schedutil"}, Fix, "1 x schedutil, 3 x performance, energy preference performance (intel_pstate)", nil},
	{"governor", map[string]string{cpu0 + "/cpufreq/energy_performance_preference": "power"}, Fix, "performance, energy preference 1 x power, 3 x performance (intel_pstate)", nil},
	{"turbo", map[string]string{"/sys/devices/system/cpu/intel_pstate/no_turbo": "0"}, Fix, "on", nil},
	{"turbo", map[string]string{"/sys/devices/system/cpu/intel_pstate/no_turbo": gone, "/sys/devices/system/cpu/cpufreq/boost": "1"}, Fix, "on", nil},
	{"throttling", map[string]string{"/later" + cpu0 + "/thermal_throttle/core_throttle_count": "7"}, Fix, "7 times just now", map[string]string{"/later" + cpu0 + "/thermal_throttle/core_throttle_count": "0"}},
	{"throttling", map[string]string{cpu0 + "/thermal_throttle/package_throttle_count": "7"}, Given, "7 times since the start, none just now", nil},
	{"siblings", map[string]string{"/sys/devices/system/cpu/smt/active": "1"}, Fix, "two threads share a core", map[string]string{"/sys/devices/system/cpu/smt/active": "0"}},
	{"idle", map[string]string{cpu0 + "/cpuidle/state4/disable": "0"}, Fix, "C6 takes 85 us to leave, by the kernel's figure", nil},
	{"swap", map[string]string{"/proc/swaps": "Filename Type Size Used Priority\n/dev/zram0 partition 8388604 2048 100\n"}, Fix, "on, 2 MB used", map[string]string{"/proc/swaps": "Filename Type Size Used Priority\n"}},
	{"pressure", map[string]string{"/proc/pressure/memory": "some avg10=0.00 avg60=0.50 avg300=0.00 total=1\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"}, Fix,
		"threads waited 0.50 % for memory and 0.02 % for a disk, of the last minute", map[string]string{"/proc/pressure/memory": "some avg10=0.00 avg60=0.49 avg300=0.00 total=1\n"}},
	{"pressure", map[string]string{"/proc/pressure/io": "some avg10=0.00 avg60=3.00 avg300=0.00 total=1\n"}, Fix,
		"threads waited 0.00 % for memory and 3.00 % for a disk, of the last minute", map[string]string{"/proc/pressure/io": "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n"}},
	{"huge-pages", map[string]string{"/sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never"}, Fix, "always", map[string]string{"/sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never"}},
	{"same-pages", map[string]string{"/sys/kernel/mm/ksm/run": "1"}, Fix, "on", nil},
	{"watchdog", map[string]string{"/proc/sys/kernel/nmi_watchdog": "1"}, Fix, "on", nil},
	{"timers", map[string]string{"/etc/systemd/system/man-db.timer": gone}, Fix, "man-db", map[string]string{"/etc/systemd/system/man-db.timer": ""}},
	{"cron", map[string]string{"/proc/60/stat": "60 (crond) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 1", "/var/spool/cron/alice": "* * * * * date"}, Fix, "crond has alice", map[string]string{"/proc/60/stat": gone}},
	{"clock", map[string]string{clocks + "current_clocksource": "hpet"}, Fix, "hpet", nil},
	{"clock", map[string]string{clocks + "current_clocksource": "hpet", clocks + "available_clocksource": "hpet acpi_pm"}, Given, "hpet, and the kernel offers no tsc", nil},
	{"slack", map[string]string{"/proc/self/timerslack_ns": "4000000"}, Fix, "a timer may be 4000 us late by design, where 50 is usual", map[string]string{"/proc/self/timerslack_ns": "50000"}},
	{"tracking", map[string]string{"/proc/sys/net/netfilter/nf_conntrack_count": "1", "/proc/net/nf_conntrack": table}, Fix, "1 connections followed, 1 of them within this machine",
		map[string]string{"/proc/net/nf_conntrack": strings.ReplaceAll(table, "127.0.0.1", "192.168.1.20")}},
	{"ports", map[string]string{"/proc/net/sockstat": "TCP: inuse 12 orphan 0 tw 14117 alloc 14 mem 2"}, Fix, "28232 ports, 14117 of them kept by closed connections", map[string]string{"/proc/net/sockstat": "TCP: inuse 12 orphan 0 tw 14116 alloc 14 mem 2"}},
	{"ports", map[string]string{"/proc/sys/net/ipv4/ip_local_port_range": "40000 41000"}, Fix, "1001 ports, 4 of them kept by closed connections", nil},
	{"files", map[string]string{"/proc/4200/limits": "Max open files            1024                 524288               files\n"}, Fix, "1024 a process",
		map[string]string{"/proc/4200/limits": "Max open files            65536                524288               files\n"}},
}

func TestEachFindingAppearsAndVanishes(t *testing.T) {
	quiet := states(open(t, "quiet").look(t))
	covered := map[string]bool{}
	for _, c := range wrong {
		covered[c.name] = true
		machine := open(t, "quiet")
		machine.set(c.files)
		findings := machine.look(t)
		found := byName(t, findings, c.name)
		if found.State != c.state || found.Seen != c.seen {
			t.Errorf("%s: %s %q, want %s %q", c.name, found.State, found.Seen, c.state, c.seen)
		}
		if (found.State == Fix) != (found.Fix != "") {
			t.Errorf("%s: %s, and what fixes it is %q", c.name, found.State, found.Fix)
		}
		now := states(findings)
		delete(now, c.name)
		want := maps.Clone(quiet)
		delete(want, c.name)
		if !maps.Equal(now, want) {
			t.Errorf("%s: found besides: %v", c.name, now)
		}
		if found.State != Fix {
			continue
		}
		if c.mended == nil {
			machine.obey(t, found.Fix)
		} else {
			machine.set(c.mended)
		}
		if again := byName(t, machine.look(t), c.name); again.State != Fine {
			t.Errorf("%s: after %s: %s %q", c.name, found.Fix, again.State, again.Seen)
		}
	}
	for _, c := range Checks {
		if !covered[c.Name] && c.Name != "placement" { // that says what is, and nothing can be wrong
			t.Errorf("%s is never seen to appear", c.Name)
		}
		if quiet[c.Name] != Fine {
			t.Errorf("%s is not fine on the quiet machine: %s", c.Name, quiet[c.Name])
		}
	}
}

// The commands that write a value into files, as a shell would execute them.
var (
	tee    = regexp.MustCompile(`^echo (\S+) \| sudo tee (/\S+)(    #.*)?$`)
	sysctl = regexp.MustCompile(`^sudo sysctl ([a-z0-9_.]+)="?([^"]+)"?$`)
)

// obey executes a command that fixes.
func (c copied) obey(t *testing.T, command string) {
	t.Helper()
	var pattern, value string
	if m := tee.FindStringSubmatch(command); m != nil {
		value, pattern = m[1], m[2]
	} else if m := sysctl.FindStringSubmatch(command); m != nil {
		pattern, value = "/proc/sys/"+strings.ReplaceAll(m[1], ".", "/"), m[2]
	} else {
		t.Fatalf("%s: no command that only writes a value", command)
	}
	n := 0
	for file := range c.files {
		if matched, err := path.Match(pattern, "/"+file); err != nil {
			t.Fatal(err)
		} else if matched {
			c.files[file] = &fstest.MapFile{Data: []byte(value)}
			n++
		}
	}
	if n == 0 {
		t.Errorf("%s: there is no such file", command)
	}
}
