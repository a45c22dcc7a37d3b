package release

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// pip pins packages of Python. requirements.in asks for them, and uv writes requirements.txt.
type pip struct{}

const (
	askedFile = "requirements.in"
	uvPrefix  = "uv pip compile "
)

func (pip) lock() string { return "requirements.txt" }

// askForm finds the packages that requirements.in asks for, with any limit of the version.
var askForm = regexp.MustCompile(`(?m)^([A-Za-z0-9][\w.-]*)`)

var pinForm = regexp.MustCompile(`(?m)^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])? *== *([\w.+!-]+)`)

func (p pip) pinned(dir string) (versions map[string]string, direct map[string]bool, err error) {
	text, err := os.ReadFile(filepath.Join(dir, p.lock()))
	if err != nil {
		return nil, nil, err
	}
	asked, err := os.ReadFile(filepath.Join(dir, askedFile))
	if errors.Is(err, os.ErrNotExist) {
		asked, err = text, nil // it is written by hand
	}
	versions, direct = map[string]string{}, map[string]bool{}
	for _, m := range pinForm.FindAllStringSubmatch(string(text), -1) {
		versions[short(m[1])] = m[2]
	}
	for _, m := range askForm.FindAllStringSubmatch(string(asked), -1) {
		direct[short(m[1])] = true
	}
	return versions, direct, err
}

func (pip) published(ctx context.Context, _, name string) (all []Release, err error) {
	var of struct {
		Releases map[string][]struct {
			Time   time.Time `json:"upload_time_iso_8601"`
			Yanked bool
		}
	}
	if err := get(ctx, "https://pypi.org/pypi/"+name+"/json", &of); err != nil {
		return nil, err
	}
	for version, uploads := range of.Releases {
		if len(uploads) > 0 && !uploads[0].Yanked {
			all = append(all, Release{name, version, uploads[0].Time})
		}
	}
	return all, nil
}

// use changes the line of a package, or adds one, and runs the command that wrote the lock file before.
func (p pip) use(ctx context.Context, dir string, r Release) error {
	lock, err := os.ReadFile(filepath.Join(dir, p.lock()))
	if err != nil {
		return err
	}
	_, line, _ := strings.Cut(string(lock), uvPrefix)
	line, _, _ = strings.Cut(line, "\n")
	args := strings.Fields(line)
	asked, err := os.ReadFile(filepath.Join(dir, askedFile))
	if err != nil || args == nil {
		return fmt.Errorf("want a %s, and a %s that uv made from it: uv pip compile --generate-hashes %[1]s -o %[2]s", askedFile, p.lock())
	}
	if _, err := exec.LookPath("uv"); err != nil {
		return errors.New("uv is not installed, and it writes requirements.txt: python3 -m pip install uv")
	}
	found := false
	text := pinForm.ReplaceAllStringFunc(string(asked), func(line string) string {
		m := pinForm.FindStringSubmatch(line)
		if short(m[1]) != r.Package {
			return line
		}
		found = true
		return strings.TrimSuffix(line, m[2]) + r.Version
	})
	if !found {
		text = strings.TrimRight(text, "\n") + "\n" + r.Package + "==" + r.Version + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, askedFile), []byte(text), 0o644); err != nil {
		return err
	}
	_, err = command(ctx, dir, append(strings.Fields(uvPrefix), args...)...)
	return err
}
