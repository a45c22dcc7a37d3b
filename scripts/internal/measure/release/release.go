// Package release knows the releases of packages. It lists those in a registry, makes a copy of a server use one, and
// compares the packages of two copies. It asks the tools of each language, which write lock files their own way.
package release

import (
	"bytes"
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
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
)

// A Release is a version of a package in a registry.
type Release struct {
	Package, Version string
	Time             time.Time // zero: unknown
}

var form = regexp.MustCompile(`^(@?[A-Za-z0-9][\w./-]*)@v?(\d+\.\d+[\w.+-]*)$`)

// Parse reads PACKAGE@VERSION, such as hono@4.12.0.
func Parse(text string) (r Release, ok bool) {
	m := form.FindStringSubmatch(text)
	if m == nil {
		return r, false
	}
	return Release{Package: m[1], Version: m[2]}, true
}

func (r Release) String() string { return r.Package + "@" + r.Version }

// stableForm is that of a version, unless it is a prerelease.
var stableForm = regexp.MustCompile(`^\d+(\.\d+)*$`)

// Compare orders stable versions by their numbers.
func Compare(a, b Release) int {
	numbers := func(r Release) (all []int) {
		for part := range strings.SplitSeq(r.Version, ".") {
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
	// published lists all releases in the registry, by their full name.
	published(ctx context.Context, dir, name string) ([]Release, error)
	// use pins a version.
	use(ctx context.Context, dir string, r Release) error
}

var packagers = []packager{npm{}, gomod{}, cargo{}, pip{}}

// find returns the packager of a server that pins a package, and the package's full name.
func find(s server.Server, name string) (of packager, full string, err error) {
	var fits, locks, have []string
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
		for _, full := range slices.Sorted(maps.Keys(direct)) {
			if short(full) == short(name) {
				fits, of = append(fits, full), p
			}
		}
		locks = append(locks, p.lock())
		have = append(have, slices.Sorted(maps.Keys(direct))...)
	}
	switch len(fits) {
	case 0:
	case 1:
		return of, fits[0], nil
	default:
		return nil, "", cli.Usagef("%s: %s may be %s; name one of them", s.ID(), name, strings.Join(fits, " or "))
	}
	if locks == nil {
		for _, p := range packagers {
			locks = append(locks, p.lock())
		}
		return nil, "", cli.Usagef("%s: has no lock file in its directory; want one of %s", s.ID(), strings.Join(locks, ", "))
	}
	return nil, "", cli.Usagef("%s: does not use the package %s; its %s has %s", s.ID(), name, strings.Join(locks, " and "), strings.Join(have, ", "))
}

// Published lists the stable releases of a package of a server, the oldest first.
func Published(ctx context.Context, s server.Server, name string) ([]Release, error) {
	p, full, err := find(s, name)
	if err != nil {
		return nil, err
	}
	all, err := p.published(ctx, s.Dir, full)
	if err != nil {
		return nil, fmt.Errorf("versions of %s: %w", full, err)
	}
	all = slices.DeleteFunc(all, func(r Release) bool { return !stableForm.MatchString(r.Version) })
	if len(all) == 0 {
		return nil, fmt.Errorf("versions of %s: the registry has no stable one", full)
	}
	slices.SortFunc(all, Compare)
	return all, nil
}

// Range lists the stable releases of a package from one version to another, both included; to may be older, and "" is the
// newest.
func Range(ctx context.Context, s server.Server, name, from, to string) ([]Release, error) {
	all, err := Published(ctx, s, name)
	if err != nil {
		return nil, err
	}
	to = cmp.Or(to, all[len(all)-1].Version)
	var at [2]int
	for i, version := range []string{from, to} {
		at[i] = slices.IndexFunc(all, func(r Release) bool { return r.Version == version })
		if at[i] < 0 {
			return nil, cli.Usagef("%s@%s: no stable version in the registry; `scripts/bench releases %[1]s %[3]s` lists them", name, version, s.ID())
		}
	}
	if at[0] > at[1] {
		slices.Reverse(all)
		at = [2]int{len(all) - 1 - at[0], len(all) - 1 - at[1]}
	}
	return all[at[0] : at[1]+1], nil
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
// them, or if anything else differs. moved are all others.
func Changes(base, head server.Server, chosen string) (bump string, moved []string, err error) {
	var asked [][3]string // that changed: its text, and both versions
	for _, p := range packagers {
		was, wanted, err := p.pinned(base.Dir)
		if os.IsNotExist(err) {
			continue
		}
		is, wants, err2 := p.pinned(head.Dir)
		if err := cmp.Or(err, err2); err != nil {
			return "", nil, err
		}
		all := maps.Clone(was)
		maps.Copy(all, is)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			text := fmt.Sprintf("%s %s to %s", name, cmp.Or(was[name], "none"), cmp.Or(is[name], "none"))
			switch {
			case was[name] == is[name] || !raw.VersionsForm.MatchString(text): // a lock file may be forged
			case name == chosen || chosen == "" && (wanted[name] || wants[name]):
				asked = append(asked, [3]string{text, was[name], is[name]})
			default:
				moved = append(moved, text)
			}
		}
	}
	if len(asked) == 1 {
		only := chosen != ""
		if one := asked[0]; !only && one[1] != "" && one[2] != "" {
			only, err = sameCode(base, head, one[1], one[2])
		}
		if only {
			return asked[0][0], moved, err
		}
	}
	for i, of := range asked {
		moved = slices.Insert(moved, i, of[0])
	}
	return "", moved, err
}

// requireForm finds the modules of a go.mod, which is its lock file too.
var requireForm = regexp.MustCompile(`(?ms)^require \(.*?^\)|^require [^(\n]*$`)

var majorForm = regexp.MustCompile(`/v\d+$`)

// short is what people call a package: fiber for github.com/gofiber/fiber/v3. Names on PyPI have no case, and any of - _ .
func short(name string) string {
	if strings.HasPrefix(name, "@") {
		return name
	}
	return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(path.Base(majorForm.ReplaceAllString(name, ""))))
}

// sameCode reports whether two copies of a server differ in a version of the manifest alone, and in lock files.
func sameCode(base, head server.Server, was, is string) (bool, error) {
	x, err := code(base, was, is)
	if err != nil {
		return false, err
	}
	y, err := code(head, is, is)
	return maps.Equal(x, y), err
}

// code hashes the files of a server, with another version in its manifest. Its lock files are left out.
func code(s server.Server, old, version string) (map[string][sha256.Size]byte, error) {
	top, all := cmp.Or(s.Whole, s.Dir), map[string][sha256.Size]byte{}
	return all, filepath.WalkDir(top, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		if filepath.Dir(name) == filepath.Clean(s.Dir) {
			switch d.Name() {
			case "package-lock.json", "go.sum", "Cargo.lock", "requirements.txt":
				return nil
			case "go.mod":
				text = requireForm.ReplaceAll(text, nil)
				fallthrough
			case "package.json", "Cargo.toml", "requirements.in":
				text = bytes.ReplaceAll(text, []byte(old), []byte(version))
			}
		}
		all[strings.TrimPrefix(name, top)] = sha256.Sum256(text)
		return err
	})
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
