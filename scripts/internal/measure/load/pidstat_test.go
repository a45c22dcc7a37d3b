package load

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fairstream/scripts/internal/measure/process"
)

// pidstat that was killed or stopped costs its samples, and nothing else.
func TestFaultsOfPidstatAreReported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(*process.Process)
		want  string
	}{
		"well":    {func(*process.Process) {}, ""},
		"killed":  {func(p *process.Process) { p.Signal(syscall.SIGKILL); <-p.Done() }, "pidstat: ended by signal 9 (killed)"},
		"stopped": {func(p *process.Process) { p.Signal(syscall.SIGSTOP) }, "pidstat: did not end within 5s of SIGINT and was killed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := process.Start(process.Command{Args: []string{"sleep", "1000"}}, filepath.Join(t.TempDir(), "log"))
			if err != nil {
				t.Fatal(err)
			}
			defer p.Stop()
			c.spoil(p)
			wrong, err := finish(t.Context(), p)
			if err != nil || !strings.HasPrefix(wrong, c.want) || c.want == "" && wrong != "" {
				t.Errorf("%q, %v; want %q", wrong, err, c.want)
			}
			<-p.Done()
		})
	}
}

// Ctrl-C is heard while pidstat does not end.
func TestAStoppedPidstatCanBeLeft(t *testing.T) {
	t.Parallel()
	p, err := process.Start(process.Command{Args: []string{"sleep", "1000"}}, filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	p.Signal(syscall.SIGSTOP)
	ctx, cancel := context.WithTimeout(t.Context(), pidstatTail*3/2)
	defer cancel()
	if _, err := finish(ctx, p); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
