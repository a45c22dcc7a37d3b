package pipeline

import (
	"strings"
	"testing"
)

func TestCIRunsTheTests(t *testing.T) {
	h := newHub(t)
	sha := h.commit("change", "a change", map[string]string{"servers/relay/go-http/speed": "rate=1\n"})
	r := h.run("ci", "pull_request", map[string]any{"number": 7, "pull_request": h.open(7, "change", sha, false)})
	r.want([]string{"other workloads", "test"})
	if !strings.Contains(r.log, "tested") {
		t.Errorf("scripts/test was not run:\n%s", r.log)
	}
}
