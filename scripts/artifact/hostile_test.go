package artifact

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fairstream/scripts/manifest"
	"fairstream/scripts/plan"
	"fairstream/scripts/record"
)

// A hostile artifact, or a directory of them, and a part of the reason why it
// is refused.
type hostile struct {
	want  string
	plan  *plan.Plan
	place func(t testing.TB, dir string)
}

// bytesOf places one file.
func bytesOf(want string, make func(t testing.TB) []byte) hostile {
	return hostile{want: want, place: func(t testing.TB, dir string) { write(t, dir, "artifact.zip", make(t)) }}
}

// lines places a zip whose member has this text.
func lines(want string, make func(t testing.TB) string) hostile {
	return bytesOf(want, func(t testing.TB) []byte { return zipped(t, file{text: make(t)}) })
}

// key places a good record with one key changed.
func key(want, path string, value any) hostile {
	return lines(want, func(t testing.TB) string { return change(t, path, value) })
}

// swap places a good record with one text of its JSON replaced.
func swap(want, from, to string) hostile {
	return lines(want, func(t testing.TB) string {
		good := text(t, good("go-http", "stress", 1))
		if strings.Count(good, from) != 1 {
			t.Fatalf("%q is %d times in %s", from, strings.Count(good, from), good)
		}
		return strings.Replace(good, from, to, 1)
	})
}

func named(want, name string, mode fs.FileMode) hostile {
	return bytesOf(want, func(t testing.TB) []byte {
		f := file{text: text(t, whole("go-http")...)}
		if strings.HasSuffix(name, "/") {
			f.text = ""
		}
		f.Name = name
		f.SetMode(mode)
		return zipped(t, f)
	})
}

var table = map[string]hostile{
	// The zip.
	"path traversal":        named("has the member", "../run.jsonl", 0o644),
	"deep path traversal":   named("has the member", "a/../../../../etc/cron.d/x", 0o644),
	"absolute path":         named("has the member", "/etc/passwd", 0o644),
	"windows path":          named("has the member", `..\run.jsonl`, 0o644),
	"in a directory":        named("has the member", "records/run.jsonl", 0o644),
	"another name":          named("has the member", "RUN.JSONL", 0o644),
	"name with newline":     named("has the member", "run.jsonl\nlegs=true", 0o644),
	"name with NUL":         named("has the member", "run.jsonl\x00.zip", 0o644),
	"directory member":      named("has the member", "run.jsonl/", 0o755),
	"member is a directory": named("no regular file", "run.jsonl", fs.ModeDir|0o755),
	"symlink member":        named("no regular file", "run.jsonl", fs.ModeSymlink|0o777),
	"device member":         named("no regular file", "run.jsonl", fs.ModeDevice|0o644),
	"bomb by ratio":         lines("larger than 2097152 bytes", func(testing.TB) string { return strings.Repeat(" ", 900<<20/100) }),
	"header says small":     bytesOf("run.jsonl: ", func(t testing.TB) []byte { return lying(t, 10) }),
	"header says empty":     bytesOf("run.jsonl: ", func(t testing.TB) []byte { return lying(t, 0) }),
	"header says huge":      bytesOf("run.jsonl: ", func(t testing.TB) []byte { return lying(t, 1<<31) }),
	"nested zip":            lines("invalid UTF-8", func(t testing.TB) string { return string(zipped(t, file{text: text(t, whole("go-http")...)})) }),
	"encrypted flag":        bytesOf("is encrypted", func(t testing.TB) []byte { return patched(t, 8, 1) }),
	"unknown compression":   bytesOf("unsupported compression", func(t testing.TB) []byte { return patched(t, 10, 99) }),
	"wrong checksum":        bytesOf("checksum", func(t testing.TB) []byte { return patched(t, 16, 7) }),
	"two members":           bytesOf("has 2 members", func(t testing.TB) []byte { return zipped(t, file{text: text(t, whole("go-http")...)}, file{text: "x"}) }),
	"5000 members":          bytesOf("has 5000 members", func(t testing.TB) []byte { return zipped(t, make([]file, 5000)...) }),
	"empty zip":             bytesOf("has 0 members", func(t testing.TB) []byte { return zipped(t) }),
	"empty file":            bytesOf("no zip file", func(testing.TB) []byte { return nil }),
	"no zip":                bytesOf("no zip file", func(t testing.TB) []byte { return []byte(text(t, whole("go-http")...)) }),
	"truncated zip": bytesOf("no zip file", func(t testing.TB) []byte {
		z := zipped(t, file{text: text(t, whole("go-http")...)})
		return z[:len(z)/2]
	}),
	"zip without its head": bytesOf("run.jsonl: ", func(t testing.TB) []byte {
		z := zipped(t, file{text: text(t, whole("go-http")...)})
		clear(z[:40])
		return z
	}),
	"zip of more than 1 MB": bytesOf("larger than 1048576 bytes", func(t testing.TB) []byte { return append(make([]byte, 1<<20), zipped(t, file{})...) }),
	"gzip":                  bytesOf("no zip file", func(testing.TB) []byte { return []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00") }),
	"no text":               lines("line 1: no JSON", func(testing.TB) string { return "" }),

	// JSON.
	"blank lines":          lines("line 2: no JSON", func(t testing.TB) string { return text(t, good("go-http", "stress", 1)) + "\n\n" }),
	"half a record":        lines("no JSON", func(t testing.TB) string { return text(t, good("go-http", "stress", 1))[:200] }),
	"text after JSON":      swap("text after the record", "}}\n", "}} {}\n"),
	"an array":             lines("cannot unmarshal", func(testing.TB) string { return "[]\n" }),
	"null":                 lines("schema 0", func(testing.TB) string { return "null\n" }),
	"duplicate key":        swap(`key "round" is there twice`, `"round":1`, `"round":1,"round":2`),
	"duplicate deep key":   swap(`key "name" is there twice`, `"name":"go-http"`, `"name":"go-http","name":"go-gin"`),
	"duplicate metric":     swap(`key "streams" is there twice`, `"streams":1,`, `"streams":1,"streams":2,`),
	"escaped duplicate":    swap(`key "round" is there twice`, `"round":1`, `"round":1,"roun\u0064":2`),
	"key in capitals":      swap(`key "Round" is none`, `"round":1`, `"Round":1`),
	"key with long s":      swap("is none that a record has", `"schema":3`, `"ſchema":3`),
	"unknown key":          swap("unknown field", `"round":1`, `"round":1,"token":"x"`),
	"__proto__":            swap("is none that a record has", `"round":1`, `"round":1,"__proto__":{}`),
	"NaN":                  swap("no JSON", `"streams":1,`, `"streams":NaN,`),
	"Infinity":             swap("no JSON", `"streams":1,`, `"streams":-Infinity,`),
	"1e400":                swap(`number "1e400" is out of range`, `"streams":1,`, `"streams":1e400,`),
	"1e300":                swap("out of range", `"streams":1,`, `"streams":1e300,`),
	"a number of 60 kB":    swap("out of range", `"streams":1,`, `"streams":1`+strings.Repeat("0", 60000)+`,`),
	"string for number":    swap("cannot unmarshal string", `"streams":1,`, `"streams":"1",`),
	"number for string":    swap("cannot unmarshal number", `"scenario":"stress"`, `"scenario":1`),
	"fraction for integer": swap("cannot unmarshal number", `"round":1`, `"round":1.5`),
	"deep nesting": lines("nested more than 3 deep", func(testing.TB) string {
		return strings.Repeat(`{"a":`, 10000) + "1" + strings.Repeat("}", 10000) + "\n"
	}),
	"deep arrays":     lines("nested more than 3 deep", func(testing.TB) string { return strings.Repeat("[", 60000) + "\n" }),
	"invalid UTF-8":   swap("invalid UTF-8", `"scenario":"stress"`, "\"scenario\":\"stress\xff\""),
	"byte order mark": lines("no JSON", func(t testing.TB) string { return "\ufeff" + text(t, good("go-http", "stress", 1)) }),
	"huge line":       swap("65536", `"why":[]`, `"why":["`+strings.Repeat("x", 70000)+`"]`),
	"too many lines":  lines("5 lines; the plan has 4 records", func(t testing.TB) string { return strings.Repeat(text(t, good("go-http", "stress", 1)), 5) }),
	"a million lines": lines("1000000 lines", func(testing.TB) string { return strings.Repeat("\n", 1000000) }),

	// The record and the plan.
	"schema of yesterday":    key("schema 1; this tool reads", "schema", 1),
	"schema of tomorrow":     key("schema 99; this tool reads", "schema", 99),
	"wrong commit":           key("server.commit is", "server.commit", older),
	"short commit":           key("server.commit is", "server.commit", revision[:12]),
	"commit not known":       key("server.commit is not known", "server.commit", nil),
	"unknown server":         key("is not in the plan", "server.name", "direct"),
	"server as path":         key("is not in the plan", "server.name", "../../go-http"),
	"wrong framework":        key("server is", "server.framework", "gin"),
	"wrong language":         key("server is", "server.language", "rust"),
	"no framework, figures":  key("server is", "server.framework", ""),
	"other scenario":         key("scenario \"soak\" is not in the plan", "scenario", "soak"),
	"both scenarios":         key("is not in the plan", "scenario", "baseline,stress"),
	"round 0":                key("round 0 of 2", "round", 0),
	"round 99":               key("round 99 of 2", "round", 99),
	"other count of rounds":  key("run.rounds is 99", "run.rounds", 99),
	"quick in a whole run":   key("run.quick is true", "run.quick", true),
	"side in a main plan":    key(`side "head" in a plan of kind main`, "server.side", "head"),
	"unknown side":           key(`side "left"`, "server.side", "left"),
	"twice the same":         lines("stress round 1 is there twice", func(t testing.TB) string { r := good("go-http", "stress", 1); return text(t, r, r) }),
	"two servers in one":     lines("want one server in an artifact", func(t testing.TB) string { return text(t, good("go-http", "stress", 1), good("go-gin", "stress", 1)) }),
	"status ok with reasons": key("status \"ok\" with 1 reasons", "why", []string{"x"}),
	"suspect without reason": key("status \"suspect\" with 0 reasons", "status", "suspect"),
	"unknown status":         key("status \"great\"", "status", "great"),
	"invalid with figures":   swap("such a record has no figures", `"status":"ok","why":[]`, `"status":"invalid","why":["x"]`),
	"ok without figures":     key("status ok without a stream", "metrics.rate_per_s", nil),
	"ok at rate 0":           key("status ok without a stream", "metrics.rate_per_s", 0),
	"17 reasons":             swap("why has 17 reasons", `"status":"ok","why":[]`, `"status":"suspect","why":["x"`+strings.Repeat(`,"x"`, 16)+`]`),
	"negative":               key("metric rate_per_s is -1", "metrics.rate_per_s", -1),
	"beyond its unit":        key("metric rate_per_s is 1e+08", "metrics.rate_per_s", 1e8),
	"ok with failed streams": key("status ok, though streams failed", "metrics.failed_pct", 2),
	"more than all failed":   key("metric failed_pct is 101", "metrics.failed_pct", 101),
	"latencies in disorder":  key("latencies are not in order", "metrics.stream_p50_ms", 1e6),
	"metric missing":         swap("metric \"streams\" is missing", `"streams":1,`, ``),
	"metric too many":        swap("metric \"mips\": unknown", `"streams":1,`, `"streams":1,"mips":1,`),
	"cores 0":                key("host.cores is 0", "host.cores", 0),
	"negative memory":        key("host.memory_bytes is -1", "host.memory_bytes", -1),
	"position 0":             key("position is 0", "position", 0),
	"year 1":                 key("started is in the year 1", "started", "0001-01-01T00:00:00Z"),
	"year 9999":              key("started is in the year 9999", "started", "9999-12-31T23:59:59Z"),

	// Texts.
	"newline for GITHUB_OUTPUT": key("run.id is", "run.id", "x\nlegs=true"),
	"path for run":              key("run.id is", "run.id", "../../.git/hooks"),
	"HTML":                      key("host.cpu is", "host.cpu", "<img src=x onerror=alert(1)>"),
	"script in a version":       key("tools.k6 is", "tools.k6", "1.0</script><script>alert(1)</script>"),
	"Markdown table":            key("host.os is", "host.os", "Debian | x |"),
	"Markdown link":             key("host.os is", "host.os", "[click](http://evil.example)"),
	"mention":                   key("server.versions.go is", "server.versions.go", "@everyone"),
	"workflow command":          key("host.kernel is", "host.kernel", "::error::x"),
	"bidi":                      key("host.kernel is", "host.kernel", "6.1\u202e.0"),
	"zero width":                key("run.id is", "run.id", "rec\u200bords"),
	"escape sequence":           key("host.cpu is", "host.cpu", "\x1b[2J"),
	"long text":                 key("host.cpu is", "host.cpu", strings.Repeat("x", 5000)),
	"hostile component":         key("a key of server.versions is", "server.versions", map[string]string{"a" + strings.Repeat("b", 50): "1.0"}),
	"17 tools":                  key("tools has 17 entries", "tools", tools(17)),
	"scenario with backticks":   key("is not in the plan", "scenario", "`stress`\n# hello"),

	// The directory.
	"symlink": {want: "is a symlink", place: func(t testing.TB, dir string) {
		outside := filepath.Join(t.TempDir(), "good.zip")
		must(t, os.WriteFile(outside, zipped(t, file{text: text(t, whole("go-http")...)}), 0o644))
		must(t, os.Symlink(outside, filepath.Join(dir, "artifact.zip")))
	}},
	"symlink to a directory": {want: "is a symlink", place: func(t testing.TB, dir string) {
		outside := t.TempDir()
		write(t, outside, "artifact.zip", zipped(t, file{text: text(t, whole("go-http")...)}))
		must(t, os.Symlink(outside, filepath.Join(dir, "records-go-http")))
	}},
	"fifo": {want: "no regular file", place: func(t testing.TB, dir string) {
		must(t, syscall.Mkfifo(filepath.Join(dir, "artifact.zip"), 0o644))
	}},
	"directory of depth 5": {want: "no regular file", place: func(t testing.TB, dir string) {
		write(t, dir, "records-go-http-1/a/b/c/artifact.zip", zipped(t, file{text: text(t, whole("go-http")...)}))
	}},
	"65 files": {want: "more than 64 files", place: func(t testing.TB, dir string) {
		for i := range 65 {
			write(t, dir, fmt.Sprintf("records-go-http-%d/artifact.zip", i), zipped(t, file{text: text(t, whole("go-http")...)}))
		}
	}},
	"65 empty directories": {want: "more than 64 files", place: func(t testing.TB, dir string) {
		for i := range 65 {
			must(t, os.Mkdir(filepath.Join(dir, fmt.Sprint(i)), 0o755))
		}
		write(t, dir, "artifact.zip", zipped(t, file{text: text(t, whole("go-http")...)}))
	}},
	"two artifacts of one server": {want: "2 artifacts have records of go-http", place: func(t testing.TB, dir string) {
		write(t, dir, "records-go-http-1/artifact.zip", zipped(t, file{text: text(t, whole("go-http")...)}))
		write(t, dir, "artifact.zip", zipped(t, file{text: text(t, whole("go-http")...)}))
	}},
	"two artifacts of one attempt": {want: "2 artifacts have records of go-http", place: func(t testing.TB, dir string) {
		write(t, dir, "records-go-http-1/artifact.zip", zipped(t, file{text: text(t, whole("go-http")...)}))
		write(t, dir, "records-go-http-1/other.zip", zipped(t, file{text: text(t, whole("go-http")...)}))
	}},
	"artifact of another leg": {want: "records of go-http in the artifact of \"go-gin\"", place: func(t testing.TB, dir string) {
		write(t, dir, "records-go-gin-1/artifact.zip", zipped(t, file{text: text(t, whole("go-http")...)}))
	}},
	"file with a hostile name": {want: "no zip file", place: func(t testing.TB, dir string) {
		write(t, dir, "`<b>`\n::error::@all \u202e.zip", []byte("x"))
	}},

	// Pairs.
	"pair without side":     {"side \"\" in a plan of kind pull", &pullPlan, key("", "run.rounds", 1).place},
	"base with head's code": {"server.commit is", &pullPlan, key("", "server.side", "base").place},
}

func tools(n int) map[string]string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprint("t", i)] = "1.0"
	}
	return all
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// patched is a good zip with two bytes of its central directory replaced.
func patched(t testing.TB, offset int, value uint16) []byte {
	z := zipped(t, file{text: text(t, whole("go-http")...)})
	at := bytes.Index(z, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint16(z[at+offset:], value)
	return z
}

// lying is a zip whose headers give a wrong size.
func lying(t testing.TB, size uint32) []byte {
	z := zipped(t, file{text: text(t, whole("go-http")...)})
	binary.LittleEndian.PutUint32(z[bytes.Index(z, []byte("PK\x01\x02"))+24:], size)
	at := bytes.Index(z, []byte("PK\x07\x08")) // the data descriptor behind the member
	binary.LittleEndian.PutUint32(z[at+12:], size)
	return z
}

// HostileBesideGoGin places each hostile artifact beside an honest one, for the
// test of what comes after this package.
func HostileBesideGoGin() map[string]func(t testing.TB, dir string) (plan.Plan, []manifest.Server) {
	all := map[string]func(testing.TB, string) (plan.Plan, []manifest.Server){}
	for name, c := range table {
		if c.plan != nil {
			continue // a pair is not collected
		}
		all[name] = func(t testing.TB, dir string) (plan.Plan, []manifest.Server) {
			c.place(t, dir)
			write(t, dir, "records-go-gin-1/honest.zip", zipped(t, file{text: text(t, whole("go-gin")...)}))
			return mainPlan, known
		}
	}
	return all
}

func TestHostileArtifactsAreRefused(t *testing.T) {
	if len(table) < 40 {
		t.Fatalf("%d hostile artifacts", len(table))
	}
	for name, c := range table {
		t.Run(name, func(t *testing.T) {
			dir, p := t.TempDir(), mainPlan
			if c.plan != nil {
				p = *c.plan
			}
			c.place(t, dir)
			got, err := Read(dir, p, known)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.All()) > 0 {
				t.Errorf("%d records were accepted", len(got.All()))
			}
			if len(got.Refused) == 0 || !strings.Contains(got.Refused[0].Why, c.want) {
				t.Errorf("refused %q, want %q", got.Refused, c.want)
			}
			if len(got.Missing) != len(p.Servers) {
				t.Errorf("missing %q, want %q", got.Missing, p.Servers)
			}
			for _, r := range got.Refused {
				t.Logf("%s: %s", r.Artifact, r.Why)
				for _, text := range []string{r.Artifact, r.Why} {
					if text != Harmless(text) || strings.ContainsAny(text, "`\n\x1b") {
						t.Errorf("not harmless: %q", text)
					}
				}
			}
		})
	}
}

// A leg that was run again: what counts is what it gave last.
func TestTheLastAttemptCounts(t *testing.T) {
	dir := t.TempDir()
	for attempt := range 12 {
		records := whole("go-http")
		for i := range records {
			records[i].Run.Seed = uint64(attempt + 1)
		}
		write(t, dir, fmt.Sprintf("records-go-http-%d/artifact.zip", attempt+1), zipped(t, file{text: text(t, records...)}))
	}
	got, err := Read(dir, mainPlan, known)
	if err != nil || len(got.Refused) > 0 || len(got.Records["go-http"]) != 4 || got.Records["go-http"][0].Run.Seed != 12 {
		t.Errorf("%v: %+v", err, got)
	}
}

// One leg's artifact cannot harm another's.
func TestAHostileArtifactLeavesTheOthersAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "records-go-gin-1/artifact.zip", zipped(t, file{text: text(t, whole("go-http")...)}))
	write(t, dir, "records-go-http-1/artifact.zip", zipped(t, file{text: text(t, whole("go-http")...)}))
	got, err := Read(dir, mainPlan, known)
	if err != nil || len(got.Records["go-http"]) != 4 || len(got.Refused) != 1 {
		t.Errorf("%v: %+v", err, got)
	}
}

// Whatever is accepted is what record writes and reads, fits the plan, and has
// no text that is not harmless.
func FuzzArtifact(f *testing.F) {
	f.Add(zipped(f, file{text: text(f, whole("go-http")...)}), "")
	f.Add([]byte("PK"), text(f, whole("go-gin")...))
	f.Add([]byte(nil), change(f, "why", []string{"\n"}))
	f.Fuzz(func(t *testing.T, zip []byte, member string) {
		texts := [][]byte{[]byte(member)}
		if inside, err := unzip(zip); err == nil {
			texts = append(texts, inside)
		}
		for _, in := range texts {
			records, err := parse(in, mainPlan, known)
			if err != nil {
				continue
			}
			out := text(t, records...)
			if again, err := record.Read(strings.NewReader(out)); err != nil || len(again) != len(records) {
				t.Errorf("accepted, but not read again: %v\n%s", err, out)
			}
			if len(records) > 4 || strings.Trim(out, "\n") == "" || strings.ContainsAny(out, "`\r\x00\x1b\u202e") {
				t.Errorf("accepted %q", out)
			}
		}
	})
}
