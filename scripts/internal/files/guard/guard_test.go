package guard

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
	switch os.Getenv("VICTIM") {
	case "":
		os.Exit(m.Run())
	case "holds":
		hold := func(finishes bool, script string) {
			cmd := exec.Command("sh", "-c", script)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			fail(cmd.Start())
			fail(Hold(cmd.Process.Pid, finishes))
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
			victim := exec.Command("/proc/self/exe")
			victim.Env = append(os.Environ(), "VICTIM=holds", "GUARD="+guard, "TMPDIR="+temp)
			stdin, err := victim.StdinPipe()
			fail(err)
			defer stdin.Close()
			stdout, err := victim.StdoutPipe()
			fail(err)
			fail(victim.Start())
			line, err := bufio.NewReader(stdout).ReadString('\n')
			if held, _ := filepath.Glob(filepath.Join(temp, "kept *")); line != "ready\n" || len(held) != 1 {
				t.Errorf("%q, %v; it holds %q", line, err, held)
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
