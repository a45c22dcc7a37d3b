package process

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"fairstream/scripts/internal/testfile"
)

func TestOutputIsStdout(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789abcde\n", 1<<16)
	for _, c := range []struct {
		name, want string
		Command
	}{
		{"nothing", "", sh("true")},
		{"not stderr", "a\nb\n", sh("echo a; echo no >&2; echo b")},
		{"with our environment", os.Getenv("PATH") + "\n", sh(`echo "$PATH"`)},
		{"with an environment of its own", "1 2\n", Command{Args: []string{"sh", "-c", `echo "$X" "$HOME"`}, Env: []string{"X=1", "HOME=2"}}},
		{"in its directory", "/\n", Command{Args: []string{"pwd"}, Dir: "/"}},
		{"a mebibyte", long, sh("yes 0123456789abcde | head -n 65536")},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Output(t.Context(), c.Command)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("got %d bytes, %.80q; want %d, %.80q", len(got), got, len(c.want), c.want)
			}
		})
	}
}

func TestOutputOfAFailureIsAnErrorThatSaysHowItEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ script, want string }{
		{"exit 3", "sh: exited with status 3; it printed nothing"},
		{"echo; exit 1", "sh: exited with status 1; it printed nothing"},
		{"echo a; exit 1", "sh: exited with status 1; its last lines:\n    a"},
		{"echo a >&2; exit 1", "sh: exited with status 1; its last lines:\n    a"},
		{"printf 'a\n\n  b\n\n'; exit 255", "sh: exited with status 255; its last lines:\n    a\n    \n      b"},
		{"kill -9 $$", "sh: ended by signal 9 (killed); it printed nothing"},
		{"echo a; kill -SEGV $$", "sh: ended by signal 11 (segmentation fault); its last lines:\n    a"},
		{"seq 14; exit 1", "sh: exited with status 1; its first and last lines:\n    1\n    2\n    ...\n    6\n    7\n    8\n    9\n    10\n    11\n    12\n    13\n    14"},
		{"echo 'a.go:1: error'; seq 9999; exit 1", "sh: exited with status 1; its first and last lines:\n    a.go:1: error\n    1\n    ...\n    9991\n    9992\n    9993\n    9994\n    9995\n    9996\n    9997\n    9998\n    9999"},
		{"for i in 1 2 3; do echo a long line $i; sleep 0.02; done; exit 1", "sh: exited with status 1; its last lines:\n    a long line 1\n    a long line 2\n    a long line 3"},
	} {
		t.Run(c.script, func(t *testing.T) {
			out, err := Output(t.Context(), sh(c.script))
			if err == nil || err.Error() != c.want || out != "" {
				t.Errorf("got  %q, %v\nwant %s", out, err, c.want)
			}
		})
	}
}

func TestABareProgramHasAnEnvironmentOfItsOwn(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("K6_VUS", "1000")
	t.Setenv("HOME", "/home")
	t.Setenv("LANG", "") // which restores it afterwards
	if err := os.Unsetenv("LANG"); err != nil {
		t.Fatal(err)
	}
	if all, err := Output(t.Context(), Command{Args: []string{"env"}}); err != nil || !strings.Contains(all, "K6_VUS=1000\n") {
		t.Errorf("a program that is not bare has not got ours, but %s, %v", all, err)
	}
	bare, err := Output(t.Context(), Command{Args: []string{"env"}, Env: []string{"PORT=80", "USER=somebody"}, Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	known := append([]string{"PORT", "PWD"}, needed...)
	for line := range strings.Lines(bare) {
		if name, _, _ := strings.Cut(line, "="); !slices.Contains(known, name) {
			t.Errorf("has %s", line)
		}
	}
	for _, want := range []string{"PORT=80\n", "USER=somebody\n", "HOME=/home\n", "PATH=" + os.Getenv("PATH") + "\n"} {
		if !strings.Contains(bare, want) {
			t.Errorf("has no %s", want)
		}
	}
	if strings.Contains(bare, "LANG=") {
		t.Error("has a LANG, and we have none")
	}
}

func TestTheLastLinesOfALongOutputAreKept(t *testing.T) {
	t.Parallel()
	_, err := Output(t.Context(), sh("seq 100000; exit 1"))
	if err == nil || !strings.HasSuffix(err.Error(), ":\n    1\n    2\n    ...\n    99992\n    99993\n    99994\n    99995\n    99996\n    99997\n    99998\n    99999\n    100000") {
		t.Errorf("got %v; want the first 2 and the last 9 of 100000 lines", err)
	}
}

func TestAProgramMayPrintOnStdoutAndStderrAtOnce(t *testing.T) {
	t.Parallel()
	_, err := Output(t.Context(), sh("(seq 20000 >&2) & seq 20000; wait; exit 4"))
	if err == nil || !strings.HasPrefix(err.Error(), "sh: exited with status 4; its first and last lines:\n") {
		t.Errorf("got %v", err)
	}
	const writers, each = 4, 20000
	var all tail
	var group sync.WaitGroup
	for range writers {
		group.Go(func() {
			for range each {
				all.Write([]byte{'.'}) // to memory
			}
		})
	}
	group.Wait()
	if all.Len() != writers*each {
		t.Errorf("%d bytes arrived of %d", all.Len(), writers*each)
	}
}

func TestAProgramThatIsNotThereIsAnErrorWithItsName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, "text"), "")
	for _, c := range []struct{ program, want string }{
		{"no-such-program-here", "no-such-program-here: no such program; install it, or correct its name"},
		{"/no/such/program", "/no/such/program: no such program; install it, or correct its name"},
		{"bin/server", "bin/server: no such program; install it, or correct its name"},
		{"./text", "./text: fork/exec ./text: permission denied"},
	} {
		command := Command{Args: []string{c.program}, Dir: dir}
		if _, err := Output(t.Context(), command); err == nil || err.Error() != c.want {
			t.Errorf("Output: got %v, want %s", err, c.want)
		}
		if _, err := Start(command, os.DevNull); err == nil || err.Error() != c.want {
			t.Errorf("Start: got %v, want %s", err, c.want)
		}
	}
}

func TestARelativeProgramIsFoundInItsDirectory(t *testing.T) {
	root := t.TempDir()
	testfile.Program(t, filepath.Join(root, "server", "bin", "hello"), "#!/bin/sh\necho hello from $(basename $PWD)\n")
	t.Chdir(root)
	for _, dir := range []string{filepath.Join(root, "server"), "server", "./server"} {
		for _, program := range []string{"bin/hello", "./bin/hello"} {
			got, err := Output(t.Context(), Command{Args: []string{program}, Dir: dir})
			if want := "hello from server\n"; err != nil || got != want {
				t.Errorf("%s in %s: got %q, %v; want %q", program, dir, got, err, want)
			}
		}
	}
	if got, err := Output(t.Context(), Command{Args: []string{"server/bin/hello"}}); err != nil || !strings.HasPrefix(got, "hello from") {
		t.Errorf("without a directory: got %q, %v", got, err)
	}
}
