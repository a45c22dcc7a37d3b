package plan

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/github"
)

// Files are those of a commit, and the key "changed" has the files that a pull request changes.
func (c fakeCode) Files(_ context.Context, commit string) (paths []string, err error) {
	for key := range c {
		if path, ok := strings.CutPrefix(key, commit[:1]+":"); ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths, nil
}

func (c fakeCode) Changed(context.Context, string, string) (paths []string, known bool, err error) {
	return strings.Fields(c["changed"]), c["changed"] != "many", nil
}

func TestThePullRequestTouchesSomeServers(t *testing.T) {
	chat := strings.Replace(theirManifest, `"relay"`, `"web"`, 1)
	pull := Event{Name: "pull_request", JSON: []byte(`{"pull_request": ` + pullJSON("a", "acme/shop") + `}`)}
	group := Event{Name: "merge_group", JSON: fmt.Appendf(nil, `{"merge_group": {"head_sha": %q}}`, strings.Repeat("a", 40))}
	for name, c := range map[string]struct {
		list, changed string
		event         Event
		touched, pass string
	}{
		"one of two":              {"auto", "apps/chat/main.go", pull, "apps/chat=web.chat", "apps/feed=relay.feed"},
		"a common file":           {"auto", "lib/a.go", pull, "apps/chat=web.chat apps/feed=relay.feed", ""},
		"a document":              {"auto", "README.md .github/workflows/x.yml", pull, "", "apps/chat=web.chat apps/feed=relay.feed"},
		"a document of a server":  {"auto", "apps/feed/README.md", pull, "apps/feed=relay.feed", "apps/chat=web.chat"},
		"more than GitHub lists":  {"auto", "many", pull, "apps/chat=web.chat apps/feed=relay.feed", ""},
		"named directories":       {"apps/feed, apps/chat", "apps/chat/x", pull, "apps/chat=web.chat", "apps/feed=relay.feed"},
		"one of unknown others":   {"apps/feed", "apps/chat/x", pull, "apps/feed=relay.feed", ""},
		"a document beside one":   {"apps/feed", "README.md", pull, "", "apps/feed=relay.feed"},
		"a merge queue":           {"auto", "apps/chat/main.go", group, "", "apps/chat=web.chat apps/feed=relay.feed"},
		"a directory without one": {"apps/none", "apps/none/x", pull, "apps/none=", ""},
		"one of two without one":  {"apps/none,apps/chat,,apps/chat", "apps/chat/x", pull, "apps/none= apps/chat=web.chat", ""},
		"it hides a common file":  {"auto", "lib/a.go lib/server.json", pull, "apps/chat=web.chat apps/feed=relay.feed lib=relay.lib", ""},
		"the repository, too":     {"., apps/chat", "lib/a.go", pull, ".=relay.shop apps/chat=web.chat", ""},
	} {
		t.Run(name, func(t *testing.T) {
			code := fakeCode{"a:apps/feed/server.json": theirManifest, "a:apps/chat/server.json": chat, "changed": c.changed}
			for _, at := range []string{"apps/feed", "apps/chat", "."} {
				code["d:"+path.Join(at, "server.json")] = theirManifest // of base
			}
			if strings.Contains(c.changed, "lib/server.json") {
				code["a:lib/server.json"] = theirManifest
			}
			if strings.HasPrefix(c.list, ".") {
				code["a:server.json"] = theirManifest
			}
			at := Elsewhere{Code: code, GitHub: github.Client{Repository: "acme/shop"}}
			found, err := at.Find(t.Context(), c.event, c.list)
			if err != nil {
				t.Fatal(err)
			}
			text := func(all []Found) string {
				var parts []string
				for _, s := range all {
					parts = append(parts, s.Directory+"="+s.Server)
				}
				return strings.Join(parts, " ")
			}
			if text(found.Touched) != c.touched || text(found.Others) != c.pass || !found.Trusted || found.Revision != strings.Repeat("a", 40) {
				t.Errorf("touched %q, others %q, trusted %v, at %.4s; want %q and %q", text(found.Touched), text(found.Others), found.Trusted, found.Revision, c.touched, c.pass)
			}
		})
	}
}

// Two servers of one base name have the names of their paths.
func TestServersOfOneNameHaveTheNamesOfTheirPaths(t *testing.T) {
	code := fakeCode{"a:one/server/server.json": theirManifest, "a:two/server/server.json": theirManifest, "a:three/server.json": theirManifest, "changed": "many"}
	at := Elsewhere{Code: code, GitHub: github.Client{Repository: "acme/shop"}}
	found, err := at.Find(t.Context(), Event{Name: "pull_request", JSON: []byte(`{"pull_request": ` + pullJSON("a", "acme/shop") + `}`)}, Auto)
	var names []string
	for _, s := range found.Touched {
		names = append(names, s.Name)
	}
	if err != nil || strings.Join(names, " ") != "one-server three two-server" {
		t.Errorf("%q, %v", names, err)
	}
	at.Directory, at.Name, at.Rounds = "one/server", "one-server", 6
	code["b:one/server/server.json"] = theirManifest
	p, err := at.Make(t.Context(), Event{Name: "pull_request", JSON: []byte(`{"pull_request": ` + pullJSON("a", "acme/shop") + `}`)})
	if err != nil || Join(p.Servers, "") != "relay/one-server" {
		t.Errorf("%q, %v", Join(p.Servers, ""), err)
	}
}

// Names that are equal once they are those of paths are refused.
func TestServersOfOnePathNameAreRefused(t *testing.T) {
	code := fakeCode{"a:x/a-b/server/server.json": theirManifest, "a:x/a/b/server/server.json": theirManifest, "changed": "many"}
	at := Elsewhere{Code: code, GitHub: github.Client{Repository: "acme/shop"}}
	_, err := at.Find(t.Context(), Event{Name: "pull_request", JSON: []byte(`{"pull_request": ` + pullJSON("a", "acme/shop") + `}`)}, Auto)
	if want := "x/a-b/server and x/a/b/server are both called x-a-b-server"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %s", err, want)
	}
}

func TestARepositoryWithoutAServer(t *testing.T) {
	at := Elsewhere{Code: fakeCode{"a:main.go": "x"}, GitHub: github.Client{Repository: "acme/shop"}}
	_, err := at.Find(t.Context(), Event{Name: "pull_request", JSON: []byte(`{"pull_request": ` + pullJSON("a", "acme/shop") + `}`)}, Auto)
	if err == nil || !strings.Contains(err.Error(), "aaaaaaaaaa has no server.json; `scripts/bench init`") {
		t.Errorf("%v", err)
	}
}

func TestACommandInAComment(t *testing.T) {
	sha := strings.Repeat("a", 40)
	for text, want := range map[string]string{
		"/benchmark " + sha:                             sha + " [] 0s",
		"  /benchmark " + sha + " chat feed chat\nrest": sha + " [chat feed] 0s",
		"/benchmark " + sha + " -within 6m chat":        sha + " [chat] 6m0s",
		"/benchmark":                                    `commit ""; want /benchmark SHA`,
		"/benchmark aaaa":                               `commit "aaaa"; want /benchmark SHA`,
		"/benchmark " + sha + " -within 5":              `-within "5": want a duration of 1m0s to 1h0m0s`,
		"/benchmark " + sha + " -quick":                 `"-quick": unknown`,
		"please /benchmark " + sha:                      "no command",
		"/benchmarks " + sha:                            "no command",
		"":                                              "no command",
	} {
		c, ok, err := ParseCommand(text)
		got := fmt.Sprint(c.SHA, " ", c.Servers, " ", c.Within)
		if err != nil {
			got = err.Error()
		} else if !ok {
			got = "no command"
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}

// Only people who may write start a comparison, and only of the head that they name.
func TestWhoStartsAComparisonByAComment(t *testing.T) {
	head := strings.Repeat("a", 40)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := strings.TrimPrefix(r.URL.Path, "/repos/acme/shop"); path {
		case "/collaborators/ann/permission":
			io.WriteString(w, `{"permission": "write"}`) // the client sees a fault
		case "/collaborators/eve/permission":
			io.WriteString(w, `{"permission": "read"}`) // as above
		case "/pulls/7":
			io.WriteString(w, pullJSON("a", "acme/shop")) // as above
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	code := fakeCode{"a:apps/feed/server.json": theirManifest, "a:apps/chat/server.json": theirManifest, "b:apps/feed/server.json": theirManifest, "changed": "apps/chat/x"}
	comment := func(login, body string) Event {
		return Event{Name: "issue_comment", JSON: fmt.Appendf(nil, `{"issue": {"number": 7, "pull_request": {}}, "comment": {"body": %q, "user": {"login": %q}}}`, body, login)}
	}
	for name, c := range map[string]struct {
		event Event
		say   string
	}{
		"who may write":     {comment("ann", "/benchmark "+head+" feed -within 6m"), ""},
		"who may read":      {comment("eve", "/benchmark "+head), "only people who may write"},
		"a stranger":        {comment("mallory", "/benchmark "+head), "only people who may write"},
		"an earlier commit": {comment("ann", "/benchmark "+strings.Repeat("e", 40)), "`eeeeeeeeee` is not the head of this pull request"},
		"no commit":         {comment("ann", "/benchmark"), "`/benchmark` was not understood: commit"},
	} {
		t.Run(name, func(t *testing.T) {
			at := Elsewhere{Directory: "apps/feed", Rounds: 6, Code: code, GitHub: github.Client{API: server.URL, Repository: "acme/shop"}}
			p, err := at.Make(t.Context(), c.event)
			if err != nil || !strings.Contains(p.Say, c.say) || p.Reply != (c.say != "") || p.Pull != 7 {
				t.Errorf("say %q, reply %v, pull request %d, %v", p.Say, p.Reply, p.Pull, err)
			}
			if c.say == "" && (Join(p.Servers, "") != "relay/feed" || p.Within != "6m0s") {
				t.Errorf("%s within %q", Join(p.Servers, ""), p.Within)
			}
			found, err := at.Find(t.Context(), c.event, Auto)
			if r := found.Refusal; (r != nil) != (c.say != "") || r != nil && (r.check() != nil || !r.Reply || r.Pull != 7) {
				t.Errorf("refusal %+v", r)
			}
			if err != nil || (len(found.Touched) == 1 && found.Touched[0].Name == "feed") != (c.say == "") || strings.Contains(found.Say, c.say) == false {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
	at := Elsewhere{Code: code, GitHub: github.Client{API: server.URL, Repository: "acme/shop"}}
	found, err := at.Find(t.Context(), comment("ann", "/benchmark "+head+" fed"), Auto)
	if err != nil || found.Refusal == nil || !strings.Contains(found.Refusal.Say, `server "fed": unknown`) || found.Refusal.check() != nil {
		t.Errorf("a server that does not exist: %+v, %v", found, err)
	}
	// A revision that was checked once stays, also if the head has moved.
	at.Directory, at.Rounds, at.Revision, at.Base = "apps/feed", 6, strings.Repeat("a", 40), strings.Repeat("d", 40)
	if p, err := at.Make(t.Context(), comment("ann", "/benchmark "+strings.Repeat("e", 40))); err != nil || p.Reply || p.Revision != at.Revision || len(p.Servers) != 1 {
		t.Errorf("of a revision that was checked: %+v, %v", p, err)
	}
}
