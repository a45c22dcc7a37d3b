package pipeline

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

// A job of main finds archives that earlier jobs fetched, and nothing else of them. A job that changes an archive, or
// puts another in its place, gets no code into the next one.
func TestArchivesThatMainKeepsAreCheckedAtEachUse(t *testing.T) {
	list, err := os.ReadFile(filepath.Join(source, "gate/fairstream-main.conf"))
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.Lines(string(list)) {
		if pattern, ok := strings.CutPrefix(strings.TrimSpace(line), "keep /var/lib/fairstream/fairstream-main/home/"); ok {
			kept = append(kept, pattern)
		}
	}
	home := t.TempDir()
	t.Cleanup(func() { exec.Command("chmod", "-R", "u+w", home).Run() }) // Go's modules are read-only
	write := func(name string, content []byte) {
		t.Helper()
		testfile.Write(t, filepath.Join(home, name), string(content))
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output() // of packages that are not the subject
	if err != nil {
		t.Fatal(err)
	}
	try := func(args ...string) (string, error) {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = filepath.Join(home, "work")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GOPROXY=off", "GONOSUMDB=*", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local", "GOCACHE=" + strings.TrimSpace(string(cache))}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}

	modFile := []byte("module example.com/a\n")
	files := [][2]string{{"a.go", "package a\n"}, {"go.mod", string(modFile)}} // in the order of their names, as the hash has them
	archive := func(added string) []byte {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		for _, file := range files {
			w, err := z.Create("example.com/a@v1.0.0/" + file[0])
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(w, file[1]) // Close reports it
			if file[0] == "a.go" {
				fmt.Fprint(w, added) // as above
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	var sums, modSums strings.Builder
	for _, file := range files {
		fmt.Fprintf(&sums, "%x  example.com/a@v1.0.0/%s\n", sha256.Sum256([]byte(file[1])), file[0])
	}
	fmt.Fprintf(&modSums, "%x  go.mod\n", sha256.Sum256(modFile))
	h1 := func(lines string) string {
		sum := sha256.Sum256([]byte(lines))
		return "h1:" + base64.StdEncoding.EncodeToString(sum[:])
	}
	write("work/go.mod", []byte("module m\n\ngo 1.26\n\nrequire example.com/a v1.0.0\n"))
	write("work/go.sum", fmt.Appendf(nil, "example.com/a v1.0.0 %s\nexample.com/a v1.0.0/go.mod %s\n", h1(sums.String()), h1(modSums.String())))
	write("work/m.go", []byte("package main\n\nimport _ \"example.com/a\"\n\nfunc main() {}\n"))

	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	tarred := tar.NewWriter(gz)
	content := []byte(`{"name": "a", "version": "1.0.0"}`)
	if err := tarred.WriteHeader(&tar.Header{Name: "package/package.json", Mode: 0o644, Size: int64(len(content))}); err != nil {
		t.Fatal(err)
	}
	tarred.Write(content) // Close tells
	if err := tarred.Close(); err != nil {
		t.Fatal(err)
	}
	if err := gz.Close(); err != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum512(packed.Bytes())
	write("work/package.json", []byte(`{"name": "m", "version": "1.0.0", "dependencies": {"a": "1.0.0"}}`))
	write("work/package-lock.json", fmt.Appendf(nil, `{"name": "m", "version": "1.0.0", "lockfileVersion": 3, "packages": {
		"": {"name": "m", "version": "1.0.0", "dependencies": {"a": "1.0.0"}},
		"node_modules/a": {"version": "1.0.0", "resolved": "http://127.0.0.1:1/a.tgz", "integrity": "sha512-%s"}}}`, base64.StdEncoding.EncodeToString(sum[:])))

	const module = "go/pkg/mod/cache/download/example.com/a/@v/v1.0.0"
	for _, c := range []struct {
		name, says      string
		command         []string
		intact, changed []byte
	}{
		{module + ".zip", "checksum mismatch", []string{"go", "build", "-o", "/dev/null", "."}, archive(""), archive("// more\n")},
		{fmt.Sprintf(".npm/_cacache/content-v2/sha512/%x/%x/%x", sum[:1], sum[1:2], sum[2:]), "seems to be corrupted",
			[]string{"npm", "ci", "--offline", "--no-audit", "--no-fund"}, packed.Bytes(), append([]byte{packed.Bytes()[0] ^ 1}, packed.Bytes()[1:]...)},
	} {
		if _, err := exec.LookPath(c.command[0]); err != nil {
			t.Errorf("%s: not here: %v", c.command[0], err)
			continue
		}
		var pattern string
		for _, each := range kept {
			// find's * stands for any characters, / too.
			if before, after, ok := strings.Cut(each, "*"); ok && strings.HasPrefix(c.name, before) && strings.HasSuffix(c.name, after) {
				pattern = each
			}
		}
		if pattern == "" {
			t.Errorf("main does not keep %s: %q", c.name, kept)
		}
		for _, hash := range []bool{false, true} {
			if hash && path.Ext(c.name) != ".zip" {
				continue
			}
			for _, state := range []struct {
				content []byte
				fails   bool
			}{{c.intact, false}, {c.changed, !hash}} {
				// What lane-clean leaves, and for Go the module's two small files, which it fetches.
				for _, of := range []string{"go", ".npm", "work/node_modules"} {
					if out, err := try("sh", "-c", `[ ! -e "$1" ] || { chmod -R u+w "$1" && rm -r "$1"; }`, "sh", filepath.Join(home, of)); err != nil {
						t.Fatal(err, out)
					}
				}
				write(c.name, state.content)
				write(module+".mod", modFile)
				write(module+".info", []byte(`{"Version": "v1.0.0"}`))
				if hash { // which lane-clean does not leave: this is why
					write(module+".ziphash", []byte(h1(sums.String())))
				}
				if out, err := try(c.command...); (err != nil) != state.fails || state.fails && !strings.Contains(out, c.says) {
					t.Errorf("%s, changed %v, with a hash %v: %v, want it to fail: %v\n%s", c.name, state.fails, hash, err, state.fails, out)
				}
			}
		}
	}
}
