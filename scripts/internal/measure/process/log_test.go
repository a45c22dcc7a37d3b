package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A long log loses all but its end, and what the program prints later follows it.
func TestALongLogKeepsItsEnd(t *testing.T) {
	log, more := filepath.Join(t.TempDir(), "log"), filepath.Join(t.TempDir(), "more")
	p, err := Start(Command{Logs: true, Args: []string{"sh", "-c", `yes first | head -c 20M; echo end of the first; while [ ! -e "$0" ]; do sleep 0.1; done; echo last`, more}}, log)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	for end := time.Now().Add(time.Minute); p.leftOut.Load() == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing is left out after a minute")
		}
	}
	if err := os.WriteFile(more, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	text, err := os.ReadFile(log)
	if err != nil || len(text) > mostLog || !strings.HasPrefix(string(text), "[1") || !strings.HasSuffix(string(text), "end of the first\nlast\n") {
		t.Errorf("%d bytes, from %.40q, %v", len(text), text, err)
	}
	if printed := p.Printed(); printed < 20<<20 || printed > 20<<20+1000 {
		t.Errorf("printed %d bytes; want 20 MiB and some", printed)
	}
}
