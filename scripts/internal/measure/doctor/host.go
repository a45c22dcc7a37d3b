package doctor

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"fairstream/scripts/internal/measure/usage"
)

// virtual checks whether this is a virtual machine, and names its hypervisor.
func virtual(m *machine) seen {
	info, err := m.read("/proc/cpuinfo")
	hypervisor := false
	for line := range strings.Lines(info) {
		key, flags, _ := strings.Cut(line, ":")
		if strings.TrimSpace(key) == "flags" {
			for _, flag := range strings.Fields(flags) {
				hypervisor = hypervisor || flag == "hypervisor"
			}
			break
		}
	}
	kind := m.text("/sys/hypervisor/type")
	clocks := m.text("/sys/devices/system/clocksource/clocksource0/available_clocksource")
	product := m.text("/sys/class/dmi/id/sys_vendor") + " " + m.text("/sys/class/dmi/id/product_name")
	for _, sign := range []struct{ in, word, kind string }{
		{clocks, "kvm-clock", "KVM"}, {clocks, "hyperv", "Hyper-V"}, {clocks, "xen", "Xen"},
		{product, "QEMU", "QEMU"}, {product, "KVM", "KVM"}, {product, "VMware", "VMware"},
		{product, "VirtualBox", "VirtualBox"}, {product, "Virtual Machine", "Hyper-V"},
	} {
		if kind == "" && strings.Contains(sign.in, sign.word) {
			kind = sign.kind
		}
	}
	switch {
	case kind != "":
		return seen{state: Given, text: "a guest of " + usage.Printable(kind)}
	case hypervisor:
		return seen{state: Given, text: "a guest; the kernel does not name its host"}
	case strings.Contains(info, "flags"):
		return seen{state: Fine, text: "not a virtual machine"}
	case err != nil:
		return unknown("/proc/cpuinfo", err)
	default:
		return seen{state: Unknown, text: "/proc/cpuinfo does not say; on other than x86 it never does"}
	}
}

// stealShare is the share of time that other virtual machines may take without a finding.
const stealShare = 0.001

// steal checks how much time the host gave to other virtual machines while this one wanted it.
func steal(m *machine) seen {
	all := m.after.CPU.All
	if all <= 0 {
		return seen{state: Unknown, text: "/proc/stat does not tell"}
	}
	share := float64(m.after.CPU.Steal) / float64(all)
	text := fmt.Sprintf("%.2f %% of the time since the start", 100*share)
	if share < stealShare {
		return seen{state: Fine, text: text}
	}
	return seen{state: Given, text: text}
}

// quota checks whether a cgroup limits CPU time: that of this process, or one above it, of either version.
func quota(m *machine) seen {
	groups, err := m.read("/proc/self/cgroup")
	if err != nil {
		return unknown("/proc/self/cgroup", err)
	}
	mounted := false
	for line := range strings.Lines(groups) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // number:controllers:path
		if len(fields) < 3 {
			continue
		}
		var base string
		switch {
		case fields[0] == "0":
			base = "/sys/fs/cgroup"
		case strings.Contains(","+fields[1]+",", ",cpu,"):
			base = "/sys/fs/cgroup/cpu"
		default:
			continue
		}
		for dir := path.Join(base, path.Clean("/"+fields[2])); len(dir) >= len(base); dir = path.Dir(dir) {
			if s, found := m.quotaIn(dir); found {
				return s
			}
		}
		mounted = mounted || m.exists(base)
	}
	if !mounted {
		return seen{state: Unknown, text: "no cgroup of /proc/self/cgroup can be looked at"}
	}
	return seen{state: Fine, text: "no limit to CPU time"}
}

// quotaIn returns the limit of one cgroup, if it has one.
func (m *machine) quotaIn(dir string) (s seen, found bool) {
	file, none := dir+"/cpu.max", "max"
	limit, period, _ := strings.Cut(m.text(file), " ") // version 2: "max 100000"
	if limit == "" {
		file, none = dir+"/cpu.cfs_quota_us", "-1"
		limit, period = m.text(file), m.text(dir+"/cpu.cfs_period_us")
	}
	us, err := strconv.ParseFloat(limit, 64)
	of, err2 := strconv.ParseFloat(period, 64)
	if err != nil || err2 != nil || us <= 0 || of <= 0 {
		return s, false
	}
	text := fmt.Sprintf("%.3g CPUs (%s)", us/of, file)
	if n := strings.Fields(m.text(dir + "/cpu.stat")); len(n) > 0 {
		values := map[string]string{}
		for i := 0; i+1 < len(n); i += 2 {
			values[n[i]] = n[i+1]
		}
		if values["nr_throttled"] != "" {
			text += fmt.Sprintf(", used up in %.20s of %.20s periods", values["nr_throttled"], values["nr_periods"])
		}
	}
	fix := "echo " + none + " | sudo tee " + file
	if path.Base(dir) == "cgroup" || path.Base(dir) == "cpu" { // a container sees its own cgroup here
		fix = "docker update --cpu-quota -1 CONTAINER    # outside; --cpuset-cpus limits without stops"
	}
	return seen{Fix, text, fix}, true
}

// cpuset checks whether this process may use only some of the CPUs.
func cpuset(m *machine) seen {
	text, err := m.read(cpuDir + "/online")
	online, allowed := usage.ParseList(text), usage.Allowed(m.root)
	switch {
	case len(online) == 0:
		return unknown(cpuDir+"/online", err)
	case len(allowed) == 0:
		return unknown("/proc/self/status", nil)
	case len(allowed) < len(online):
		return seen{Fix, fmt.Sprintf("%d of %d CPUs may be used", len(allowed), len(online)),
			"taskset -cp " + text + " $$    # refused inside a cpuset: then start it outside"}
	default:
		return seen{state: Fine, text: fmt.Sprintf("all %s may be used", plural(len(online), "CPU"))}
	}
}
