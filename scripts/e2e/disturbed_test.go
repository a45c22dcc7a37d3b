package e2e

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// A comparison names the program that disturbs its rounds, and waits for its end. It runs alone, since hogs
// disturb other tests too.
func TestLongADisturberIsNamed(t *testing.T) {
	long(t, "1 minute")
	p := newProject(t)
	p.git("init", "-q", "-b", "main")
	p.wrong("right")
	base := p.commit()
	p.write("servers/relay/right/note.go", "package main\n\nvar note = 1\n")
	p.commit()
	p.write("hog", "#!/bin/sh\nwhile :; do :; done\n")
	p.must(os.Chmod(filepath.Join(p.root, "hog"), 0o755))

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := p.command("compare", "-quick", "-rounds", "4", "-wait", "1m", "-base", base, "-o", "raw")
	stderr, err := cmd.StderrPipe()
	p.must(err)
	cmd.Stdout = io.Discard
	p.must(cmd.Start())
	hogsCtx, end := context.WithCancel(ctx)
	defer end()
	started := make(chan error, 1)
	var hogs sync.WaitGroup
	go func() {
		p.writer(hogsCtx, 1, "k6.log") // while the contract is checked, hogs would be no fault of the server
		for range 8 * runtime.NumCPU() {
			hog := exec.CommandContext(hogsCtx, filepath.Join(p.root, "hog"))
			if err := hog.Start(); err != nil {
				started <- err
				return
			}
			hogs.Go(func() { _ = hog.Wait() }) // it is killed
		}
		started <- nil
	}()
	var told strings.Builder
	named := regexp.MustCompile(`wait for a quiet machine, at most 1m0s: .*\bhog \(\d+ processes\) used \d+ %`)
	// The machine may be busy with other work afterwards.
	after := regexp.MustCompile(`the machine is quiet after |the machine was not quiet within 1m0s`)
	for lines := bufio.NewScanner(stderr); lines.Scan() && !after.MatchString(told.String()); {
		told.WriteString(lines.Text() + "\n")
		if named.MatchString(lines.Text()) {
			end()
		}
	}
	p.must(cmd.Process.Signal(os.Interrupt)) // the rest is known
	rest, _ := io.ReadAll(stderr)            // until its end
	_ = cmd.Wait()                           // it was interrupted
	if err := <-started; err != nil {
		t.Error(err)
	}
	if text := told.String(); !named.MatchString(text) || !after.MatchString(text) {
		t.Errorf("stderr:\n%s%s", text, rest)
	}
	end()
	hogs.Wait()
	p.leftovers()
}
