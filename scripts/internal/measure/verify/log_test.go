package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/measure/process"
)

// A failed check quotes what the server printed meanwhile, and nothing from before.
func TestAFailedCheckQuotesTheServersLog(t *testing.T) {
	wrong := func(text string) func(context.Context, *Subject) error {
		return func(_ context.Context, s *Subject) error {
			f, err := os.OpenFile(s.Log, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = fmt.Fprint(f, text)
			}
			return errors.Join(err, f.Close(), errors.New("it is wrong"))
		}
	}
	all := checks(
		Check{Name: "quiet", Run: wrong("")},
		Check{Name: "says", Run: wrong("Traceback\n  a.py, line 7\nReadTimeout\x1b[1m\nGET 200\n")},
		Check{Name: "exact", Run: func(context.Context, *Subject) error { return nil }})
	s := testServer(t, "talks")
	results, err := Server(t.Context(), project(t, ""), filepath.Join(s.Dir, "logs"), s, all, process.FreePort, func(Result) {})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "it is wrong", "it is wrong; its log says:\n    ReadTimeout?[1m", ""} {
		if results[i].Evidence != want {
			t.Errorf("%s: %q, want %q", results[i].Check, results[i].Evidence, want)
		}
	}
}

func TestAServerThatDiesOfSIGTERMGetsTheHint(t *testing.T) {
	for script, want := range map[string]string{
		"exit 0":           "",
		"exit 3":           "after SIGTERM: exited with status 3; it printed nothing",
		"kill -15 $$":      "after SIGTERM: ended by signal 15 (terminated); it printed nothing; want status 0\n    " + uvicornHint,
		"kill -9 $$; true": "after SIGTERM: ended by signal 9 (killed); it printed nothing",
	} {
		server, err := process.Start(process.Command{Args: []string{"sh", "-c", script}}, filepath.Join(t.TempDir(), "log"))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := afterSIGTERM(server); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}
