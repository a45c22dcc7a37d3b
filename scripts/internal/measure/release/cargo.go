package release

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// cargo pins crates.
type cargo struct{}

func (cargo) lock() string { return "Cargo.lock" }

var (
	lockedForm = regexp.MustCompile(`(?m)^\[\[package\]\]\nname = "([^"]+)"\nversion = "([^"]+)"(\nsource = "registry)?`)
	// askedForm finds the crates of Cargo.toml: axum = "0.8", or axum = { version = "0.8", ... }, or a table of its own.
	askedForm = regexp.MustCompile(`(?m)^(?:([\w-]+) *= *[{"]|\[dependencies\.([\w-]+)\])`)
)

func (c cargo) pinned(dir string) (versions map[string]string, direct map[string]bool, err error) {
	text, err := os.ReadFile(filepath.Join(dir, c.lock()))
	if err != nil {
		return nil, nil, err
	}
	versions, direct = map[string]string{}, map[string]bool{}
	for _, m := range lockedForm.FindAllStringSubmatch(string(text), -1) {
		switch name, version := m[1], m[2]; {
		case m[3] == "": // the server itself, or a crate of a path or of git
		case versions[name] == "":
			versions[name] = version
		default:
			versions[name] += "," + version
		}
	}
	asked, err := os.ReadFile(filepath.Join(dir, "Cargo.toml"))
	if err != nil {
		return nil, nil, err
	}
	for _, m := range askedForm.FindAllStringSubmatch(string(asked), -1) {
		if name := m[1] + m[2]; versions[name] != "" {
			direct[name] = true
		}
	}
	return versions, direct, nil
}

// published reads the index of crates.io, since no command of cargo lists versions with their dates.
func (cargo) published(ctx context.Context, _, name string) (all []Release, err error) {
	lower := strings.ToLower(name)
	path := lower[:1] + "/" + lower
	switch n := len(lower); {
	case n == 3:
		path = "3/" + path
	case n < 3:
		path = fmt.Sprintf("%d/%s", n, lower)
	default:
		path = lower[:2] + "/" + lower[2:4] + "/" + lower
	}
	var text []byte
	if err := get(ctx, "https://index.crates.io/"+path, &text); err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		var of struct {
			Vers    string
			Yanked  bool
			Pubtime time.Time
		}
		if err := json.Unmarshal([]byte(line), &of); err != nil {
			return nil, fmt.Errorf("index of crates.io: %w", err)
		}
		if !of.Yanked {
			all = append(all, Release{name, of.Vers, of.Pubtime})
		}
	}
	return all, nil
}

// use pins a crate of Cargo.toml, or one that another crate asks for.
func (c cargo) use(ctx context.Context, dir string, r Release) error {
	_, direct, err := c.pinned(dir)
	if err != nil {
		return err
	}
	if direct[r.Package] {
		if _, err := command(ctx, dir, "cargo", "add", "--quiet", r.Package+"@="+r.Version); err != nil {
			return err
		}
	}
	_, err = command(ctx, dir, "cargo", "update", "--quiet", "--package", r.Package, "--precise", r.Version)
	return err
}
