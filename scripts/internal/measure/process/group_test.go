package process

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestStopEndsTheGroupAndMayBeRepeated(t *testing.T) {
	t.Parallel()
	p, log := start(t, sh(`sleep 1000 & echo $!
		(trap '' TERM; echo; exec sleep 1000) & echo $!
		wait`))
	members := pids(t, log, 3)
	if len(members) != 2 {
		t.Fatalf("process ids %v, want 2", members)
	}
	p.Stop()
	select {
	case <-p.Done():
	default:
		t.Error("Stop returned before the program had ended")
	}
	for _, pid := range members {
		gone(t, pid)
	}
	if got, want := p.Err().Error(), "ended by signal 15 (terminated); its last lines:\n    "; got[:min(len(want), len(got))] != want {
		t.Errorf("got %s, want %s…", got, want)
	}
	p.Stop()
}

func TestStopWaitsForAProgramThatEndsInItsOwnWay(t *testing.T) {
	t.Parallel()
	p, log := start(t, sh(`trap 'echo tidied up; exit 0' TERM; echo ready; while :; do sleep 0.01; done`))
	pids(t, log, 1)
	p.Stop()
	if err := p.Err(); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(log); !strings.HasSuffix(string(data), "tidied up\n") { // a missing file is fine
		t.Errorf("printed %q", data)
	}
}

func TestStopKillsAProgramThatIgnoresTheRequestToEnd(t *testing.T) {
	t.Parallel()
	p, log := start(t, sh(`trap '' TERM; echo ready; exec sleep 1000`))
	pids(t, log, 1)
	begin := time.Now()
	p.Stop()
	if took := time.Since(begin); took < grace {
		t.Errorf("had %v to end, want %v", took, grace)
	}
	if got, want := p.Err().Error(), "ended by signal 9 (killed); its last lines:\n    ready"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Each of two programs ends when the other has been asked to: one after the other
// they would have to be killed.
func TestProgramsAreStoppedSideBySide(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var all []*Process
	for _, names := range [][2]string{{"a", "b"}, {"b", "a"}} {
		p, log := start(t, sh(`cd "`+dir+`"; trap 'touch `+names[0]+`; until test -e `+names[1]+`; do sleep 0.01; done; exit 0' TERM
			echo ready; while :; do sleep 0.01; done`))
		pids(t, log, 1)
		all = append(all, p)
	}
	StopAll(all)
	for _, p := range all {
		if err := p.Err(); err != nil {
			t.Error(err)
		}
	}
}

func TestStopEndsChildrenOfAnEndedProgram(t *testing.T) {
	t.Parallel()
	p, log := start(t, sh("sleep 1000 & echo $!"))
	left := pids(t, log, 1)
	<-p.Done()
	if s := state(left[0]); s == "" || s == "Z" {
		t.Fatalf("process %d is in state %q; want it alive until Stop", left[0], s)
	}
	p.Stop()
	gone(t, left[0])
}

func TestNoProgramOutlivesUs(t *testing.T) {
	t.Parallel()
	c := role(t, "parent")
	log := filepath.Join(t.TempDir(), "log")
	f, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	parent := exec.Command(c.Args[0])
	parent.Env, parent.Stdout = append(os.Environ(), c.Env...), f
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { parent.Process.Kill(); parent.Wait() })
	child := pids(t, log, 1)[0]
	if s := state(child); s == "" || s == "Z" {
		t.Fatalf("the program is in state %q before its parent has ended", s)
	}
	parent.Process.Kill()
	parent.Wait()
	gone(t, child)
}

// The kernel ends a program whose parent is killed, and not what that one has started.
func TestNothingThatAProgramStartedOutlivesUs(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	c := role(t, "grandparent", "LOG="+log)
	grandparent := exec.Command(c.Args[0])
	grandparent.Env = append(os.Environ(), c.Env...)
	says, err := grandparent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := grandparent.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { grandparent.Process.Kill(); grandparent.Wait() })
	if line, err := bufio.NewReader(says).ReadString('\n'); line != "guarded\n" {
		t.Fatalf("%q, %v", line, err)
	}
	child := pids(t, log, 1)[0]
	guards := find(func(ppid, _ int) bool { return ppid == grandparent.Process.Pid })
	if s := state(child); s == "" || s == "Z" || len(guards) != 2 {
		t.Fatalf("the program's child is in state %q before we have ended; beside the guard there are %v", s, guards)
	}
	grandparent.Process.Kill()
	grandparent.Wait()
	gone(t, child)
	for _, pid := range guards {
		gone(t, pid)
	}
}

func TestAGroupIsItsLivingProcesses(t *testing.T) {
	t.Parallel()
	// The kernel's table holds names as they are, so a name may look like fields of it.
	odd := filepath.Join(t.TempDir(), "a) Z 1 1 (b c")
	c := role(t, "zombie")
	if err := os.Symlink(c.Args[0], odd); err != nil {
		t.Fatal(err)
	}
	p, log := start(t, Command{Env: c.Env, Args: []string{"sh", "-c", `sleep 1000 & echo $!; "$0" & echo $!; wait`, odd}})
	// Printed are the ids of the sleep, the oddly named program and the zombie that it keeps.
	printed := pids(t, log, 3)
	var zombie int
	eventually(t, "a zombie", func() bool {
		for _, pid := range printed {
			if state(pid) == "Z" {
				zombie = pid
			}
		}
		return zombie != 0
	})
	got := Group(p.Pid)
	slices.Sort(got)
	want := slices.DeleteFunc(append(printed, p.Pid), func(pid int) bool { return pid == zombie })
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v; %d has ended", got, want, zombie)
	}
	p.Stop()
	eventually(t, "an empty group", func() bool { return len(Group(p.Pid)) == 0 })
}
