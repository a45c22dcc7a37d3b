package release

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/sync/errgroup"
)

// gomod pins Go modules, and the Go toolchain under the name go.
type gomod struct{}

const goItself = "go"

func (gomod) lock() string { return "go.mod" }

func (g gomod) file(dir string) (*modfile.File, error) {
	text, err := os.ReadFile(filepath.Join(dir, g.lock()))
	if err != nil {
		return nil, err
	}
	return modfile.Parse(g.lock(), text, nil)
}

func (g gomod) pinned(dir string) (versions map[string]string, direct map[string]bool, err error) {
	f, err := g.file(dir)
	if err != nil {
		return nil, nil, err
	}
	versions, direct = map[string]string{}, map[string]bool{goItself: true}
	for _, r := range f.Require {
		versions[r.Mod.Path], direct[r.Mod.Path] = strings.TrimPrefix(r.Mod.Version, "v"), !r.Indirect
	}
	switch {
	case f.Toolchain != nil:
		versions[goItself] = strings.TrimPrefix(f.Toolchain.Name, "go")
	case f.Go != nil:
		versions[goItself] = f.Go.Version
	}
	return versions, direct, nil
}

func (g gomod) published(ctx context.Context, dir, name string) (all []Release, err error) {
	if name == goItself {
		return g.toolchains(ctx, dir)
	}
	out, err := command(ctx, dir, "go", "list", "-m", "-versions", "-f", "{{range .Versions}}{{.}}\n{{end}}", name)
	if err != nil {
		return nil, err
	}
	args := []string{"go", "list", "-m", "-json"}
	for v := range strings.FieldsSeq(out) {
		args = append(args, name+"@"+v)
	}
	if out, err = command(ctx, dir, args...); err != nil {
		return nil, err
	}
	for in := json.NewDecoder(strings.NewReader(out)); ; {
		var of struct {
			Version string
			Time    time.Time
		}
		if err := in.Decode(&of); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list -m -json %s: %w", name, err)
		}
		all = append(all, Release{name, strings.TrimPrefix(of.Version, "v"), of.Time})
	}
}

// toolchains are the versions of Go for this machine, which the module proxy lists as a module. Its versions are
// prereleases to the go command, such as v0.0.1-go1.26.8.linux-amd64, so that it does not list them.
func (gomod) toolchains(ctx context.Context, dir string) (all []Release, err error) {
	out, err := command(ctx, dir, "go", "env", "GOPROXY")
	if err != nil {
		return nil, err
	}
	proxy, _, _ := strings.Cut(strings.TrimSpace(out), ",")
	if !strings.HasPrefix(proxy, "https://") {
		return nil, fmt.Errorf("GOPROXY is %q, which has no list of toolchains; want an address", proxy)
	}
	module := proxy + "/golang.org/toolchain/@v/"
	var list []byte
	if err := get(ctx, module+"list", &list); err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(list)) {
		number, ok := strings.CutPrefix(strings.TrimSpace(line), "v0.0.1-go")
		number, mine := strings.CutSuffix(number, "."+runtime.GOOS+"-"+runtime.GOARCH)
		if ok && mine && stableForm.MatchString(number) {
			all = append(all, Release{Package: goItself, Version: number})
		}
	}
	var group errgroup.Group
	group.SetLimit(8)
	for i := range all {
		group.Go(func() error {
			var of struct{ Time time.Time }
			err := get(ctx, fmt.Sprintf("%sv0.0.1-go%s.%s-%s.info", module, all[i].Version, runtime.GOOS, runtime.GOARCH), &of)
			all[i].Time = of.Time
			return err
		})
	}
	return all, group.Wait()
}

// use pins a module with what it asks for, or the Go toolchain. The go line chooses the language and its defaults, so it
// stays, unless it wants a newer Go.
func (g gomod) use(ctx context.Context, dir string, r Release) error {
	f, err := g.file(dir)
	if err != nil {
		return err
	}
	if r.Package == goItself {
		line, toolchain := r.Version, "none" // the go command refuses a toolchain line that says no more
		if f.Go != nil && Compare(r, Release{Version: f.Go.Version}) > 0 {
			line, toolchain = f.Go.Version, "go"+r.Version
		}
		_, err := command(ctx, dir, "env", "GOTOOLCHAIN=go"+r.Version, "go", "mod", "edit", "-go="+line, "-toolchain="+toolchain)
		return err
	}
	for _, replaced := range f.Replace {
		if replaced.Old.Path == r.Package {
			return fmt.Errorf("go.mod replaces it by %s; remove that line", replaced.New.Path)
		}
	}
	if _, err := command(ctx, dir, "go", "get", r.Package+"@v"+r.Version); err != nil {
		return err
	}
	_, err = command(ctx, dir, "go", "mod", "tidy")
	return err
}

// withGo runs a command with a version of Go, also one that is older than that of the machine.
func withGo(version string, command []string) []string {
	return append([]string{"env", "GOTOOLCHAIN=go" + version}, command...)
}
