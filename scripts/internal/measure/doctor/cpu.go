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

const cpuDir = "/sys/devices/system/cpu"

// governor checks what sets the clock's frequency. The governor performance also sets the energy preference
// performance, where there is one.
func governor(m *machine) seen {
	files := m.glob(cpuDir + "/cpu[0-9]*/cpufreq/scaling_governor")
	if len(files) == 0 {
		return seen{state: Unknown, text: "this kernel shows no cpufreq"}
	}
	var governors, preferences, drivers []string
	for _, file := range files {
		dir := path.Dir(file)
		text, err := m.read(file)
		if err != nil || text == "" {
			return unknown(file, err)
		}
		governors = append(governors, usage.Printable(text))
		drivers = append(drivers, cmp.Or(usage.Printable(m.text(dir+"/scaling_driver")), "?"))
		if p := m.text(dir + "/energy_performance_preference"); p != "" {
			preferences = append(preferences, usage.Printable(p))
		}
	}
	text := counts(governors)
	if len(preferences) > 0 {
		text += ", energy preference " + counts(preferences)
	}
	text += " (" + counts(drivers) + ")"
	other := func(s string) bool { return s != "performance" }
	if !slices.ContainsFunc(governors, other) && !slices.ContainsFunc(preferences, other) {
		return seen{state: Fine, text: text}
	}
	fix := "echo performance | sudo tee " + cpuDir + "/cpu*/cpufreq/scaling_governor"
	if !slices.ContainsFunc(governors, other) {
		fix = "echo performance | sudo tee " + cpuDir + "/cpu*/cpufreq/energy_performance_preference"
	}
	return seen{Fix, text, fix}
}

// turbo checks whether the clock may rise above what the cooling can sustain.
func turbo(m *machine) seen {
	for _, knob := range []struct{ file, on, off string }{
		{cpuDir + "/intel_pstate/no_turbo", "0", "1"},
		{cpuDir + "/cpufreq/boost", "1", "0"},
	} {
		switch text, err := m.read(knob.file); {
		case err != nil:
			continue
		case text == knob.off:
			return seen{state: Fine, text: "off"}
		case text == knob.on:
			return seen{Fix, "on", "echo " + knob.off + " | sudo tee " + knob.file}
		default:
			return unknown(knob.file, nil)
		}
	}
	return seen{state: Unknown, text: "this kernel shows no switch for it"}
}

// siblings checks whether two CPUs are threads of one core.
func siblings(m *machine) seen {
	file := cpuDir + "/smt/active"
	switch text, err := m.read(file); text {
	case "0":
		return seen{state: Fine, text: "no two CPUs share a core, as far as this kernel knows"}
	case "1":
		return seen{Fix, "two threads share a core", "echo off | sudo tee " + cpuDir + "/smt/control"}
	default:
		return unknown(file, err)
	}
}

// placement says which CPUs are for k6 and the stub, and which for servers.
func placement(m *machine) seen {
	rig, servers, _ := usage.Halves(m.root)
	switch all := len(rig) + len(servers); {
	case all == 0:
		return seen{state: Unknown, text: "/proc/self/status does not list the CPUs"}
	case all < usage.SplitFrom:
		return seen{state: Fine, text: fmt.Sprintf("shared: %s, fewer than the %d from which k6 and servers have their own", plural(all, "CPU"), usage.SplitFrom)}
	}
	return seen{state: Fine, text: fmt.Sprintf("k6 and the stub have CPUs %s, servers %s", numbers(rig), numbers(servers))}
}

func numbers(cpus []int) string {
	var text []string
	for _, cpu := range cpus {
		text = append(text, strconv.Itoa(cpu))
	}
	return strings.Join(text, ",")
}

// wakeMicros is the wake-up time of an idle state that is fine. The kernel may delay each timer by as much
// anyway.
const wakeMicros = 50

// idle checks the deepest sleep of an idle core.
func idle(m *machine) seen {
	files := m.glob(cpuDir + "/cpu[0-9]*/cpuidle/state[0-9]/latency")
	if len(files) == 0 {
		if driver := m.text(cpuDir + "/cpuidle/current_driver"); driver == "none" {
			return seen{state: Unknown, text: "this kernel leaves it to the host"}
		}
		return seen{state: Unknown, text: "this kernel shows no cpuidle"}
	}
	var deepest int64 = -1
	name, deep := "", ""
	for _, file := range files {
		dir := path.Dir(file)
		latency, err := m.number(file)
		if err != nil || m.text(dir+"/disable") == "1" {
			continue
		}
		if latency > deepest {
			deepest, name = latency, m.text(dir+"/name")
		}
		if number := dir[len(dir)-1:]; latency > wakeMicros && !strings.Contains(deep, number) {
			deep += number
		}
	}
	if deepest < 0 {
		return unknown(files[0], nil)
	}
	text := fmt.Sprintf("%s takes %d us to leave, by the kernel's figure", usage.Printable(name), deepest)
	if deep == "" {
		return seen{state: Fine, text: text}
	}
	return seen{Fix, text, "echo 1 | sudo tee " + cpuDir + "/cpu*/cpuidle/state[" + deep + "]/disable    # warmer: with turbo off"}
}

// throttling checks whether the processor slowed down for heat.
func throttling(m *machine) seen {
	before, after := m.before.throttled, m.after.throttled
	switch {
	case after < 0:
		return seen{state: Unknown, text: "this kernel counts none"}
	case after == 0:
		return seen{state: Fine, text: "never since the start"}
	case before >= 0 && after > before:
		return seen{Fix, fmt.Sprintf("%d times just now", after-before), "sleep 300    # and see to fan and dust; turbo off makes less heat"}
	default:
		return seen{state: Given, text: fmt.Sprintf("%d times since the start, none just now", after)}
	}
}

// power checks whether a battery feeds the machine.
func power(m *machine) seen {
	var mains, online, discharging bool
	for _, file := range m.glob("/sys/class/power_supply/*/type") {
		dir := path.Dir(file)
		switch text, err := m.read(file); text {
		case "":
			return unknown(file, err)
		case "Mains", "USB":
			mains = true
			online = online || m.text(dir+"/online") == "1"
		case "Battery":
			// A mouse has a battery too; its scope is Device.
			discharging = discharging || m.text(dir+"/status") == "Discharging" && m.text(dir+"/scope") != "Device"
		}
	}
	switch {
	case discharging, mains && !online:
		return seen{Fix, "on battery", "# plug the charger in"}
	case mains:
		return seen{state: Fine, text: "on mains"}
	case !m.exists("/sys/class"):
		return seen{state: Unknown, text: "/sys/class is not there"}
	default:
		return seen{state: Fine, text: "no battery"}
	}
}
