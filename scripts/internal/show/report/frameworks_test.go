package report

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

const agents = "../../../../servers/agent"

// The tables of servers/agent/FRAMEWORKS.md come from the stored records of a run, and from the files of the servers.
func TestThePageOfFrameworks(t *testing.T) {
	var tables strings.Builder
	w := bufio.NewWriter(&tables)
	records, _ := calm(testfile.Read(t, agents+"/results.jsonl", record.Read))
	for _, made := range frameworks(records) {
		markdown(w, made)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	page := agents + "/FRAMEWORKS.md"
	testfile.Region(t, page, "table of additions", "table", "<!-- vale off -->\n\n"+tables.String()+"<!-- vale on -->\n")
	code := "| server | lines of the agent | of the plain server's | packages | of the plain server |\n|---|--:|--:|--:|--:|\n"
	for _, f := range workload.Named("agent").Frameworks {
		code += fmt.Sprintf("| %s | %d | %d | %d | %d |\n", f.Server, agentLines(t, f.Server), agentLines(t, f.Plain), packages(t, f.Server), packages(t, f.Plain))
	}
	testfile.Region(t, page, "table of the code", "table", code)
}

// agentLines are the lines of a server's file agent.*.
func agentLines(t *testing.T, server string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(agents, server, "agent.*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: files of the agent %q, %v; want one", server, found, err)
	}
	return strings.Count(readText(t, found[0]), "\n")
}

// packaged are the files that pin packages, and what stands once for each package.
var packaged = map[string]*regexp.Regexp{
	"package-lock.json": regexp.MustCompile(`(?m)^    "node_modules/`),
	"requirements.txt":  regexp.MustCompile(`(?m)^\S+==`),
	"go.mod":            regexp.MustCompile(`(?m)^(\t|require )\S+ v`),
}

func packages(t *testing.T, server string) int {
	t.Helper()
	for file, each := range packaged {
		path := filepath.Join(agents, server, file)
		if _, err := os.Stat(path); err == nil {
			return len(each.FindAllString(readText(t, path), -1))
		}
	}
	t.Fatalf("%s has no file that pins its packages", server)
	return 0
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
