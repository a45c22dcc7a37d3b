package session

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// answering is a server in Python that answers these paths with these texts, and all others with 404.
func answering(t *testing.T, side, list string, texts map[string]string) load.Target {
	t.Helper()
	d, err := server.ParseDeclaration(server.Keys{Requests: json.RawMessage(list), Ready: json.RawMessage(`"/"`)})
	if err != nil {
		t.Fatal(err)
	}
	table, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	const script = `import http.server, json, os
texts = json.load(open("texts.json"))
class H(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def do_GET(self):
        body = texts.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), H).serve_forever()`
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, "texts.json"), string(table))
	i := slices.IndexFunc(workload.All, func(w workload.Workload) bool { return w.Declares })
	return load.Target{Side: side, Server: server.Server{Workload: workload.All[i].Name, Name: "mine", Dir: dir, Run: []string{"python3", "-c", script}, Declared: &d}}
}

func labels(t load.Target) (all []string) {
	for _, r := range t.Server.Declared.Requests {
		all = append(all, r.Label())
	}
	return all
}

// Base gets head's requests. Those that it does not answer as head wants are left out on both sides, and recorded
// answers are head's.
func TestBothSidesGetTheRequestsThatBothAnswer(t *testing.T) {
	head := `[{"name": "old", "path": "/old", "answer": {"json": {"id": 1}}}, {"name": "new", "path": "/new"}, {"name": "other", "path": "/text", "answer": {"text": "two"}}]`
	targets := []load.Target{
		answering(t, "base", `[{"name": "gone", "path": "/gone"}]`, map[string]string{"/": "x", "/old": `{"id": 1, "by": "base"}`, "/gone": "x", "/text": "one"}),
		answering(t, "head", head, map[string]string{"/": "x", "/old": `{"id": 1, "by": "head"}`, "/new": "x", "/text": "two"}),
	}
	if err := agree(t.Context(), "", targets); err != nil {
		t.Fatal(err)
	}
	if err := recordAnswers(t.Context(), "", targets); err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		if got := labels(target); !slices.Equal(got, []string{"old"}) || !slices.Equal(target.LeftOut, []string{"new", "other"}) || target.Broken != nil {
			t.Errorf("%s: requests %q, left out %q, %v", target.Side, got, target.LeftOut, target.Broken)
		}
		if len(target.Recorded) != 1 || string(target.Recorded[0].Body) != `{"id": 1, "by": "head"}` {
			t.Errorf("%s: recorded %+v", target.Side, target.Recorded)
		}
	}
	if h := targets[1]; !slices.Equal(h.Dropped, []string{"gone"}) || !slices.Equal(h.Added, []string{"old", "new", "other"}) || h.Changed != nil {
		t.Errorf("dropped %q, added %q, changed %q", h.Dropped, h.Added, h.Changed)
	}
}

// Records take a list of at most this length, also of a server with many requests.
func TestLongListsOfRequestsAreShortened(t *testing.T) {
	var all []string
	for i := range raw.MostNamed + 4 {
		if got := shortened(all); len(got) > raw.MostNamed || len(all) <= raw.MostNamed && !slices.Equal(got, all) {
			t.Errorf("%d names become %q", len(all), got)
		}
		all = append(all, fmt.Sprint(i))
	}
	if got := shortened(all); got[raw.MostNamed-1] != "and 5 more" {
		t.Errorf("%q", got)
	}
}

func TestBaseThatAnswersNothingAsHeadWantsIsSaidPlainly(t *testing.T) {
	targets := []load.Target{
		answering(t, "base", `[{"path": "/old"}]`, map[string]string{"/": "x", "/old": "x"}),
		answering(t, "head", `[{"path": "/new"}]`, map[string]string{"/": "x", "/new": "x"}),
	}
	if err := agree(t.Context(), "", targets); err != nil {
		t.Fatal(err)
	}
	want := "verify: base answers none of the requests in head's server.json as head wants, so there is no load that both share; the first: GET /new: status 404"
	if b := targets[0].Broken; b == nil || !strings.HasPrefix(b.Error(), want) || targets[1].Broken != nil {
		t.Errorf("%v, %v; want %s", b, targets[1].Broken, want)
	}
}

func TestAnAnswerThatChangesIsAFaultOfTheServer(t *testing.T) {
	targets := []load.Target{
		answering(t, "", `[{"path": "/a", "answer": {"text": "b"}}]`, map[string]string{"/": "x", "/a": "a"}),
		answering(t, "", `[{"path": "/a"}]`, map[string]string{"/": "x", "/a": strings.Repeat("a", 9<<20)}),
		answering(t, "", `[{"path": "/a?{x}", "values": {"x": {"pick": [1, 2, 3]}}}]`, map[string]string{"/": "x", "/a?1": strings.Repeat("a", 3<<20), "/a?2": strings.Repeat("a", 3<<20), "/a?3": strings.Repeat("a", 3<<20)}),
	}
	if err := recordAnswers(t.Context(), "", targets); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"verify: GET /a: the body has 1 bytes and differs at byte 0", "the body has more than 8 MiB", "the answers have 9 MiB together; want at most 8"} {
		if b := targets[i].Broken; b == nil || !strings.Contains(b.Error(), want) || targets[i].Recorded != nil {
			t.Errorf("%d: %v; want %s", i, b, want)
		}
	}
}

func TestServersWithOtherRequestsAreNotComparable(t *testing.T) {
	one := answering(t, "", `[{"path": "/a"}, {"path": "/b"}]`, nil)
	var two load.Target
	for _, others := range []string{`[{"path": "/a"}, {"path": "/c"}]`, `[{"path": "/a", "weight": 3}, {"path": "/b"}]`} {
		two = answering(t, "", others, nil)
		two.Server.Name = "other"
		if text := differentLoads([]load.Target{one, two}); !strings.HasPrefix(text, "mine and other declare different requests or scripts, so their figures are not comparable") {
			t.Errorf("%s: %q", others, text)
		}
	}
	two.Server.Declared = one.Server.Declared
	if text := differentLoads([]load.Target{one, two}); text != "" {
		t.Error(text)
	}
}
