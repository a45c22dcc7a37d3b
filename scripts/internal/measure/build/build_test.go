package build

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
)

func TestAVersionIsFoundInOutput(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"1.4.5", "1.4.5"},
		{"1.4.5\n", "1.4.5"},
		{"1.4", "1.4"},
		{"10.20.30", "10.20.30"},
		{"v22.11.0", "22.11.0"},
		{"go1.26.8", "1.26.8"},
		{"go version go1.26.8 linux/amd64", "1.26.8"},
		{"go version go1.27rc1 linux/amd64", "1.27rc1"},
		{"rustc 1.95.0 (59807616e 2026-04-14)", "1.95.0"},
		{"rustc 1.97.0-nightly (59807616e 2026-04-14)", "1.97.0-nightly"},
		{"registry+https://example.org/index#axum@0.8.9", "0.8.9"},
		{"registry+https://example.org/index#axum@0.8.9-rc.1", "0.8.9-rc.1"},
		{"github.com/gin-gonic/gin v1.12.0", "1.12.0"},
		{"golang.org/x/sys v0.0.0-20260101120000-abcdef012345", "0.0.0-20260101120000-abcdef012345"},
		{"k6 v1.8.1 (go1.26.8, linux/amd64)", "1.8.1"},
		{"sysstat version 12.6.1\n(C) Sebastien Godard", "12.6.1"},
		{"1.2.3-rc.1", "1.2.3-rc.1"},
		{"1.2.3-rc.1+build.5", "1.2.3-rc.1+build.5"},
		{"1.2.3+build.5, built today", "1.2.3+build.5"},
		{"(1.2.3-beta)", "1.2.3-beta"},
		{"OpenSSL 1.1.1w", "1.1.1"},
		{"Python 3.13.0", "3.13.0"},
		{"Python 3.14.0rc2", "3.14.0rc2"},
		{"program-1.2.3 or so", "1.2.3"},
		{"h2 3.1.0", "3.1.0"},
		{"sha1.5 0.9.1", "0.9.1"},
		{"version 5, revision 2.7.1", "2.7.1"},
	} {
		got, err := Version(c.output)
		if err != nil || got != c.want {
			t.Errorf("%q: got %q, %v; want %q", c.output, got, err, c.want)
		}
	}
}

func TestOutputWithoutAVersionIsAnError(t *testing.T) {
	for output, want := range map[string]string{
		"":                    `no version such as 1.2.3 but ""`,
		"\n":                  `no version such as 1.2.3 but ""`,
		"(devel)\n":           `no version such as 1.2.3 but "(devel)"`,
		"42":                  `no version such as 1.2.3 but "42"`,
		"2026-04-14 10:00:00": `no version such as 1.2.3 but "2026-04-14 10:00:00"`,
		"abc1.2.3":            `no version such as 1.2.3 but "abc1.2.3"`,
	} {
		if got, err := Version(output); err == nil || err.Error() != want {
			t.Errorf("%q: got %q, %v; want %s", output, got, err, want)
		}
	}
}

func sh(script string) []string { return []string{"sh", "-c", script} }

func TestAServerIsBuiltInItsDirectory(t *testing.T) {
	s := server.Server{Name: "gin", Dir: t.TempDir(), Build: sh("echo built >server")}
	if err := Server(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(s.Dir, "server")); string(data) != "built\n" {
		t.Errorf("the build wrote %q, %v", data, err)
	}
}

func TestAFailedBuildIsAnErrorWithTheServersNameAndTheLastLines(t *testing.T) {
	for _, c := range []struct {
		build []string
		want  string
	}{
		{sh("echo 'main.go:3: no' >&2; exit 2"), "build: gin: sh: exited with status 2; its last lines:\n    main.go:3: no\n    the command is \"build\" in server.json"},
		{sh("seq 13; exit 1"), "build: gin: sh: exited with status 1; its first and last lines:\n    1\n    2\n    ...\n    5\n    6\n    7\n    8\n    9\n    10\n    11\n    12\n    13\n    the command is \"build\" in server.json"},
		{[]string{"no-such-compiler"}, "build: gin: no-such-compiler: no such program; install it, or correct its name\n    the command is \"build\" in server.json"},
	} {
		err := Server(t.Context(), server.Server{Name: "gin", Dir: t.TempDir(), Build: c.build})
		if err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

func TestABuildEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := server.Server{Name: "gin", Dir: t.TempDir(), Build: sh("sleep 1000"), Versions: map[string][]string{"gin": sh("sleep 1000")}}
	if err := Server(ctx, s); !errors.Is(err, context.Canceled) {
		t.Errorf("Build: got %v, want %v", err, context.Canceled)
	}
	if _, err := ServerVersions(ctx, s); !errors.Is(err, context.Canceled) {
		t.Errorf("Versions: got %v, want %v", err, context.Canceled)
	}
}

func TestTheVersionOfEachComponentIsAskedInTheServersDirectory(t *testing.T) {
	s := server.Server{Name: "gin", Dir: t.TempDir(), Versions: map[string][]string{
		"go":  sh("echo go version go1.26.8 linux/amd64"),
		"gin": {"cat", "gin.txt"},
	}}
	testfile.Write(t, filepath.Join(s.Dir, "gin.txt"), "github.com/gin-gonic/gin v1.12.0\n")
	got, err := ServerVersions(t.Context(), s)
	if want := map[string]string{"go": "1.26.8", "gin": "1.12.0"}; err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

func TestAMissingVersionNamesItsComponent(t *testing.T) {
	for _, c := range []struct {
		command []string
		want    string
	}{
		{sh("echo not built; exit 1"), "build: gin: version of go: sh: exited with status 1; its last lines:\n    not built\n    the command is \"versions\" in server.json"},
		{sh("echo '1.2.3' >&2"), `build: gin: version of go: "sh -c echo '1.2.3' >&2" printed nothing to standard output; if it prints to standard error, correct "versions" in server.json: ["sh", "-c", "sh -c echo '1.2.3' >&2 2>&1"]`},
		{[]string{"echo", "devel"}, `build: gin: version of go: "echo devel" printed no version such as 1.2.3 but "devel"; correct "versions" in server.json`},
	} {
		s := server.Server{Name: "gin", Dir: t.TempDir(), Versions: map[string][]string{"go": c.command}}
		if got, err := ServerVersions(t.Context(), s); err == nil || err.Error() != c.want || got != nil {
			t.Errorf("got  %v, %v\nwant %s", got, err, c.want)
		}
	}
}
