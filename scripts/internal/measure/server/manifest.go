// Package server has what is known of a server before it is built: its server.json, the requests and answers that it
// declares there, and what init writes for a new one. A directory with a server.json is a server, and its name is
// the server's name. The package builds and starts nothing. It sends requests only to a running server that it is given.
package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"fairstream/scripts/internal/workload"
)

// File is the name of a manifest.
const File = "server.json"

// A Server is the content of a manifest. Commands are lists of words, not shell lines, and run in Dir.
type Server struct {
	Workload  string              `json:"workload"`
	Name      string              `json:"name"` // from that of the directory
	Was       []string            `json:"-"`    // its earlier names
	Dir       string              `json:"-"`    // absolute path
	Whole     string              `json:"-"`    // directory around Dir with other files that it may use, such as ../lib; "" without any
	Language  string              `json:"language"`
	Framework string              `json:"framework"`
	Build     []string            `json:"build"`
	Run       []string            `json:"run"`
	Versions  map[string][]string `json:"versions"` // command that prints the version of each component
	// Reference says that others are held against the server, such as a proxy that people know. It has no rank, and no
	// comparison.
	Reference bool `json:"reference,omitempty"`

	Declared *Declaration `json:"-"` // nil unless servers of the workload declare their requests
}

// ID identifies the server.
func (s Server) ID() workload.Server { return workload.Server{Workload: s.Workload, Name: s.Name} }

// file is the form of server.json. "was" and "reference" are optional. Some workloads have further keys.
type file struct {
	Was       []string            `json:"was"`
	Workload  string              `json:"workload"`
	Language  string              `json:"language"`
	Framework string              `json:"framework"`
	Build     []string            `json:"build"`
	Run       []string            `json:"run"`
	Versions  map[string][]string `json:"versions"`
	Reference bool                `json:"reference"`
	Keys
}

const keys = "workload, language, framework, build, run, versions, was, reference"

// advice explains keys that people try and that do not exist on purpose.
var advice = map[string]string{
	"name":    "the directory's name is the server's name",
	"port":    "Fairstream sets $PORT",
	"env":     "Fairstream sets $PORT and $STUB_URL, nothing else",
	"version": "versions are asked from the toolchain: \"versions\"",
	"enabled": "to leave a server out, name the others on the command line",
}

// Load reads the server in dir.
func Load(dir string) (Server, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Server{}, err
	}
	path := filepath.Join(dir, File)
	data, err := os.ReadFile(path)
	if _, missing := os.Stat(dir); errors.Is(missing, fs.ErrNotExist) {
		return Server{}, fmt.Errorf("%s: no such directory; name the directory of a server, the one with its %s", dir, File)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if below := below(filepath.Dir(path)); below != nil {
			return Server{}, fmt.Errorf("%s: no such file; the servers below it are in %s; name one of these directories", path, strings.Join(below, ", "))
		}
		return Server{}, fmt.Errorf("%s: no such file; a server is a directory with a %s; `scripts/bench init %s` writes one", path, File, filepath.Dir(path))
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return Server{}, fmt.Errorf("%s: not a directory; name the directory of the server: %s", dir, filepath.Dir(dir))
	}
	if err != nil {
		return Server{}, err
	}
	return Parse(data, dir)
}

// Parse reads the content of the manifest in dir.
func Parse(data []byte, dir string) (Server, error) {
	path := filepath.Join(dir, File)
	f, err := decode(data)
	if err != nil {
		return Server{}, fmt.Errorf("%s: %w", path, err)
	}
	name := workload.NameOfDirectory(filepath.Base(dir))
	for _, name := range append([]string{name}, f.Was...) {
		if err := (workload.Server{Workload: f.Workload, Name: name}).Check(); err != nil {
			return Server{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	s := Server{Workload: f.Workload, Name: name, Was: f.Was, Dir: dir, Language: f.Language, Framework: f.Framework,
		Build: f.Build, Run: f.Run, Versions: f.Versions, Reference: f.Reference}
	if s.Declared, err = f.declared(); err != nil {
		return Server{}, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// below lists the directories of servers a little below a directory.
func below(dir string) (dirs []string) {
	for _, at := range []string{"*", "*/*"} {
		files, _ := filepath.Glob(filepath.Join(dir, at, File)) // an odd name of a directory finds nothing
		for _, file := range files {
			dirs = append(dirs, filepath.Dir(file))
		}
	}
	return dirs
}

// declared reads the keys of servers that declare their requests. Other servers must not have them.
func (f file) declared() (*Declaration, error) {
	w := workload.Named(f.Workload)
	known := declaredKeys(w)
	for _, key := range f.all() {
		switch {
		case key.value == nil, slices.Contains(known, key.name):
		case known != nil:
			return nil, fmt.Errorf("unknown key %q for the workload %s; known are %s, %s; servers of %s have it", key.name, w.Name, keys, strings.Join(known, ", "), strings.Join(having(key.name), " and "))
		case advice[key.name] != "":
			return nil, fmt.Errorf("unknown key %q; %s", key.name, advice[key.name])
		default:
			return nil, fmt.Errorf("unknown key %q for the workload %s, whose contract says what a server does; known are %s; servers of %s have it", key.name, w.Name, keys, strings.Join(having(key.name), " and "))
		}
	}
	switch {
	case known == nil:
		return nil, nil
	case w.Scripted && f.Script == nil:
		return nil, missing("script", `the path of a k6 script in this directory, such as "load.js"`)
	}
	d, err := ParseDeclaration(f.Keys)
	return &d, err
}

// having are the workloads whose servers may have a key.
func having(key string) (names []string) {
	for _, w := range workload.All {
		if slices.Contains(declaredKeys(w), key) {
			names = append(names, w.Name)
		}
	}
	return names
}

func decode(data []byte) (file, error) {
	var f file
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return f, explain(err, data)
	}
	if _, err := dec.Token(); err != io.EOF {
		return f, fmt.Errorf("line %d: text after the closing brace; want one JSON object", line(data, dec.InputOffset()))
	}
	if err := checkKeys(data); err != nil {
		return f, err
	}
	switch {
	case f.Workload == "":
		return f, missing("workload", fmt.Sprintf("such as %q", workload.Names()[0]))
	case f.Language == "":
		return f, missing("language", `such as "go"`)
	case f.Framework == "":
		return f, missing("framework", `such as "gin"`)
	case len(f.Build) == 0:
		return f, missing("build", `a list of words such as ["go", "build", "-o", "bin/server", "."], or ["true"] when there is nothing to build`)
	case len(f.Run) == 0:
		return f, missing("run", `a list of words such as ["bin/server"]`)
	case len(f.Versions) == 0:
		return f, missing("versions", `commands that print a version, such as {"go": ["go", "version"]}`)
	}
	for component, argv := range f.Versions {
		if len(argv) == 0 {
			return f, fmt.Errorf("versions: %s: empty command; want a list of words such as [\"go\", \"version\"]", component)
		}
	}
	return f, nil
}

func missing(key, want string) error {
	return fmt.Errorf("key %q is missing or empty; want %s", key, want)
}

// explain adds the position and the next step to errors of encoding/json.
func explain(err error, data []byte) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		want := "want one JSON object, as the examples in servers/README.md"
		switch text := err.Error(); {
		case strings.HasSuffix(text, "after object key:value pair"), strings.HasSuffix(text, "after array element"):
			want = "want a comma before it"
		case strings.HasSuffix(text, "object key string"):
			want = "want a key in quotes; JSON has no comments and no comma after the last key"
		case strings.HasSuffix(text, "looking for beginning of value") && afterComma(data, syntax.Offset-1):
			want = "want a value there; JSON has no comma after the last element"
		}
		return fmt.Errorf("line %d: %w; %s", line(data, syntax.Offset-1), err, want) // the offset is one after the wrong character
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("line %d: key %q is a JSON %s; want %s", line(data, kind.Offset), kind.Field, kind.Value, wants[strings.SplitN(kind.Field, ".", 2)[0]])
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("the file ends too early; want one JSON object")
	}
	if _, key, ok := strings.Cut(err.Error(), "unknown field "); ok {
		key = strings.Trim(key, `"`)
		if a, ok := advice[key]; ok {
			return fmt.Errorf("unknown key %q; %s", key, a)
		}
		return fmt.Errorf("unknown key %q; known are %s", key, known(data))
	}
	return err
}

// afterComma reports whether the last character before an offset is a comma.
func afterComma(data []byte, offset int64) bool {
	before := bytes.TrimSpace(data[:max(0, min(int(offset), len(data)))])
	return bytes.HasSuffix(before, []byte(","))
}

// known lists the keys of a file of its workload.
func known(data []byte) string {
	var f struct {
		Workload string `json:"workload"`
	}
	if json.Unmarshal(data, &f) == nil && workload.IsName(f.Workload) {
		return strings.Join(append([]string{keys}, declaredKeys(workload.Named(f.Workload))...), ", ")
	}
	return keys
}

var wants = map[string]string{
	"":          "an object",
	"workload":  "a string",
	"language":  "a string",
	"framework": "a string",
	"build":     "a list of strings, the command's words",
	"run":       "a list of strings, the command's words",
	"was":       "a list of names",
	"versions":  "an object of component to command, a list of strings",
}

func line(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
}

// checkKeys refuses what encoding/json accepts and another reader reads differently: a key that is there twice, and one
// in another case. data is JSON that was decoded before.
func checkKeys(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber() // a number may be larger than a float64
	return checkValue(dec, data, nil)
}

// checkValue reads one value. way has the keys on the way to it.
func checkValue(dec *json.Decoder, data []byte, way []string) error {
	begin, err := dec.Token()
	if err != nil || begin != json.Delim('{') && begin != json.Delim('[') {
		return err
	}
	known, seen := strings.Split(keysAt(way), ", "), map[string]bool{}
	for dec.More() {
		below := way
		if begin == json.Delim('{') {
			token, err := dec.Token()
			if err != nil {
				return err
			}
			key := token.(string) // of an object
			i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, key) })
			if i >= 0 && known[i] != key {
				return fmt.Errorf("line %d: key %q is unknown; want %q", line(data, dec.InputOffset()), key, known[i])
			}
			if seen[key] {
				return fmt.Errorf("line %d: key %q is there twice; want it once", line(data, dec.InputOffset()), key)
			}
			seen[key] = true
			below = append(way, key) // nobody keeps it
		}
		if err := checkValue(dec, data, below); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

// keysAt lists the keys of an object; "" if it may have any.
func keysAt(way []string) string {
	switch {
	case len(way) == 0:
		names := []string{keys}
		for _, key := range (Keys{}).all() {
			names = append(names, key.name)
		}
		return strings.Join(names, ", ")
	case way[0] == "requests":
		return KeysAt(way[1:])
	}
	return ""
}
