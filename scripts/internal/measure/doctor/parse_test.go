package doctor

import (
	"strings"
	"testing"
)

// A process names itself; a terminal must not obey that.
func TestANameIsOnlyShown(t *testing.T) {
	machine := open(t, "battery")
	machine.set(map[string]string{
		"/proc/2500/stat":       "2500 (\x1b[2J\n) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 1",
		"/later/proc/2500/stat": "2500 (\x1b[2J\n) S 1 1 1 0 -1 0 0 0 0 0 90 0 0 0 20 0 1 0 1",
	})
	if seen := byName(t, machine.look(t), "others").Seen; !strings.Contains(seen, `: \x1b[2J\n (2500) 45 %`) {
		t.Errorf("%q", seen)
	}
}
