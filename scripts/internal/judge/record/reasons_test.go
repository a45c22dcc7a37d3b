package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/testfile"
)

// A record says why streams failed, and quotes the server's log.
func TestAFailedStreamsReasonIsInTheRecord(t *testing.T) {
	none := "no log"
	for name, c := range map[string]struct{ log, want string }{
		"no log":          {none, ""},
		"an empty log":    {"", "; its log 2/stress/a.log is empty"},
		"a log":           {"ready\nReadTimeout\x1b[0m\nGET /chat 200\n", "; its log 2/stress/a.log says:\n    ReadTimeout?[0m"},
		"more than three": {"Error: 1\nError: 2\nError: 3\nError: 4\n", ".log says:\n    Error: 2\n    Error: 3\n    Error: 4"},
	} {
		t.Run(name, func(t *testing.T) {
			m := healthy()
			m.logs = raw.Dir(t.TempDir(), 2, "stress", "")
			m.facts.Round = 2
			if err := os.MkdirAll(m.logs, 0o755); err != nil {
				t.Fatal(err)
			}
			if c.log != none {
				testfile.Write(t, filepath.Join(m.logs, "a.log"), c.log)
			}
			m.load.Failed, m.load.Broken = 1, []string{"1 x cut (the server closed the connection after 7 tokens)"}
			_, why, _ := check(m)
			got, found := strings.CutPrefix(why[0], "1 of 21 streams failed: 1 x cut (the server closed the connection after 7 tokens)")
			if !found || !strings.HasSuffix(got, c.want) || name != "more than three" && got != c.want {
				t.Errorf("got %q, want %q at its end", why, c.want)
			}
		})
	}
}
