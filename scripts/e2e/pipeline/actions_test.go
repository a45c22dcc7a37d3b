package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A standIn is what act calls in place of an action: this binary, in a role,
// with the inputs that the workflows use, NAME or NAME=DEFAULT, and the outputs.
type standIn struct {
	role            string
	inputs, outputs []string
}

var standIns = map[string]standIn{
	"actions/checkout":              {"checkout", []string{"repository", "ref", "path=.", "fetch-depth=1", "persist-credentials"}, nil},
	"actions/setup-go":              {"setup-go", []string{"go-version", "go-version-file", "cache"}, nil},
	"actions/setup-node":            {"setup-node", []string{"node-version", "package-manager-cache"}, nil},
	"actions/upload-artifact":       {"upload-artifact", []string{"name", "path", "if-no-files-found", "retention-days"}, nil},
	"actions/download-artifact":     {"download-artifact", []string{"pattern", "path", "skip-decompress=false", "digest-mismatch", "run-id", "github-token"}, nil},
	"actions/upload-pages-artifact": {"upload-pages-artifact", []string{"name=github-pages", "path"}, nil},
	"actions/deploy-pages":          {"deploy-pages", []string{"artifact_name=github-pages"}, []string{"page_url"}},
	"benchmark-action/github-action-benchmark": {"github-action-benchmark", []string{
		"name", "tool", "output-file-path", "external-data-json-path", "alert-threshold",
		"comment-on-alert", "fail-on-alert", "summary-always", "github-token", "ref",
	}, nil},
}

// yaml is the stand-in's action.yml.
func (s standIn) yaml() (string, error) {
	type object map[string]any
	inputs, outputs, env := object{}, object{}, object{"ROLE": s.role}
	for _, input := range s.inputs {
		name, value, _ := strings.Cut(input, "=")
		inputs[name] = object{"default": value}
		env[inputVariable(name)] = "${{ inputs." + name + " }}"
	}
	for _, name := range s.outputs {
		outputs[name] = object{"value": "${{ steps.it.outputs." + name + " }}"}
	}
	it := object{"id": "it", "shell": "sh", "run": `exec "$STAND_IN"`, "env": env}
	text, err := yaml.Marshal(object{
		"name": s.role, "description": "stand-in", "inputs": inputs, "outputs": outputs,
		"runs": object{"using": "composite", "steps": []object{it}},
	})
	return string(text), err
}

func inputVariable(name string) string {
	return "INPUT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

var pinnedAction = regexp.MustCompile(`uses: (([\w-]+/[\w.-]+)@[0-9a-f]{40})`)

// actions maps each pinned action to a directory: the stand-in's, or in place
// of it OWNER_NAME@40HEX of the directory that ACTIONS_DIR names, where the real
// one can be put to see whether the stand-in plays it well.
func (h *hub) actions() map[string]string {
	h.t.Helper()
	found := map[string]string{}
	for _, file := range ours(h.t) {
		for _, m := range pinnedAction.FindAllStringSubmatch(file, -1) {
			s, ok := standIns[m[2]]
			if !ok {
				h.t.Fatalf("%s: there is no stand-in for it", m[2])
			}
			found[m[1]] = h.path("actions/" + s.role)
			text, err := s.yaml()
			if err != nil {
				h.t.Fatal(err)
			}
			h.write(h.path("actions"), s.role+"/action.yml", text)
			if real := os.Getenv("ACTIONS_DIR"); real != "" {
				dir := filepath.Join(real, strings.Replace(m[1], "/", "_", 1))
				if _, err := os.Stat(dir); err == nil {
					found[m[1]] = dir
				}
			}
		}
	}
	if h.fairstream != "" {
		found[slug+"@"+h.fairstream] = h.patched()
	}
	return found
}

// GitHub only warns of an input that an action does not have; a misspelt
// skip-decompress would unpack what must not be.
func knownInputs(all []workflow) []string {
	return eachStep(all, func(_ workflow, s step) string {
		known, ok := standIns[s.action()]
		if !ok {
			return ""
		}
		for name := range s.With {
			if !slices.ContainsFunc(known.inputs, func(input string) bool { return input == name || strings.HasPrefix(input, name+"=") }) {
				return fmt.Sprintf("%s: input %q is not one that the stand-in has from the action's documentation", s.action(), name)
			}
		}
		return ""
	})
}

func TestStandInsAreInUse(t *testing.T) {
	all, err := parse(ours(t))
	if err != nil {
		t.Fatal(err)
	}
	var used []string
	eachStep(all, func(_ workflow, s step) string {
		used = append(used, s.action())
		return ""
	})
	for name := range standIns {
		if !slices.Contains(used, name) {
			t.Errorf("%s: used by no step", name)
		}
	}
}
