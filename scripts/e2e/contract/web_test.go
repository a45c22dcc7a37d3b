package contract

import (
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/verify"
	"fairstream/scripts/internal/measure/verify/contracts"
	"fairstream/scripts/internal/testfile"
)

// web is the suite of the workload of that name.
var web = suite{workload: "web", program: "wrongweb", brief: "says-text", noAnswer: "GET / gets no answer, so the other checks were not run: ", fails: map[string]string{
	"right": "",
	"exits": "ready",

	"says-Hi":         "hello",
	"says-html":       "hello",
	"never-answers":   "hello",
	"only-digits":     wordsAreIDs + "id header id-alone",
	"no-header":       "header",
	"header-if-named": "header",
	"always-a-space":  "id-alone",
	"finds-name":      "id-alone parameters query-escapes",
	"index-hack":      "parameters first-name query-escapes",
	"raw-path":        "path-escapes escaped-slash",
	"decodes-twice":   "path-escapes",
	"path-is-query":   "path-escapes",
	"splits-decoded":  "escaped-slash",
	"plus-stays":      "query-escapes",
	"latin-1":         "path-escapes query-escapes",
	"last-name":       "first-name",
	"joins-names":     "first-name",
	"ten-parameters":  "parameters",

	"says-text":        bodiesReturn + "json numbers unicode nesting scalars serialised invalid not-a-number big too-big",
	"objects-only":     "json numbers nesting scalars",
	"float-32":         "numbers",
	"int-32":           "numbers",
	"splits-pairs":     "unicode",
	"drops-empty-keys": "unicode",
	"64-deep":          "nesting",
	"strict-body":      "scalars",
	"echoes":           "serialised",
	"compacts":         "serialised",
	"takes-prefix":     "invalid",
	"empty-is-null":    "invalid",
	"invalid-is-500":   "invalid not-a-number",
	"takes-NaN":        "not-a-number",
	"100-kB":           "big slow-readers slow-pipeline",
	"too-big-is-400":   "too-big",
	"too-big-hangs":    "too-big",

	"data-as-text":     "data fresh",
	"data-parsed":      "data fresh",
	"reads-once":       "fresh",
	"caches-by-time":   "fresh",
	"caches-by-length": "fresh",
	"reads-4-kB":       "fresh",

	"head-is-404":     "head",
	"head-has-body":   "head",
	"answers-all":     "not-found method",
	"any-method":      "method head?",
	"closes-each":     "keep-alive pipelined-all slow-pipeline? byte-by-byte chunked fresh quiet",
	"100-requests":    "keep-alive quiet",
	"drops-pipelined": "pipelined pipelined-all unread-body",
	"own-http":        "unread-body chunked",
	"one-read":        "byte-by-byte slow-senders",
	"8-workers":       "slow-senders slow-readers slow-pipeline crowd-1000",
	"writes-in-turn":  "slow-pipeline slow-readers?",
	"500-connections": "crowd-1000",
	"wants-length":    "chunked",
	"never-closes":    "connection-close",

	"prints":           "quiet",
	"port-stays-taken": "restart",
	"dies-at-sigterm":  "sigterm",
	"ignores-sigterm":  "sigterm",
	"waits-for-idle":   "sigterm",
}}

// Checks whose requests have words as IDs, and those that post bodies. Some choose one of both for each
// request.
const (
	wordsAreIDs  = "path-escapes query-escapes escaped-slash parameters first-name keep-alive pipelined pipelined-all unread-body byte-by-byte slow-senders crowd-1000 connection-close quiet head? slow-readers? slow-pipeline? restart? sigterm? "
	bodiesReturn = "keep-alive pipelined byte-by-byte slow-senders slow-readers slow-pipeline pipelined-all chunked quiet head? restart? sigterm? "
)

// Under load each server is asked for the same file. With another one a quarter of its requests would fail.
func TestTheLoadNeedsItsOwnDataFile(t *testing.T) {
	dir := t.TempDir()
	server := server.Server{Workload: "web", Name: "right", Dir: dir, Run: []string{filepath.Join(built, web.program), "right"}}
	checks, err := verify.Choose(contracts.Of("web"), "data")
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct{ text, want string }{
		{"", "data.json: no such file or directory; copy k6/web/lib/data.json of Fairstream"},
		{"{}\n", "data.json differs from the file that the load expects; copy k6/web/lib/data.json of Fairstream"},
	} {
		if of.text != "" {
			testfile.Write(t, filepath.Join(dir, "data.json"), of.text)
		}
		results, err := verify.Server(t.Context(), root, filepath.Join(dir, "logs"), server, checks, process.FreePort, func(verify.Result) {})
		if err != nil {
			t.Fatal(err)
		}
		last := results[len(results)-1]
		if last.Check != "data" || last.Pass || !strings.Contains(last.Evidence, of.want) {
			t.Errorf("%+v; want %q", last, of.want)
		}
	}
}
