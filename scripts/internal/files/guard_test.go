package files

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The tests run this binary as the program that is killed: VICTIM says what it does before.
func TestMain(m *testing.M) {
	if dir := os.Getenv("LOCK_DIRECTORY"); dir != "" {
		lockUntilEnd(dir)
		return
	}
	switch os.Getenv("VICTIM") {
	case "":
		os.Exit(m.Run())
	case "holds":
		hold := func(finishes bool, script string) {
			cmd := exec.Command("sh", "-c", script)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			fail(cmd.Start())
			fail(HoldGroup(cmd.Process.Pid, finishes))
		}
		dir, _, err := MkdirTemp("", "kept ")
		fail(err)
		done, remove, err := MkdirTemp("", "done")
		fail(err)
		fail(remove())
		fail(os.WriteFile(done, []byte("somebody else's"), 0o644)) // the name is used again
		_, _, err = MkdirTemp(filepath.Join(os.TempDir(), "nowhere"), "")
		if err == nil {
			panic("made a directory in one that does not exist")
		}
		if os.Getenv("GUARD") == "killed" {
			for _, pid := range children() {
				fail(syscall.Kill(pid, syscall.SIGKILL))
			}
			for len(children()) > 0 {
				time.Sleep(time.Millisecond)
			}
		}
		hold(false, "sleep 1000 & wait")
		hold(true, `sleep 1; touch "$TMPDIR/theirs/finished"`)
		// It leaves the group, and writes on for half a second.
		hold(false, `cd "`+dir+`"; setsid sh -c 'for i in 1 2 3 4 5; do mkdir -p a/$i; sleep 0.1; done' & sleep 1000`)
	case "holds a zombie":
		script = strings.ReplaceAll(script, "patience=100", "patience=20")
		zombie, err := strconv.Atoi(os.Getenv("ZOMBIE"))
		fail(err)
		fail(HoldGroup(zombie, false))
		cmd := exec.Command("sh", "-c", `sleep 3; touch "$TMPDIR/finished"`)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		fail(cmd.Start())
		fail(HoldGroup(cmd.Process.Pid, true))
	}
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin) // until the test kills it
}

func fail(err error) {
	if err != nil {
		panic(err)
	}
}

// children are our living children.
func children() (pids []int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", unix.Gettid()))
	fail(err)
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	fail(err)
	for _, task := range tasks {
		text, _ = os.ReadFile(task) // the thread may have ended
		for _, word := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(word)
			fail(err)
			pids = append(pids, pid)
		}
	}
	return pids
}

// Programs with what they started, and directories with what is written to them at that moment, go when we are
// killed. What we gave up stays.
func TestNothingOutlivesAKill(t *testing.T) {
	t.Parallel()
	for _, guard := range []string{"lives", "killed"} {
		t.Run("the guard "+guard, func(t *testing.T) {
			t.Parallel()
			temp := filepath.Join(t.TempDir(), "a  * name ")
			fail(os.MkdirAll(filepath.Join(temp, "theirs"), 0o755))
			// A program that a killed guard started would read on in its place.
			bin := t.TempDir()
			fail(os.WriteFile(filepath.Join(bin, "date"), []byte("#!/bin/sh\nsleep 3\n"), 0o755))
			victim := ready(t, "VICTIM=holds", "GUARD="+guard, "TMPDIR="+temp, "PATH="+bin+":"+os.Getenv("PATH"))
			if held, _ := filepath.Glob(filepath.Join(temp, "kept *")); len(held) != 1 {
				t.Errorf("it holds %q", held)
			}
			fail(victim.Process.Kill())
			victim.Wait() // killed
			eventually(t, func() string {
				left, err := os.ReadDir(temp)
				fail(err)
				if len(left) != 2 || left[0].Name()[:4] != "done" || left[1].Name() != "theirs" {
					return fmt.Sprint("left ", left)
				}
				if _, err := os.Stat(filepath.Join(temp, "theirs", "finished")); err != nil {
					return err.Error()
				}
				return alive(temp)
			})
		})
	}
}

// Nobody may wait for the end of a killed group, as in a container without an init. The guard gives it up in the end,
// and what finishes by itself has its own time.
func TestAZombieTakesNoTimeFromOthers(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	zombie := exec.Command("true")
	zombie.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	fail(zombie.Start())
	defer zombie.Wait() // its status tells nothing
	victim := ready(t, "VICTIM=holds a zombie", fmt.Sprint("ZOMBIE=", zombie.Process.Pid), "TMPDIR="+temp)
	fail(victim.Process.Kill())
	victim.Wait() // killed
	eventually(t, func() string { return alive(temp) })
	if _, err := os.Stat(filepath.Join(temp, "finished")); err != nil {
		t.Error(err)
	}
}

// ready starts a victim, and returns when it is ready to be killed.
func ready(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	victim := exec.Command("/proc/self/exe")
	victim.Env = append(os.Environ(), env...)
	stdin, err := victim.StdinPipe()
	fail(err)
	t.Cleanup(func() { stdin.Close() }) // it is killed before
	stdout, err := victim.StdoutPipe()
	fail(err)
	fail(victim.Start())
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
		t.Errorf("%q, %v", line, err)
	}
	return victim
}

// eventually waits until nothing is wrong.
func eventually(t *testing.T, wrong func() string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); wrong() != ""; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(wrong())
		}
	}
}

// alive names a process with this directory for temporary files.
func alive(temp string) string {
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	fail(err)
	for _, file := range environments {
		text, _ := os.ReadFile(file) // it may have ended
		if strings.Contains(string(text), "TMPDIR="+temp) {
			return file
		}
	}
	return ""
}

func TestADirectoryOfTemporaryFiles(t *testing.T) {
	dir, remove, err := MkdirTemp(t.TempDir(), "name-")
	fail(err)
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 || !strings.HasPrefix(info.Name(), "name-") {
		t.Errorf("%v, %v", info, err)
	}
	fail(os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	fail(remove())
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Error(err)
	}
	t.Setenv("TMPDIR", t.TempDir()+"/two\nlines")
	fail(os.Mkdir(os.TempDir(), 0o755))
	if _, _, err := MkdirTemp("", ""); err == nil || !strings.Contains(err.Error(), "has a line feed; set TMPDIR") {
		t.Error(err)
	}
}
