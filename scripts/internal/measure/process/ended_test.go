package process

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAnEndedProgramSaysHowItEndedWithTheLastLinesOfItsLog(t *testing.T) {
	t.Parallel()
	const twelve = "its first and last lines:\n    1\n    2\n    ...\n    6\n    7\n    8\n    9\n    10\n    11\n    12\n    13\n    14"
	for _, c := range []struct {
		script  string
		success bool
		gone    string
	}{
		{"true", true, "exited with status 0; it printed nothing"},
		{"echo bye", true, "exited with status 0; its last lines:\n    bye"},
		{"exit 3", false, "exited with status 3; it printed nothing"},
		{"echo out; echo err >&2; exit 1", false, "exited with status 1; its last lines:\n    out\n    err"},
		{"seq 14; exit 1", false, "exited with status 1; " + twelve},
		{"seq 14; kill -9 $$", false, "ended by signal 9 (killed); " + twelve},
		{"echo at; echo throw; echo '^'; echo 'Error: no fastify'; seq 11; exit 1", false,
			"exited with status 1; its first and last lines:\n    at\n    throw\n    ...\n    Error: no fastify\n    ...\n    3\n    4\n    5\n    6\n    7\n    8\n    9\n    10\n    11"},
		{"echo at; echo throw; echo 'Error: no fastify'; seq 70000; exit 1", false,
			"exited with status 1; its first and last lines:\n    at\n    throw\n    Error: no fastify\n    ...\n    69992\n    69993\n    69994\n    69995\n    69996\n    69997\n    69998\n    69999\n    70000"},
		{"kill -ABRT $$", false, "ended by signal 6 (aborted); it printed nothing"},
	} {
		t.Run(c.script, func(t *testing.T) {
			p, _ := start(t, sh(c.script))
			err := p.Err()
			if c.success && err != nil || !c.success && (err == nil || err.Error() != c.gone) {
				t.Errorf("Err: %v", err)
			}
			if err := p.Gone(); err.Error() != c.gone {
				t.Errorf("Gone: %v\nwant  %s", err, c.gone)
			}
		})
	}
}

func TestALogIsStartedAnew(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	for _, script := range []string{"echo first run", "echo second"} {
		p, err := Start(sh(script), log)
		if err != nil {
			t.Fatal(err)
		}
		<-p.Done()
	}
	if data, err := os.ReadFile(log); string(data) != "second\n" {
		t.Errorf("log holds %q, %v", data, err)
	}
	if _, err := Start(sh("true"), filepath.Join(t.TempDir(), "no", "log")); err == nil {
		t.Error("a log in a directory that is not there: no error")
	}
}

func TestASignalGoesToTheProgramAlone(t *testing.T) {
	t.Parallel()
	p, log := start(t, sh(`trap 'exit 5' USR1
		(trap 'echo wrong' USR1; trap 'echo asked; exit' USR2; echo; while :; do sleep 0.01; done) & echo $!
		while :; do sleep 0.01; done`))
	member := pids(t, log, 2)[0]
	p.Signal(syscall.SIGUSR1)
	if got, want := p.Err().Error(), "exited with status 5; "; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s…", got, want)
	}
	syscall.Kill(member, syscall.SIGUSR2)
	var data []byte
	eventually(t, "an answer of the other process", func() bool {
		data, _ = os.ReadFile(log) // a missing file is fine
		return strings.Contains(string(data), "asked")
	})
	if strings.Contains(string(data), "wrong") {
		t.Error("the signal went to the group")
	}
	p.Signal(syscall.SIGUSR1) // of an ended program: harmless
}

func TestCPUTimeIsTheProgramsAndItsChildrens(t *testing.T) {
	t.Parallel()
	burn := role(t, "burn")
	for name, c := range map[string]Command{
		"program": burn,
		"child":   {Args: []string{"sh", "-c", `"$0"; exit 0`, burn.Args[0]}, Env: burn.Env},
	} {
		p, _ := start(t, c)
		if got := p.CPUTime(); got < burnt {
			t.Errorf("%s: %v, want at least %v", name, got, burnt)
		}
		if err := p.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
