package artifact

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/server"
)

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
	"member is a directory": named("not a regular file", "run.jsonl", fs.ModeDir|0o755),
	"symlink member":        named("not a regular file", "run.jsonl", fs.ModeSymlink|0o777),
	"device member":         named("not a regular file", "run.jsonl", fs.ModeDevice|0o644),
	"bomb by ratio":         lines("larger than 2097152 bytes", func(testing.TB) string { return strings.Repeat(" ", 900<<20/100) }),
	"header says small":     bytesOf("run.jsonl: ", func(t testing.TB) []byte { return lying(t, 10) }),
	"header says empty":     bytesOf("run.jsonl: ", func(t testing.TB) []byte { return lying(t, 0) }),
	"header says huge":      bytesOf("run.jsonl: ", func(t testing.TB) []byte { return lying(t, 1<<31) }),
	"nested zip": lines("no JSON", func(t testing.TB) string {
		return string(zipped(t, file{text: text(t, completeRecords("go-http")...)}))
	}),
	"encrypted event":     bytesOf("is encrypted", func(t testing.TB) []byte { return patched(t, 8, 1) }),
	"unknown compression": bytesOf("unsupported compression", func(t testing.TB) []byte { return patched(t, 10, 99) }),
	"wrong checksum":      bytesOf("checksum", func(t testing.TB) []byte { return patched(t, 16, 7) }),
	"two members": bytesOf("has 2 members", func(t testing.TB) []byte {
		return zipped(t, file{text: text(t, completeRecords("go-http")...)}, file{text: "x"})
	}),
	"5000 members": bytesOf("has 5000 members", func(t testing.TB) []byte { return zipped(t, make([]file, 5000)...) }),
	"empty zip":    bytesOf("has 0 members", func(t testing.TB) []byte { return zipped(t) }),
	"empty file":   bytesOf("not a readable zip file", func(testing.TB) []byte { return nil }),
	"no zip":       bytesOf("not a readable zip file", func(t testing.TB) []byte { return []byte(text(t, completeRecords("go-http")...)) }),
	"truncated zip": bytesOf("not a readable zip file", func(t testing.TB) []byte {
		z := zipped(t, file{text: text(t, completeRecords("go-http")...)})
		return z[:len(z)/2]
	}),
	"zip without its head": bytesOf("run.jsonl: ", func(t testing.TB) []byte {
		z := zipped(t, file{text: text(t, completeRecords("go-http")...)})
		clear(z[:40])
		return z
	}),
	"zip of more than 1 MB": bytesOf("larger than 1048576 bytes", func(t testing.TB) []byte { return append(make([]byte, 1<<20), zipped(t, file{})...) }),
	"gzip":                  bytesOf("not a readable zip file", func(testing.TB) []byte { return []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00") }),
	"no text":               lines("no records", func(testing.TB) string { return "" }),

	// JSON.
	"blank lines":          lines("line 2: no JSON", func(t testing.TB) string { return text(t, good("go-http", "stress-100", 1)) + "\n\n" }),
	"half a record":        lines("no JSON", func(t testing.TB) string { return text(t, good("go-http", "stress-100", 1))[:200] }),
	"null":                 lines("schema 0", func(testing.TB) string { return "null\n" }),
	"duplicate key":        swap(`key "round" is there twice`, `"round":1`, `"round":1,"round":2`),
	"escaped duplicate":    swap(`key "round" is there twice`, `"round":1`, `"round":1,"roun\u0064":2`),
	"key with long s":      swap("schema 0; this tool reads", `"schema":`, `"ſchema":`),
	"unknown key":          swap("unknown field", `"round":1`, `"round":1,"token":"x"`),
	"NaN":                  swap("no JSON", `"streams":1,`, `"streams":NaN,`),
	"Infinity":             swap("no JSON", `"streams":1,`, `"streams":-Infinity,`),
	"1e400":                swap(`"/metrics/streams": value out of range`, `"streams":1,`, `"streams":1e400,`),
	"1e300":                swap("want 0, or 1 to 1e+09", `"streams":1,`, `"streams":1e300,`),
	"a number of 60 kB":    swap("out of range", `"streams":1,`, `"streams":1`+strings.Repeat("0", 60000)+`,`),
	"fraction for integer": swap(`key "/round"`, `"round":1`, `"round":1.5`),
	"deep nesting": lines("schema 0; this tool reads", func(testing.TB) string {
		return strings.Repeat(`{"a":`, 10000) + "1" + strings.Repeat("}", 10000) + "\n"
	}),
	"deep arrays":     lines("is a JSON array", func(testing.TB) string { return strings.Repeat("[", 60000) + "\n" }),
	"byte order mark": lines("no JSON", func(t testing.TB) string { return "\ufeff" + text(t, good("go-http", "stress-100", 1)) }),
	"huge line":       swap("65536", `"why":[]`, `"why":["`+strings.Repeat("x", 70000)+`"]`),
	"too many lines":  lines("65 lines; the plan has at most 64 records", func(t testing.TB) string { return strings.Repeat(text(t, good("go-http", "stress-100", 1)), 65) }),
	"a million lines": lines("1000000 lines", func(testing.TB) string { return strings.Repeat("\n", 1000000) }),

	// The record and the plan.
	"schema of tomorrow":    key("schema 99; this tool reads", "schema", 99),
	"wrong commit":          key("server.commit is", "server.commit", older),
	"short commit":          key("server.commit is", "server.commit", revision[:12]),
	"commit not known":      key("server.commit is not known", "server.commit", nil),
	"unknown server":        key("is not in the plan", "server.name", "go-fiber"),
	"wrong framework":       key("server is", "server.framework", "gin"),
	"wrong language":        key("server is", "server.language", "rust"),
	"no framework, figures": key("server is", "server.framework", ""),
	"other scenario":        key("scenario \"soak\" is not in the plan", "scenario", "soak"),
	"round 0":               key("round 0, of 2 planned", "round", 0),
	"round 99":              key("round 99 of 2", "round", 99),
	"other count of rounds": key("run.rounds is 99", "run.rounds", 99),
	"quick in a whole run":  key("run.quick is true", "run.quick", true),
	"side in a main plan":   key(`side "head" in a plan of kind main`, "server.side", "head"),
	"unknown side":          key(`side "left"`, "server.side", "left"),
	"twice the same": lines("go-http stress-100 round 1 is there twice", func(t testing.TB) string {
		return text(t, append(completeRecords("go-http"), good("go-http", "stress-100", 1))...)
	}),
	"two servers in one":     lines("want one server in an artifact", func(t testing.TB) string { return text(t, rounds(2, "go-gin", "go-http")...) }),
	"status ok with reasons": key("status \"ok\" with 1 reasons", "why", []string{"x"}),
	"ok at rate 0":           key("status ok without a stream", "metrics.rate_per_s", 0),
	"memory of 1e-300 bytes": key("metric server_rss_peak_bytes is 1e-300 bytes; want 0, or 1 to 1e+13", "metrics.server_rss_peak_bytes", 1e-300),
	"the smallest number":    key("metric server_cpu_us_per_stream is 5e-324 us; want 0, or 1e-06 to 1e+09", "metrics.server_cpu_us_per_stream", 5e-324),
	"an instant stream":      key("metric stream_p50_ms is 1e-160 ms; want 0, or 0.0001 to 1e+08", "metrics.stream_p50_ms", 1e-160),
	"negative memory":        key("host.memory_bytes is -1", "host.memory_bytes", -1),
	"year 9999":              key("started is in the year 9999", "started", "9999-12-31T23:59:59Z"),

	// The workflow run.
	"an attempt of the future": {want: "its name has attempt 13; the run has had 12", place: func(t testing.TB, dir string) {
		write(t, dir, "records-relay.go-http-13/artifact.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
	}},
	"the last attempt of all": {want: "its name has attempt 999999", place: func(t testing.TB, dir string) {
		write(t, dir, "records-relay.go-http-999999/artifact.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
	}},
	"records of another attempt": {want: `run.id is "77-1"; want that of run 77`, place: func(t testing.TB, dir string) {
		write(t, dir, "records-relay.go-http-2/artifact.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
	}},
	"another run":                 ofRun(`run.id is "78-1"; want that of run 77`, func(r *record.Record) { r.Run.ID = "78-1" }),
	"a longer number":             ofRun(`run.id is "77-01"`, func(r *record.Record) { r.Run.ID = "77-01" }),
	"a run of the future":         ofRun(`run.id is "77-13"`, func(r *record.Record) { r.Run.ID = "77-13" }),
	"a confirmation that is none": ofRun(`run.id is "77-1-confirm"`, func(r *record.Record) { r.Run.ID = "77-1-confirm" }),
	"another harness":             ofRun("run.commit is not "+revision, func(r *record.Record) { other := older; r.Run.Commit = &other }),
	"an unknown harness":          ofRun("run.commit is not "+revision, func(r *record.Record) { r.Run.Commit = nil }),
	"a changed harness":           ofRun("run.dirty is not false", func(r *record.Record) { dirty := true; r.Run.Dirty = &dirty }),
	"perhaps a changed harness":   ofRun("run.dirty is not false", func(r *record.Record) { r.Run.Dirty = nil }),
	"started in 2099":             ofRun("started at 2099-01-01T00:00:00Z; the run was between", func(r *record.Record) { r.Started = time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC) }),
	"started in two hours":        ofRun("started at 2026-11-21T10:00:01Z", func(r *record.Record) { r.Started = This.Now.Add(slack + time.Second) }),
	"started before its commit":   ofRun("started at 2026-11-21T05:59:59Z", func(r *record.Record) { r.Started = This.Made.Add(-slack - time.Second) }),

	// Levels, direct, and what is beside it.
	"no level where others have some": key(`stress has the records`, "scenario", "stress"),
	"a level of words":                key("has no level of the form", "scenario", "stress-most"),
	"an empty level":                  key("has no level of the form", "scenario", "stress-"),
	"a level too large":               key("has no level of the form", "scenario", "stress-100000"),
	"level of a foreign scenario":     key("is not in the plan", "scenario", "soak-100"),
	"another level in one round":      key("go-http stress-100 round 1 is missing", "scenario", "stress-500"),
	"9 levels": lines("want one without a level, or at most 8", func(t testing.TB) string {
		var records []record.Record
		for n := 1; n <= 9; n++ {
			records = append(records, good("direct", fmt.Sprint("stress-", n), 1), good("go-http", fmt.Sprint("stress-", n), 1))
		}
		return text(t, records...)
	}),
	"a record left out":          without("go-http stress-100 round 2 is missing", func(r record.Record) bool { return at(r) == place{"go-http", "", "stress-100", 2} }),
	"direct left out":            without("baseline round 1: direct is missing", func(r record.Record) bool { return at(r) == place{"direct", "", "baseline", 1} }),
	"direct alone":               without("no records of a server", func(r record.Record) bool { return !isDirect(r) }),
	"a level of one round":       without("stress-100 round 2", func(r record.Record) bool { return r.Scenario == "stress-100" && r.Round == 2 }),
	"two runs in one":            key("run is another", "run.seed", 7),
	"two machines in one":        key("host is another", "host.cores", 8),
	"other tools":                key("tools is another", "tools.k6", "1.8.2"),
	"solo":                       key("run.solo is true", "run.solo", true),
	"other time of load":         key("load_ms 5", "run.load_ms", 5),
	"other slices":               key("slice_ms 5", "run.slice_ms", 5),
	"fewer VUs":                  key("run.vu_divisor is 2", "run.vu_divisor", 2),
	"a rate":                     key("run.rate_per_s is 500", "run.rate_per_s", 500),
	"another k6 run's time":      key("want those of one k6 run", "started", "2026-11-21T08:00:01Z"),
	"another load before":        key("want those of one k6 run", "conditions.load_before", 0),
	"other conditions":           swapIn("baseline", "in direct's record of the same slice", `"others_pct":12.5`, `"others_pct":0`),
	"others beyond the machine":  key("conditions.others_pct is 900", "conditions.others_pct", 900),
	"disturbed without a reason": key("conditions.disturbed has \"x\", which is not in why", "conditions.disturbed", []string{"x"}),
	"17 times disturbed": lines("conditions.disturbed has 17 entries", func(t testing.TB) string {
		r := good("go-http", "stress-100", 1)
		r.Status, r.Why, r.Conditions.Disturbed = record.Warning, []string{"x"}, slices.Repeat([]string{"x"}, 17)
		return among(t, text(t, r))
	}),
	"disturbed is no list":      key(`"/conditions/disturbed" is a JSON string`, "conditions.disturbed", "x"),
	"negative load":             key("conditions.load_before is -1", "conditions.load_before", -1),
	"unknown condition":         key("unknown field", "conditions.moon", 1),
	"a second machine":          key("host.load is there", "host.load", map[string]any{"cpu": nil, "cores": 2, "memory_bytes": nil, "os": nil, "kernel": nil, "k6": 1, "link_mbit": nil}),
	"placement as markup":       key("run.placement is", "run.placement", "<b>shared</b>"),
	"no rig":                    key("run.rig is", "run.rig", ""),
	"rig as markup":             key("run.rig is", "run.rig", "@everyone"),
	"short artefact":            key("server.artefact is", "server.artefact", "abc"),
	"artefact as markup":        key("server.artefact is", "server.artefact", "`"+strings.Repeat("a", 63)),
	"adds more than it has":     key("metric ttft_p95_overhead_ms is 5; ttft_p95_ms is 13, and 13 of direct", "metrics.ttft_p95_overhead_ms", 5),
	"takes time away":           key("metric itl_p99_overhead_ms is -3", "metrics.itl_p99_overhead_ms", -3),
	"added beyond its bounds":   key("want 0, or -1e+08 to 1e+08", "metrics.ttft_p95_overhead_ms", -1e9),
	"added to nothing":          key("though ttft_p95_ms is not known", "metrics.ttft_p95_ms", nil),
	"faster than direct":        key("metric rate_x_direct is 2; rate_per_s is 3, and 3 of direct", "metrics.rate_x_direct", 2),
	"ratio beyond its bounds":   key("metric server_cpu_x_rig is 1e+07", "metrics.server_cpu_x_rig", 1e7),
	"negative ratio":            key("metric rate_x_direct is -1", "metrics.rate_x_direct", -1),
	"share of more than all":    key("metric server_share_pct is 101", "metrics.server_share_pct", 101),
	"direct of a commit":        ofDirect("direct has a commit", "server.commit", revision),
	"direct with a side":        ofDirect("direct has a commit", "server.side", "head"),
	"direct in a language":      ofDirect("direct has a commit", "server.language", "go"),
	"direct's artefact":         ofDirect("direct has a commit", "server.artefact", strings.Repeat("5", 64)),
	"direct with versions":      ofDirect("direct has a commit", "server.versions", map[string]string{"go": "1.26.8"}),
	"direct as a reference":     ofDirect("direct has a commit", "server.reference", true),
	"a server as a reference":   key("server.reference is true; relay/go-http says false", "server.reference", true),
	"direct with memory":        ofDirect("of direct, which has no server", "metrics.server_rss_peak_bytes", 1),
	"direct beside itself":      ofDirect("of direct, which has no server", "metrics.ttft_p95_overhead_ms", 0),
	"direct faster than itself": ofDirect("of direct itself; want 1", "metrics.rate_x_direct", 2),
	"direct in another round":   ofDirect("round 99 of 2", "round", 99),

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
	"link in a missing check":   key(`server.missing_checks has "C4 www.evil-site.example"; want optional checks`, "server.missing_checks", []string{"C4 www.evil-site.example"}),
	"an optional as failed":     key(`server.failed_checks has "C4 nodelay"; want required checks`, "server.failed_checks", []string{"C4 nodelay"}),
	"link in a failed check":    key(`server.failed_checks has "C7 www.evil-site.example"; want required checks`, "server.failed_checks", []string{"C7 www.evil-site.example"}),
	"too many failed checks":    key("server.failed_checks has 999 entries; the contract has", "server.failed_checks", slices.Repeat([]string{"C1 ready"}, 999)),
	"a must as missing check":   key(`server.missing_checks has "C1 ready"; want optional checks`, "server.missing_checks", []string{"C1 ready"}),
	"packages of a sentence":    key(`server.packages_changed has "hono 1 to 2 is safe"; want a package and two versions`, "server.packages_changed", []string{"hono 1 to 2 is safe"}),
	"left out without a cause":  key("server.left_out, server.margins and server.limits have entries; servers of relay declare none of them", "server.left_out", []string{"x\n@everyone"}),
	"margins without a cause":   key("servers of relay declare none of them", "server.margins", map[string]float64{"memory_pct": 5000}),
	"limits without a cause":    key("servers of relay declare none of them", "server.limits", map[string]float64{"memory_mb": 5000}),
	"requests of another kind":  key("server.requests_dropped, requests_added or requests_changed has entries", "server.requests_dropped", []string{"x\n@everyone"}),
	"two descriptions":          key("server is another than in earlier lines; want one description of go-http", "server.versions", map[string]string{"go": "1.20"}),
	"hostile component":         key("a key of server.versions is", "server.versions", map[string]string{"a" + strings.Repeat("b", 50): "1.0"}),
	"17 tools":                  key("tools has 17 entries", "tools", tools(17)),
	"scenario with backticks":   key("want letters, digits and hyphens", "scenario", "`stress`\n# hello"),

	// The directory.
	"symlink": {want: "is a symlink", place: func(t testing.TB, dir string) {
		outside := filepath.Join(t.TempDir(), "good.zip")
		must(t, os.WriteFile(outside, zipped(t, file{text: text(t, completeRecords("go-http")...)}), 0o644))
		must(t, os.Symlink(outside, filepath.Join(dir, "artifact.zip")))
	}},
	"symlink to a directory": {want: "is a symlink", place: func(t testing.TB, dir string) {
		outside := t.TempDir()
		write(t, outside, "artifact.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
		must(t, os.Symlink(outside, filepath.Join(dir, "records-relay.go-http")))
	}},
	"fifo": {want: "not a regular file", place: func(t testing.TB, dir string) {
		must(t, syscall.Mkfifo(filepath.Join(dir, "artifact.zip"), 0o644))
	}},
	"directory of depth 5": {want: "not a regular file", place: func(t testing.TB, dir string) {
		write(t, dir, "records-relay.go-http-1/a/b/c/artifact.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
	}},
	"513 files": {want: "more than 512 files", place: func(t testing.TB, dir string) {
		for i := range maxFiles + 1 {
			write(t, dir, fmt.Sprintf("records-relay.go-http-%d/artifact.zip", i), zipped(t, file{text: text(t, completeRecords("go-http")...)}))
		}
	}},
	"513 empty directories": {want: "more than 512 files", place: func(t testing.TB, dir string) {
		for i := range maxFiles + 1 {
			must(t, os.Mkdir(filepath.Join(dir, fmt.Sprint(i)), 0o755))
		}
		write(t, dir, "artifact.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
	}},
	"two artifacts of one server": {want: "2 artifacts have records of relay.go-http", place: func(t testing.TB, dir string) {
		write(t, dir, "records-relay.go-http-1/artifact.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
		write(t, dir, "artifact.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
	}},
	"two artifacts of one attempt": {want: "2 artifacts have records of relay.go-http", place: func(t testing.TB, dir string) {
		write(t, dir, "records-relay.go-http-1/artifact.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
		write(t, dir, "records-relay.go-http-1/other.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
	}},
	"artifact of another job": {want: "records of relay.go-http in the artifact of \"relay.go-gin\"", place: func(t testing.TB, dir string) {
		write(t, dir, "records-relay.go-gin-1/artifact.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
	}},
	"file with a hostile name": {want: "not a readable zip file", place: func(t testing.TB, dir string) {
		write(t, dir, "`<b>`\n::error::@all \u202e.zip", []byte("x"))
	}},

	// Leaderboard.
	"leaderboard without a server": ofRank("run.rounds is 2; the plan has 1", func(r record.Record) bool { return r.Server.Name == "go-gin" }),
	"leaderboard without a record": ofRank("go-gin baseline round 1 is missing", func(r record.Record) bool { return at(r) == place{"go-gin", "", "baseline", 1} }),
	"leaderboard without direct":   ofRank("direct is missing", isDirect),
	"a job as leaderboard": {"records of relay.leaderboard in the artifact of \"relay.go-http\"", &leaderboardPlan, func(t testing.TB, dir string) {
		write(t, dir, "records-relay.go-http-1/artifact.zip", zipped(t, file{text: text(t, rounds(2, "go-gin", "go-http")...)}))
	}},
	"leaderboard that was not planned": lines("want one server in an artifact", func(t testing.TB) string { return text(t, rounds(2, "go-gin", "go-http")...) }),

	// Comparisons.
	"comparison without side":   ofComparison("side \"\" in a plan of kind pull", func(all []record.Record) []record.Record { all[1].Server.Side = ""; return all }),
	"comparison without base":   ofComparison("go-http baseline round 1 of base is missing", func(all []record.Record) []record.Record { return slices.Delete(all, 1, 2) }),
	"comparison without direct": ofComparison("direct is missing", func(all []record.Record) []record.Record { return all[1:] }),
	"base with head's code":     ofComparison("server.commit is", func(all []record.Record) []record.Record { all[2].Server.Side = "base"; return all }),
	"comparison without what went badly": ofComparison("stress-200 round 1: direct is missing", func(all []record.Record) []record.Record {
		return slices.DeleteFunc(all, func(r record.Record) bool { return r.Scenario == "stress-200" })
	}),
	"comparison with a level of stress": ofComparison(`scenario "stress-10" is not in the plan; a comparison has`, func(all []record.Record) []record.Record { all[1].Scenario = "stress-10"; return all }),
	"comparison of other rounds":        ofComparison("run.rounds is 18; the plan has 12", func(all []record.Record) []record.Record { all[1].Run.Rounds = 18; return all }),
	"comparison with another rate":      ofComparison("run.shared_by is 8; the plan has 0", func(all []record.Record) []record.Record { all[1].Run.SharedBy = 8; return all }),
	"one source on both sides": ofComparison("server.tree is "+older+" on both sides; the plan says that they differ", func(all []record.Record) []record.Record {
		for i := range all {
			if tree := older; all[i].Server.Side != "" {
				all[i].Server.Tree = &tree
			}
		}
		return all
	}),
	"identical, of two programs": ofComparison("not loaded as the same program, but server.artefact differs", func(all []record.Record) []record.Record {
		return notLoaded(all, strings.Repeat("6", 64))
	}),
	"comparison with a round too many": ofComparison("round 19 of 18", func(all []record.Record) []record.Record { all[1].Round = 19; return all }),
}

// HostileBesideGoGin places each hostile artifact beside an honest one, for tests of later steps.
func HostileBesideGoGin() map[string]func(t testing.TB, dir string) (plan.Plan, []server.Server) {
	all := map[string]func(testing.TB, string) (plan.Plan, []server.Server){}
	for name, c := range table {
		if c.plan != nil {
			continue // a comparison is not collected
		}
		all[name] = func(t testing.TB, dir string) (plan.Plan, []server.Server) {
			c.place(t, dir)
			write(t, dir, "records-relay.go-gin-1/honest.zip", zipped(t, file{text: text(t, completeRecords("go-gin")...)}))
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
			got, err := Read(dir, p, known, This)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(got.All()) + len(got.Ranked()); n > 0 {
				t.Errorf("%d records were accepted", n)
			}
			if len(got.Refused) == 0 || !strings.Contains(got.Refused[0].Why, c.want) {
				t.Errorf("refused %q, want %q", got.Refused, c.want)
			}
			if want := len(p.Servers) + len(p.Together()); len(got.Missing) != want {
				t.Errorf("missing %q, want all %d jobs", got.Missing, want)
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
