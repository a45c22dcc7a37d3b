package release

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// npm pins packages of Node.js and Bun, and Bun itself.
type npm struct{}

func (npm) lock() string { return "package-lock.json" }

func (n npm) pinned(dir string) (versions map[string]string, direct map[string]bool, err error) {
	text, err := os.ReadFile(filepath.Join(dir, n.lock()))
	if err != nil {
		return nil, nil, err
	}
	var of struct {
		Packages map[string]struct {
			Version                       string
			OS                            any // it is for these alone
			Dependencies, DevDependencies map[string]string
		}
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", n.lock(), err)
	}
	versions, direct = map[string]string{}, map[string]bool{}
	for _, names := range []map[string]string{of.Packages[""].Dependencies, of.Packages[""].DevDependencies} {
		for name := range names {
			direct[name] = true
		}
	}
	for path, p := range of.Packages {
		name, ok := strings.CutPrefix(path, "node_modules/")
		if ok && (p.OS == nil || direct[name]) { // a part for one system moves with the package that wants it
			versions[strings.ReplaceAll(name, "/node_modules/", "/")] = p.Version
		}
	}
	return versions, direct, nil
}

func (npm) published(ctx context.Context, dir, name string) (all []Release, err error) {
	out, err := command(ctx, dir, "npm", "view", name, "versions", "time", "--json")
	if err != nil {
		return nil, err
	}
	var of struct {
		Versions []string
		Time     map[string]time.Time
	}
	if err := json.Unmarshal([]byte(out), &of); err != nil {
		return nil, fmt.Errorf("npm view %s: %w", name, err)
	}
	for _, v := range of.Versions {
		all = append(all, Release{name, v, of.Time[v]})
	}
	return all, nil
}

func (n npm) use(ctx context.Context, dir string, r Release) error {
	_, direct, err := n.pinned(dir)
	if err != nil {
		return err
	}
	if !direct[r.Package] {
		return fmt.Errorf("package.json does not ask for it; add it in a commit first: npm install --save-exact %s", r.Package)
	}
	if err := n.limitScripts(ctx, dir); err != nil {
		return err
	}
	_, err = command(ctx, dir, "npm", "install", "--package-lock-only", "--ignore-scripts", "--save-exact", "--no-audit", "--no-fund", r.String())
	return err
}

// limitScripts makes npm refuse install scripts of packages that allowScripts of package.json does not name. By itself npm
// only warns. An npm that does not know the setting runs no scripts.
func (npm) limitScripts(ctx context.Context, dir string) error {
	known, err := command(ctx, dir, "npm", "config", "get", "strict-allow-scripts")
	if err != nil {
		return err
	}
	manifest, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return err
	}
	setting := "strict-allow-scripts=true"
	if strings.TrimSpace(known) == "undefined" {
		if setting = "ignore-scripts=true"; strings.Contains(string(manifest), `"allowScripts"`) {
			return errors.New("this npm cannot limit install scripts to those of allowScripts; update it: npm install --global npm@latest")
		}
	}
	file, err := os.OpenFile(filepath.Join(dir, ".npmrc"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString("\n" + setting + "\n")
	return errors.Join(err, file.Close())
}
