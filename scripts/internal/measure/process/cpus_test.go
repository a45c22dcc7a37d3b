package process

import (
	"strings"
	"testing"
)

func TestACommandMayBeHeldToSomeCores(t *testing.T) {
	c := Command{Args: []string{"grep", "Cpus_allowed_list", "/proc/self/status"}, CPUs: "0"}
	out, err := Output(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(out); len(got) != 2 || got[1] != "0" {
		t.Errorf("it may use the cores %q, want 0", got)
	}
	if want := "taskset -c 0 grep Cpus_allowed_list /proc/self/status"; c.String() != want {
		t.Errorf("%s, want %s", c, want)
	}
}
