package doctor

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const runner = "../../../../.github/runner"

func source(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(runner, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The timers that doctor names are those that the runner's install masks.
func TestTimersAreThoseOfInstall(t *testing.T) {
	masked := regexp.MustCompile(`(?s)\nmasked='(.*?)'`).FindStringSubmatch(source(t, "install"))
	if masked == nil {
		t.Fatal("install: no list masked='…'")
	}
	var theirs []string
	for _, unit := range strings.Fields(masked[1]) {
		if strings.HasSuffix(unit, ".timer") {
			theirs = append(theirs, unit)
		}
	}
	slices.Sort(theirs)
	if ours := slices.Sorted(slices.Values(burstTimers)); !slices.Equal(ours, theirs) {
		t.Errorf("doctor has\n%q, install\n%q", ours, theirs)
	}
}

// What install writes is what doctor asks for: it fixes what it is about.
func TestSettingsOfInstallAreFine(t *testing.T) {
	machine := open(t, "battery")
	// Not of that processor, and left alone where it is missing.
	machine.set(map[string]string{"/sys/devices/system/cpu/cpufreq/boost": "1"})
	about := []string{"governor", "turbo", "watchdog"}
	for _, name := range about {
		if f := byName(t, machine.look(t), name); f.State != Fix {
			t.Fatalf("%s: %s before", name, f.State)
		}
	}
	for line := range strings.Lines(source(t, "gate/values")) {
		if file, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && strings.HasPrefix(file, "/") {
			machine.obey(t, "echo "+value+" | sudo tee "+file)
		}
	}
	for line := range strings.Lines(source(t, "etc/sysctl.d/60-fairstream.conf")) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), " = "); ok && key == "kernel.nmi_watchdog" {
			machine.obey(t, "sudo sysctl "+key+"="+value)
		}
	}
	// A kernel with this governor makes the preference performance too.
	for file := range machine.files {
		if strings.HasSuffix(file, "/energy_performance_preference") {
			machine.set(map[string]string{"/" + file: "performance"})
		}
	}
	for _, name := range about {
		if f := byName(t, machine.look(t), name); f.State != Fine {
			t.Errorf("%s: after install %s: %s", name, f.State, f.Seen)
		}
	}
}
