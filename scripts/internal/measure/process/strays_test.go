package process

import (
	"slices"
	"syscall"
	"testing"
)

// What left the group of a marked program is known, and ends with it; what is like it
// but for the mark does not.
func TestDaemonsEndWithTheProgram(t *testing.T) {
	t.Parallel()
	const script = `setsid sleep 1000 & echo $!; exec setsid sh -c 'sleep 1000 & echo $!; wait'`
	_, theirs := start(t, Command{Args: []string{"sh", "-c", script}, Env: []string{"PORT=1", "STUB_URL=a"}})
	p, log := start(t, Command{Args: []string{"sh", "-c", `env -u STUB_URL sleep 1000 & ` + script}, Env: []string{"PORT=1", "STUB_URL=strays"}, Marked: true})
	strangers, ours := pids(t, theirs, 2), pids(t, log, 2)
	defer func() {
		for _, pid := range strangers {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}()
	eventually(t, "the strays are outside of the group", func() bool {
		strays := p.Strays()
		return !slices.ContainsFunc(ours, func(pid int) bool { return !slices.Contains(strays, pid) })
	})
	p.Stop()
	for _, pid := range ours {
		gone(t, pid)
	}
	for _, pid := range strangers {
		if s := state(pid); s == "" || s == "Z" {
			t.Errorf("%d was ended, too", pid)
		}
	}
}
