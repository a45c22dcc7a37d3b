package verify

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/measure/process"
)

// A server may work for longer than our patience. It may not do nothing for so long.
func TestPatienceLeavesOutTheServersWork(t *testing.T) {
	was := mostPatience
	defer func() { mostPatience = was }()
	for role, c := range map[string]struct {
		most time.Duration
		want string
	}{
		"burns":    {was, ""},
		"sleeps":   {was, "nothing within 500ms"},
		"burns-on": {2 * time.Second, "nothing within 2s"},
	} {
		mostPatience = c.most
		s := testServer(t, role)
		wait := Check{Name: "wait", Run: func(_ context.Context, s *Subject) error { return s.chat(500 * time.Millisecond) }}
		results, err := Server(t.Context(), project(t, ""), filepath.Join(s.Dir, "logs"), s, checks(wait), process.FreePort, func(Result) {})
		if err != nil || len(results) != 2 || results[1].Pass != (c.want == "") || !strings.HasPrefix(results[1].Evidence, c.want) {
			t.Errorf("%s: %+v, %v; want %q", role, results, err, c.want)
		}
	}
}
