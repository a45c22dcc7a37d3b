package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Ctrl-C ends a command that only reads and prints, wherever it is. Here it waits for a file that never ends.
func TestReadingAndPrintingCanBeInterrupted(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.copy("internal/judge/record/testdata/mixed", "mixed")
	p.must(os.Remove(filepath.Join(p.root, "mixed/1/stress/k6.json")))
	p.must(syscall.Mkfifo(filepath.Join(p.root, "mixed/1/stress/k6.json"), 0o600))
	p.must(syscall.Mkfifo(filepath.Join(p.root, "endless"), 0o600))
	for command, file := range map[string]string{"replay endless": "endless", "report endless": "endless", "record mixed": "mixed/1/stress/k6.json", "prove -tables endless": "endless"} {
		cmd := p.command(strings.Fields(command)...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		p.must(cmd.Start())
		in, err := os.OpenFile(filepath.Join(p.root, file), os.O_WRONLY, 0) // returns when it reads
		p.must(err)
		p.must(cmd.Process.Signal(syscall.SIGINT))
		stuck := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }) // it may have ended
		_ = cmd.Wait()                                                          // its status is looked at
		stuck.Stop()
		p.must(in.Close())
		if status := cmd.ProcessState.ExitCode(); status != 130 || !strings.Contains(stderr.String(), "bench: ended by interrupt") {
			t.Errorf("%s: exit status %d\n%s", command, status, stderr.String())
		}
	}
}
