package plan

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// copies makes a pull request that adds copies of a server.
func (w *world) copies(t *testing.T, n int) (all []workload.Server) {
	t.Helper()
	w.git(t, "checkout", "-q", "topic")
	w.git(t, "reset", "-q", "--hard", w.first)
	for i := range n {
		s := workload.Server{Workload: "relay", Name: fmt.Sprintf("copy-%03d", i)}
		dir := filepath.Join(w.Root, s.Dir())
		testfile.Write(t, filepath.Join(dir, "server.json"), s.Name)
		all = append(all, s)
	}
	w.git(t, "add", "-A")
	w.git(t, "commit", "-q", "-m", "copies")
	w.topic = w.git(t, "rev-parse", "HEAD")
	w.git(t, "checkout", "-q", "main")
	w.pull["head"].(map[string]any)["sha"] = w.topic
	return all
}

// Anybody with a branch can copy a server 300 times. The machine then measures none until a person names some.
func TestManyServersWaitForAPersonWhoNamesThem(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		copies int
		named  []string
		want   int // servers; 0 with a reason
		err    string
	}{
		{mostUnnamed, nil, mostUnnamed, ""},
		{mostUnnamed + 1, nil, 0, ""},
		{300, nil, 0, ""},
		{mostNamed + 1, []string{"relay/copy-007", "copy-040"}, 2, ""},
		{mostNamed + 1, []string{"go-http"}, 0, `server "go-http": unknown; known are relay/copy-000, `},
		{mostNamed, []string{"all"}, mostNamed, ""},
		{mostNamed + 1, []string{"all"}, 0, "41 servers; want at most 40 at once"},
	} {
		changed := w.copies(t, c.copies)
		if slices.Equal(c.named, []string{"all"}) {
			c.named = strings.Split(Join(changed, " "), " ")
		}
		e := w.event("workflow_run", w.run(w.topic))
		if c.named != nil {
			e = w.event("workflow_dispatch", inputs("pr", "7", "sha", w.topic, "servers", strings.Join(c.named, ",")))
		}
		p, err := w.Make(t.Context(), e)
		if c.err != "" {
			if _, ok := err.(InputError); !ok || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%d copies: error %.200v, want %q", c.copies, err, c.err)
			}
			continue
		}
		if err != nil || len(p.Servers) != c.want || len(p.Jobs()) != c.want || (p.Say == "") != (c.want > 0) {
			t.Errorf("%d copies: %v: %d servers, want %d; %s", c.copies, err, len(p.Servers), c.want, p.Say)
		}
		if want := c.copies - c.want; c.want > 0 && len(p.LeftOut) != want {
			t.Errorf("%d copies: %d left out, want %d", c.copies, len(p.LeftOut), want)
		}
		// A plan with a base has statuses, and those of servers that nobody measures must not pass.
		if c.want == 0 && (p.Base != "" || !strings.Contains(p.Say, fmt.Sprintf("changes %d servers, and at most 10 ", c.copies)) || len(p.Say) > 500) {
			t.Errorf("%d copies: base %q, says %q", c.copies, p.Base, p.Say)
		}
	}
}
