package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// root is the project, seen from this package.
const root = "../../.."

// A workflow is the part of a workflow's file, or of an action's, that the
// rules look at.
type workflow struct {
	name        string // of the file, without .yml; "action NAME" for an action
	text        string
	Name        string
	On          map[string]yaml.Node
	Permissions *map[string]string
	Concurrency *concurrency
	Env         map[string]string
	Jobs        map[string]job
}

type job struct {
	Uses        string
	If          string
	Needs       words
	RunsOn      yaml.Node `yaml:"runs-on"`
	Timeout     *int      `yaml:"timeout-minutes"`
	Permissions *map[string]string
	Concurrency *concurrency
	Secrets     yaml.Node
	Env         map[string]string
	With        map[string]string
	Steps       []step
}

// words are a list in YAML, or one word alone.
type words []string

func (w *words) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*w = words{node.Value}
		return nil
	}
	return node.Decode((*[]string)(w))
}

type step struct {
	If   string
	Uses string
	Run  string
	Env  map[string]string
	With map[string]string
}

type concurrency struct {
	Group  string
	Cancel string `yaml:"cancel-in-progress"`
	Queue  string
}

// action is the name of the action that a step uses, without its version.
func (s step) action() string {
	name, _, _ := strings.Cut(s.Uses, "@")
	return name
}

// parse reads files of .github, by their paths in it.
func parse(files map[string]string) ([]workflow, error) {
	var all []workflow
	for path, text := range files {
		w := workflow{text: text}
		var err error
		switch dir := filepath.Dir(path); {
		case dir == "workflows":
			w.name = strings.TrimSuffix(filepath.Base(path), ".yml")
			err = yaml.Unmarshal([]byte(text), &w)
		case filepath.Base(path) == "action.yml":
			// Its steps obey the rules for steps; the caller's job has the rest.
			var a struct{ Runs struct{ Steps []step } }
			err = yaml.Unmarshal([]byte(text), &a)
			w.name = "action " + filepath.Base(dir)
			w.Jobs = map[string]job{"steps": {Steps: a.Runs.Steps}}
		default:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b workflow) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

func (w workflow) isAction() bool { return strings.HasPrefix(w.name, "action ") }

// ours reads the project's .github.
func ours(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	dir := filepath.Join(root, ".github")
	for _, pattern := range []string{"workflows/*.y*ml", "actions/*/*"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, _ := filepath.Rel(dir, path) // both are below one directory
			files[filepath.ToSlash(name)] = string(text)
		}
	}
	return files
}
