// Package release knows the releases of packages. It lists those in a registry, makes a copy of a server use one, and
// compares the packages of two copies. It asks the tools of each language, which write lock files their own way.
package release

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
)

// A Release is a version of a package in a registry.
type Release struct{ Package, Version string }

var form = regexp.MustCompile(`^(@?[A-Za-z0-9][\w./-]*)@v?(\d+\.\d+[\w.+-]*)$`)

// Parse reads PACKAGE@VERSION, such as hono@4.12.0.
func Parse(text string) (r Release, ok bool) {
	m := form.FindStringSubmatch(text)
	if m == nil {
		return r, false
	}
	return Release{m[1], m[2]}, true
}

func (r Release) String() string { return r.Package + "@" + r.Version }

// A Version is published in a registry.
type Version struct {
	Number string
	Time   time.Time // zero: unknown
}

// stableForm is that of a version, unless it is a prerelease.
var stableForm = regexp.MustCompile(`^\d+(\.\d+)*$`)

// Compare orders stable versions by their numbers.
func Compare(a, b Version) int {
	numbers := func(v Version) (all []int) {
		for part := range strings.SplitSeq(v.Number, ".") {
			n, err := strconv.Atoi(part)
			if err != nil {
				n = -1 // a prerelease, which no list has
			}
			all = append(all, n)
		}
		return all
	}
	return slices.Compare(numbers(a), numbers(b))
}

// A packager is a tool that pins the packages of a directory.
type packager interface {
	// lock is its file with exact versions.
	lock() string
	// pinned are the versions in a directory, and which packages the server itself asks for.
	pinned(dir string) (versions map[string]string, direct map[string]bool, err error)
	// published lists all versions in the registry.
	published(ctx context.Context, dir, name string) ([]Version, error)
	// use pins a version.
	use(ctx context.Context, dir string, r Release) error
}

var packagers = []packager{npm{}, gomod{}, cargo{}, pip{}}

// find returns the packager of a server that pins a package, and the package's full name.
func find(s server.Server, name string) (packager, string, error) {
	var locks, have []string
	for _, p := range packagers {
		versions, direct, err := p.pinned(s.Dir)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", s.ID(), err)
		}
		if versions[name] != "" {
			return p, name, nil
		}
		for full := range direct {
			if short(full) == short(name) {
				return p, full, nil
			}
		}
		locks = append(locks, p.lock())
		have = append(have, slices.Sorted(maps.Keys(direct))...)
	}
	if locks == nil {
		for _, p := range packagers {
			locks = append(locks, p.lock())
		}
		return nil, "", cli.Usagef("%s: has no lock file in its directory; want one of %s", s.ID(), strings.Join(locks, ", "))
	}
	return nil, "", cli.Usagef("%s: does not use the package %s; its %s has %s", s.ID(), name, strings.Join(locks, " and "), strings.Join(have, ", "))
}

// Published lists the stable versions of a package of a server, the oldest first.
func Published(ctx context.Context, s server.Server, name string) ([]Version, error) {
	p, full, err := find(s, name)
	if err != nil {
		return nil, err
	}
	all, err := p.published(ctx, s.Dir, full)
	if err != nil {
		return nil, fmt.Errorf("versions of %s: %w", full, err)
	}
	all = slices.DeleteFunc(all, func(v Version) bool { return !stableForm.MatchString(v.Number) })
	if len(all) == 0 {
		return nil, fmt.Errorf("versions of %s: the registry has no stable one", full)
	}
	slices.SortFunc(all, Compare)
	return all, nil
}

// Range lists the stable releases of a package from one to another, both included.
func Range(ctx context.Context, s server.Server, from, to Release) (all []Release, err error) {
	versions, err := Published(ctx, s, from.Package)
	if err != nil {
		return nil, err
	}
	for _, end := range []Release{from, to} {
		if !slices.ContainsFunc(versions, func(v Version) bool { return v.Number == end.Version }) {
			return nil, cli.Usagef("%s: no stable version in the registry; `scripts/bench releases %s %s` lists them", end, end.Package, s.ID())
		}
	}
	backwards := Compare(Version{Number: from.Version}, Version{Number: to.Version}) > 0
	if backwards {
		from, to = to, from
	}
	for _, v := range versions {
		if Compare(v, Version{Number: from.Version}) >= 0 && Compare(v, Version{Number: to.Version}) <= 0 {
			all = append(all, Release{from.Package, v.Number})
		}
	}
	if backwards {
		slices.Reverse(all)
	}
	return all, nil
}

// Use pins a release in the directory of a server, and changes the server's commands where they choose it. The tool of
// the language writes the lock file, so a package that the release itself asks for may move too. full is the package's
// name there.
func Use(ctx context.Context, s *server.Server, r Release) (full string, err error) {
	p, full, err := find(*s, r.Package)
	if err != nil {
		return "", err
	}
	r.Package = full
	if err := p.use(ctx, s.Dir, r); err != nil {
		return "", fmt.Errorf("%s: %w", r, err)
	}
	versions, _, err := p.pinned(s.Dir)
	if err == nil && versions[full] != r.Version {
		err = fmt.Errorf("%s: %s has %s afterwards; another package may ask for it", r, p.lock(), versions[full])
	}
	if full == goItself {
		s.Build = withGo(r.Version, s.Build)
		s.Versions = maps.Clone(s.Versions)
		for component, command := range s.Versions {
			s.Versions[component] = withGo(r.Version, command)
		}
	}
	return full, err
}

// Changes compares the packages of two copies of a server. bump is the package that was chosen, such as "hono 4.11.9 to
// 4.12.0". Without a choice it is the only one that the server asks for and that changed; "" if there is another number of
// them, or if other files differ too. moved are all others.
func Changes(base, head server.Server, chosen string) (bump string, moved []string, err error) {
	var bumps []string
	for _, p := range packagers {
		was, asked, err := p.pinned(base.Dir)
		if os.IsNotExist(err) {
			continue
		}
		is, direct, err2 := p.pinned(head.Dir)
		if err := cmp.Or(err, err2); err != nil {
			return "", nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(union(was, is))) {
			if was[name] == is[name] {
				continue
			}
			text := fmt.Sprintf("%s %s to %s", name, cmp.Or(was[name], "none"), cmp.Or(is[name], "none"))
			if name == chosen || chosen == "" && asked[name] && direct[name] {
				bumps = append(bumps, text)
			} else {
				moved = append(moved, text)
			}
		}
	}
	same := chosen != ""
	if len(bumps) == 1 && !same {
		same, err = sameCode(cmp.Or(base.Whole, base.Dir), cmp.Or(head.Whole, head.Dir))
	}
	if len(bumps) == 1 && same {
		return bumps[0], moved, err
	}
	return "", append(bumps, moved...), err
}

var majorForm = regexp.MustCompile(`/v\d+$`)

// short is what people call a package: fiber for github.com/gofiber/fiber/v3. Names on PyPI have no case, and any of - _ .
func short(name string) string {
	if strings.HasPrefix(name, "@") {
		return name
	}
	return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(path.Base(majorForm.ReplaceAllString(name, ""))))
}

func union(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// manifests are the files that name packages.
var manifests = []string{"package.json", "package-lock.json", "go.mod", "go.sum", "Cargo.toml", "Cargo.lock", "requirements.in", "requirements.txt"}

// sameCode reports whether two directories differ in manifests alone.
func sameCode(a, b string) (bool, error) {
	of := func(dir string) (map[string][sha256.Size]byte, error) {
		all := map[string][sha256.Size]byte{}
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || slices.Contains(manifests, d.Name()) {
				return err
			}
			text, err := os.ReadFile(path)
			all[strings.TrimPrefix(path, dir)] = sha256.Sum256(text)
			return err
		})
		return all, err
	}
	x, err := of(a)
	if err != nil {
		return false, err
	}
	y, err := of(b)
	return maps.Equal(x, y), err
}

// command runs a tool in a directory. A module may want a newer Go than that of the machine.
func command(ctx context.Context, dir string, args ...string) (string, error) {
	return process.Output(ctx, process.Command{Args: args, Dir: dir, Env: []string{"GOTOOLCHAIN=auto"}})
}

// mostBytes limits an answer of a registry.
const mostBytes = 64 << 20

// get asks a registry, and reads the answer into a value: from JSON, or as it is into bytes.
func get(ctx context.Context, url string, v any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, answer.Status)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostBytes))
	if whole, ok := v.(*[]byte); ok {
		*whole = text
	} else if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	return nil
}
