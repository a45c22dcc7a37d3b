package workload

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const agents = "../../../servers/agent"

// own are the files of a framework's server that differ from those of its plain server. bun-ai-sdk has the agent of
// node-ai-sdk, since Bun runs JavaScript.
var own = []string{"post.js", "post.ts", "agent.js", "agent.ts", "agent.go", "agent.py", "server.json", "package.json", "package-lock.json", "go.mod", "go.sum", "requirements.in", "requirements.txt"}

// codeBegins is where the code of a file begins, after the words that name the server.
var codeBegins = regexp.MustCompile(`(?m)^(package|import) `)

func TestAFrameworkHasTheFilesOfItsPlainServer(t *testing.T) {
	read := func(server, file string) string {
		text, err := os.ReadFile(filepath.Join(agents, server, file))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	code := func(server, file string) string {
		text := read(server, file)
		if stem, _, _ := strings.Cut(file, "."); stem == "server" || stem == "main" {
			if at := codeBegins.FindStringIndex(text); at != nil {
				return text[at[0]:]
			}
		}
		return text
	}
	if len(agentFrameworks) < 5 {
		t.Errorf("%d frameworks", len(agentFrameworks))
	}
	for _, f := range agentFrameworks {
		entries, err := os.ReadDir(filepath.Join(agents, f.Plain))
		if err != nil {
			t.Fatal(err)
		}
		same := 0
		for _, e := range entries {
			if e.IsDir() || slices.Contains(own, e.Name()) {
				continue
			}
			same++
			if code(f.Server, e.Name()) != code(f.Plain, e.Name()) {
				t.Errorf("%s/%s differs from that of %s; want the same, but for the words at its head", f.Server, e.Name(), f.Plain)
			}
		}
		entries, err = os.ReadDir(filepath.Join(agents, f.Server))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if _, err := os.Stat(filepath.Join(agents, f.Plain, e.Name())); !e.IsDir() && err != nil && !slices.Contains(own, e.Name()) {
				t.Errorf("%s has the file %s, and %s has none", f.Server, e.Name(), f.Plain)
			}
		}
		if same < 3 {
			t.Errorf("%s has %d files of %s; want three or more", f.Server, same, f.Plain)
		}
	}
	if read("bun-ai-sdk", "agent.ts") != read("node-ai-sdk", "agent.js") {
		t.Error("bun-ai-sdk/agent.ts differs from node-ai-sdk/agent.js; want the same")
	}
}

// More servers than the machine carries at the full pace get a fraction of it.
func TestManyServersShareThePace(t *testing.T) {
	w := Workload{Beside: 5}
	for servers, want := range map[int]int{1: 0, 5: 0, 6: 2, 10: 2, 11: 3} {
		if got := w.VUDivisor(servers); got != want {
			t.Errorf("%d servers: divided by %d; want %d", servers, got, want)
		}
	}
	if got := (Workload{}).VUDivisor(100); got != 0 {
		t.Errorf("without a number: divided by %d", got)
	}
}

// A figure is of a scenario and a metric that the workload has.
func TestAdditionsAreOfKnownScenarios(t *testing.T) {
	for _, w := range All {
		if (w.Frameworks == nil) != (w.Additions == nil) {
			t.Errorf("%s: %d frameworks and %d additions", w.Name, len(w.Frameworks), len(w.Additions))
		}
		for _, a := range w.Additions {
			for _, scenario := range []string{a.Scenario, a.Less} {
				if scenario != "" && !slices.ContainsFunc(w.Columns(scenario), func(c Column) bool { return c.Metric == a.Column.Metric }) {
					t.Errorf("%s: %s: scenario %s has no %s", w.Name, a.Label, scenario, a.Column.Metric)
				}
			}
		}
	}
}
