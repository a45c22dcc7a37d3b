package doctor

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/measure/usage"
)

// othersShare is the share of the machine that other programs may use without a finding: 2 %, which is 4
// ticks of each core in 2 s.
const othersShare = 0.02

// others checks which programs used the CPU between the two readings.
func others(m *machine) seen {
	cores := m.after.Cores
	window := m.after.CPU.All - m.before.CPU.All
	if cores == 0 || cores != m.before.Cores || window <= 0 {
		return seen{state: Unknown, text: "/proc/stat does not tell how busy the CPUs are"}
	}
	// In per cent of one core, as people count it.
	percent := func(used int64) float64 { return 100 * float64(used) * float64(cores) / float64(window) }
	self, _ := m.own()
	rest := percent(m.after.CPU.Busy - m.before.CPU.Busy)
	type user struct {
		pid int
		usage.Process
		percent float64
	}
	var users []user
	for pid, p := range m.after.Processes {
		used := percent(p.Used - m.before.Processes[pid].Used)
		if pid == self {
			rest -= used
		} else if used >= 1 {
			users = append(users, user{pid, p, used})
		}
	}
	slices.SortFunc(users, func(a, b user) int { return cmp.Or(cmp.Compare(b.percent, a.percent), cmp.Compare(a.pid, b.pid)) })
	text := fmt.Sprintf("%.0f %% of a core", max(0, rest))
	if rest < 100*othersShare*float64(cores) {
		return seen{state: Fine, text: text}
	}
	var names []string
	for _, u := range users[:min(3, len(users))] {
		names = append(names, fmt.Sprintf("%s (%d) %.0f %%", usage.Printable(u.Command), u.pid, u.percent))
	}
	if len(names) == 0 {
		// The rest are ended processes, interrupts, and processes outside a container.
		names = []string{"by nobody who can be seen"}
	}
	return seen{Fix, text + ": " + strings.Join(names, ", "), "top    # end what need not run now"}
}

// load checks the load average. A program that ended just now has left heat, and may start again.
func load(m *machine) seen {
	text, err := m.read("/proc/loadavg")
	first, _, _ := strings.Cut(text, " ")
	average, err2 := strconv.ParseFloat(first, 64)
	if err = cmp.Or(err, err2); err != nil || m.after.Cores == 0 {
		return unknown("/proc/loadavg", err)
	}
	text = fmt.Sprintf("%.2f in the last minute, on %s", average, plural(m.after.Cores, "core"))
	if average < float64(m.after.Cores)/2 {
		return seen{state: Fine, text: text}
	}
	return seen{Fix, text, "sleep 60"}
}

// pressure checks how long threads waited for memory or a disk. It leaves out the CPU, since that pressure
// rises with every full load.
func pressure(m *machine) seen {
	var texts, fixes []string
	for _, what := range []struct{ name, means, fix string }{
		{"memory", "for memory", "ps -eo rss,pid,args --sort=-rss | head    # end what holds most"},
		{"io", "for a disk", "sync; sleep 60"},
	} {
		file := "/proc/pressure/" + what.name
		text, err := m.read(file)
		if err != nil {
			s := unknown(file, err)
			s.text += "; a kernel started with psi=1 may have it"
			return s
		}
		_, after, found := strings.Cut(text, "some avg10=")
		_, after, found2 := strings.Cut(after, "avg60=")
		value, _, _ := strings.Cut(after, " ")
		percent, err := strconv.ParseFloat(value, 64)
		if !found || !found2 || err != nil {
			return unknown(file, nil)
		}
		texts = append(texts, fmt.Sprintf("%.2f %% %s", percent, what.means))
		if percent >= 0.5 {
			fixes = append(fixes, what.fix)
		}
	}
	text := "threads waited " + strings.Join(texts, " and ") + ", of the last minute"
	if len(fixes) == 0 {
		return seen{state: Fine, text: text}
	}
	return seen{Fix, text, fixes[0]}
}

// burstTimers start heavy work at any time. The runner's install masks the same ones.
var burstTimers = []string{
	"apt-daily.timer", "apt-daily-upgrade.timer", "man-db.timer", "dpkg-db-backup.timer", "e2scrub_all.timer",
	"fstrim.timer", "plocate-updatedb.timer", "updatedb.timer", "sysstat-collect.timer", "sysstat-summary.timer",
	"fwupd-refresh.timer", "pacman-filesdb-refresh.timer", "archlinux-keyring-wkd-sync.timer",
}

// timers checks which timers systemd starts at boot. A masked timer is a link to /dev/null, which reads as
// empty.
func timers(m *machine) seen {
	if !m.exists("/run") {
		return seen{state: Unknown, text: "/run is not there"}
	}
	if !m.exists("/run/systemd/system") {
		return seen{state: Fine, text: "systemd does not run here"}
	}
	enabled := map[string]bool{}
	for _, dir := range []string{"/etc", "/usr/lib", "/lib"} {
		for _, file := range m.glob(dir + "/systemd/system/timers.target.wants/*.timer") {
			enabled[path.Base(file)] = true
		}
	}
	var on []string
	for _, name := range burstTimers {
		if !enabled[name] {
			continue
		}
		file := "/etc/systemd/system/" + name
		text, err := m.read(file)
		if err != nil && !missing(err) {
			return unknown(file, err)
		}
		if masked := err == nil && text == ""; !masked {
			on = append(on, name)
		}
	}
	if len(on) == 0 {
		return seen{state: Fine, text: "none that updates or indexes is enabled"}
	}
	return seen{Fix, strings.ReplaceAll(strings.Join(on, ", "), ".timer", ""),
		"sudo systemctl mask --now " + strings.Join(on, " ")}
}

// cron checks whether a cron daemon has jobs.
func cron(m *machine) seen {
	if len(m.after.Processes) == 0 {
		return seen{state: Unknown, text: "no process can be seen"}
	}
	daemon := ""
	for _, p := range m.after.Processes {
		switch p.Command {
		case "cron", "crond", "cronie", "fcron", "anacron":
			daemon = p.Command
		}
	}
	if daemon == "" {
		return seen{state: Fine, text: "no cron runs"}
	}
	var jobs []string
	for _, pattern := range []string{"/etc/cron.d/*", "/etc/cron.hourly/*", "/var/spool/cron/*", "/var/spool/cron/crontabs/*"} {
		for _, file := range m.glob(pattern) {
			if name := path.Base(file); !strings.HasPrefix(name, ".") && name != "crontabs" {
				jobs = append(jobs, usage.Printable(name))
			}
		}
	}
	if len(jobs) == 0 {
		return seen{state: Fine, text: daemon + " runs, with nothing to start within the hour"}
	}
	return seen{Fix, daemon + " has " + strings.Join(jobs, ", "), "sudo systemctl stop " + daemon}
}

// plural returns "1 core" or "2 cores".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
