package server

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"fairstream/scripts/internal/workload"
)

// JSON is the draft as a server.json.
func (d Draft) JSON(of string) []byte {
	words := func(list []string) string {
		var quoted []string
		for _, word := range list {
			quoted = append(quoted, Encode(word))
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	var versions []string
	for _, component := range slices.Sorted(maps.Keys(d.Versions)) {
		versions = append(versions, fmt.Sprintf("    %s: %s", Encode(component), words(d.Versions[component])))
	}
	asks := ""
	if of == workload.Scripted && d.Script != "" {
		asks = ",\n  \"script\": " + Encode(d.Script)
	} else if len(d.Requests) > 0 {
		asks = ",\n  \"requests\": [\n    " + strings.Join(d.Requests, ",\n    ") + "\n  ]"
	}
	return fmt.Appendf(nil, "{\n  \"workload\": %s,\n  \"language\": %s,\n  \"framework\": %s,\n  \"build\": %s,\n  \"run\": %s,\n  \"versions\": {\n%s\n  }%s\n}\n",
		Encode(of), Encode(d.Language), Encode(d.Framework), words(d.Build), words(d.Run), strings.Join(versions, ",\n"), asks)
}

// A Caller is what the workflows of a repository need to call ours.
type Caller struct {
	Server string // directory of the server in the repository; "." is the repository itself
	Uses   string // OWNER/NAME of this project on GitHub
	Commit string // full hash of it
	Note   string // what Commit is, for people and Dependabot
	Branch string // default branch of the repository; "" keeps no history
}

//go:embed fairstream.yml
var onPull string

//go:embed fairstream-forks.yml
var onForks string

//go:embed fairstream-publish.yml
var onBranch string

// Workflows are the files of workflows, by their path in the repository.
func (c Caller) Workflows() (map[string][]byte, error) {
	files := map[string][]byte{}
	texts := map[string]string{"fairstream.yml": onPull, "fairstream-forks.yml": onForks}
	if c.Branch != "" {
		texts["fairstream-publish.yml"] = onBranch
	}
	for name, text := range texts {
		t, err := template.New(name).Delims("<<", ">>").Parse(text)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := t.Execute(&b, c); err != nil {
			return nil, err
		}
		files[path.Join(".github", "workflows", name)] = b.Bytes()
	}
	return files, nil
}

// ErrThere means that a file is there already, and stays as it is.
var ErrThere = errors.New("is there already, and stays as it is")

// Write writes a new file. It never replaces one.
func Write(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: %w", name, ErrThere)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

// Built lists what the build of a draft makes in the server's directory, for .gitignore.
func (d Draft) Built() []string {
	switch {
	case d.Language == "go":
		return []string{"/bin/"}
	case d.Language == "rust":
		return []string{"/target/"}
	case d.Language == "python":
		return []string{"/.venv/"}
	case d.Build[0] == "true":
		return nil
	case d.Language == "c++":
		return []string{"/" + strings.SplitAfter(strings.TrimPrefix(d.Run[0], "./"), "/")[0]}
	}
	return []string{"node_modules/"}
}

// Manifest is the path of the manifest in a server's directory.
func Manifest(dir string) string { return filepath.Join(dir, File) }
