package workload

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const servers = "../../../servers"

// The tables of a workload's README name its scenarios with all levels, and its servers. A table of scenarios or
// of servers is one with that word in the head of its first column.
func TestReadmesNameTheScenariosAndServers(t *testing.T) {
	tables := map[string]int{}
	for _, w := range All {
		text, err := os.ReadFile(filepath.Join(servers, w.Name, "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		var scenarios []string
		for _, s := range w.Scenarios {
			scenarios = append(scenarios, s.Name)
			for _, level := range s.Levels {
				scenarios = append(scenarios, s.Name+" "+level)
			}
		}
		manifests, _ := filepath.Glob(filepath.Join(servers, w.Name, "*", "server.json")) // the pattern is valid
		var names []string
		for _, m := range manifests {
			names = append(names, filepath.Base(filepath.Dir(m)))
		}
		for head, want := range map[string][]string{"scenario": scenarios, "server": names} {
			for _, rows := range firstColumns(string(text), head) {
				tables[head]++
				var got []string
				for _, row := range rows {
					got = append(got, named(row)...)
				}
				slices.Sort(got)
				slices.Sort(want)
				if got = slices.Compact(got); !slices.Equal(got, want) {
					t.Errorf("%s/README.md: the table of each %s has\n%q; want\n%q", w.Name, head, got, want)
				}
			}
		}
	}
	if tables["scenario"] < 3 || tables["server"] < 3 {
		t.Errorf("tables by their heads: %v; want 3 of each", tables)
	}
}

// READMEs and the site say the same of a workload: what its servers do, and of each scenario the load and what it shows.
func TestTextsAreThoseOfTheReadmes(t *testing.T) {
	front, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range All {
		if row := fmt.Sprintf("| [`%s`](servers/%[1]s/README.md) | %s |\n", w.Name, w.Does); !strings.Contains(string(front), row) {
			t.Errorf("README.md has no row\n%s", row)
		}
		text, err := os.ReadFile(filepath.Join(servers, w.Name, "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		table := len(firstColumns(string(text), "scenario")) > 0
		for _, s := range w.Scenarios {
			row := fmt.Sprintf(" | %s | %s |\n", s.Load, s.Shows)
			if s.Load == "" || s.Shows == "" || table && !strings.Contains(string(text), row) {
				t.Errorf("%s/README.md has no row of %s that ends with\n%s", w.Name, s.Name, row)
			}
		}
	}
}

// firstColumns are the first columns of the tables with this head.
func firstColumns(text, head string) (tables [][]string) {
	within := false
	for line := range strings.Lines(text) {
		cell, _, row := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		switch {
		case !strings.HasPrefix(line, "|"):
			within = false
		case strings.HasPrefix(line, "| "+head+" |"):
			within = true
			tables = append(tables, nil)
		case within && row:
			last := &tables[len(tables)-1]
			*last = append(*last, cell)
		}
	}
	return tables
}

var word = regexp.MustCompile(`[\w-]+`)

// named are the names in a cell: a server, or a scenario and each of its levels.
func named(cell string) []string {
	words := word.FindAllString(cell, -1)
	all := words[:1]
	for _, level := range words[1:] {
		if level != "level" && level != "levels" {
			all = append(all, words[0]+" "+level)
		}
	}
	return all
}
