package process

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

// A program that prints without end fills neither the disk nor our memory.
func TestAProgramThatPrintsWithoutEndIsEnded(t *testing.T) {
	p, log := start(t, sh("sleep 1; exec yes printed without end"))
	<-p.Done()
	info, err := os.Stat(log)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > mostBytes {
		t.Errorf("a log of %d bytes; want at most %d", info.Size(), mostBytes)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text := p.Gone().Error()
	runtime.ReadMemStats(&after)
	if !strings.HasPrefix(text, "ended by signal 25 (file size limit exceeded); its first and last lines:\n    printed without end\n") {
		t.Errorf("%.200q", text)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
		t.Errorf("its last lines took %d bytes of memory", took)
	}
	p.Stop()
}

func TestOutputWithoutEndIsAnError(t *testing.T) {
	t.Parallel()
	out, err := Output(t.Context(), sh("exec yes printed without end"))
	if want := "sh: printed more than 256 MiB; its first and last lines:\n    "; err == nil || !strings.HasPrefix(err.Error(), want) || out != "" {
		t.Errorf("%d bytes, %.200v; want %s", len(out), err, want)
	}
}
