package plan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/github"
)

// fakeCode is a repository with one history and the files of each commit.
type fakeCode map[string]string

func (c fakeCode) MergeBase(_ context.Context, base, _ string) (string, error) {
	if base == "nowhere" {
		return "", errors.New("no such branch")
	}
	return strings.Repeat("b", 40), nil
}

func (c fakeCode) File(_ context.Context, commit, path string) ([]byte, error) {
	if text, ok := c[commit[:1]+":"+path]; ok {
		return []byte(text), nil
	}
	return nil, nil
}

const theirManifest = `{"workload": "relay", "language": "go", "framework": "none", "build": ["true"], "run": ["x"], "versions": {"go": ["go"]}}`

func pullJSON(head, fork string) string {
	return fmt.Sprintf(`{"number": 7, "state": "open", "head": {"ref": "topic", "sha": %q, "repo": {"full_name": %q}}, "base": {"ref": "main", "sha": %q}, "user": {"login": "ann", "type": "User"}}`,
		strings.Repeat(head, 40), fork, strings.Repeat("d", 40))
}

// after is the event that follows a workflow run about commit a of a repository.
func after(owner, repository string) Event {
	const run = `{"workflow_run": {"id": 99, "run_attempt": 2, "event": "pull_request", "head_sha": %q,
		"head_branch": "topic", "head_repository": {"full_name": %q, "owner": {"login": %q}}}}`
	return Event{Name: "workflow_run", JSON: fmt.Appendf(nil, run, strings.Repeat("a", 40), repository, owner)}
}

func TestAPullRequestElsewhere(t *testing.T) {
	code := fakeCode{"a:apps/chat/server.json": theirManifest, "a:server.json": theirManifest, "a:bad/server.json": "{", "a:new/server.json": theirManifest,
		"b:apps/chat/server.json": theirManifest, "b:server.json": theirManifest}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("head") == "mallory:topic" {
			io.WriteString(w, "["+pullJSON("c", "mallory/Shop_1")+", "+pullJSON("a", "mallory/Shop_1")+"]") // the client sees a fault
			return
		}
		io.WriteString(w, "[]") // the client sees a fault
	}))
	defer server.Close()
	pull := func(head, fork string) Event {
		return Event{Name: "pull_request", JSON: []byte(`{"pull_request": ` + pullJSON(head, fork) + `}`)}
	}
	after := func(owner string) Event { return after(owner, owner+"/Shop_1") }
	for name, c := range map[string]struct {
		directory, base string
		event           Event
		want            string // servers, pull, foreign, run
		say             string
	}{
		"a branch":                {"apps/chat", "", pull("a", "acme/Shop_1"), "relay/chat 7 false ", ""},
		"a base":                  {"./apps/chat/", "release-1", pull("a", "acme/Shop_1"), "relay/chat 7 false ", ""},
		"the repository itself":   {".", "", pull("a", "acme/Shop_1"), "relay/shop-1 7 false ", ""},
		"a fork":                  {"apps/chat", "", pull("a", "mallory/Shop_1"), "relay/chat 7 true ", ""},
		"a fork, afterwards":      {"apps/chat", "", after("mallory"), "relay/chat 7 true 99", ""},
		"closed meanwhile":        {"apps/chat", "", after("eve"), " 0 false 99", "no open pull request has this head any more"},
		"no server.json":          {"apps", "", pull("a", "acme/Shop_1"), " 7 false ", "has no `apps/server.json`"},
		"a new server":            {"new", "", pull("a", "acme/Shop_1"), " 7 false ", "has no `new/server.json`, so there is nothing to compare with"},
		"a server.json that lies": {"bad", "", pull("a", "acme/Shop_1"), " 7 false ", "`bad/server.json` of aaaaaaaaaa cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			at := Elsewhere{Directory: c.directory, Base: c.base, Rounds: 6, Quick: true, Code: code, GitHub: github.Client{API: server.URL, Repository: "acme/Shop_1"}}
			p, err := at.Make(t.Context(), c.event)
			got := fmt.Sprint(Join(p.Servers, ","), " ", p.Pull, " ", p.Foreign, " ", p.Run)
			if err != nil || got != c.want || !strings.Contains(p.Say, c.say) || c.say == "" && (p.Say != "" || p.Base != strings.Repeat("b", 40) || p.Rounds != 6 || !p.Quick) {
				t.Errorf("%q, say %q, base %q, %d rounds, quick %v, %v; want %q, say %q, 6 rounds, quick", got, p.Say, p.Base, p.Rounds, p.Quick, err, c.want, c.say)
			}
			var out strings.Builder
			if err := p.WriteOutputs(&out); err != nil || strings.Contains(out.String(), "\nserver=") || strings.HasPrefix(out.String(), "server="+strings.ReplaceAll(Join(p.Servers, ","), "/", ".")+"\n") != (c.say == "") {
				t.Errorf("outputs:\n%s\n%v", &out, err)
			}
		})
	}
}

// Figures of a fork's own workflow are a claim. The same commit on a branch of the repository is measured by the workflow
// there, and its status counts for both. A bot on such a branch has that workflow too.
func TestAForksCommitOnABranchIsMeasuredAgain(t *testing.T) {
	bot := strings.Replace(pullJSON("a", "acme/shop"), `"ann", "type": "User"`, `"dependabot[bot]", "type": "Bot"`, 1)
	found := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "["+found+"]") // the client sees a fault
	}))
	defer server.Close()
	at := Elsewhere{Directory: "apps/chat", Rounds: 6, Code: fakeCode{"a:apps/chat/server.json": theirManifest, "b:apps/chat/server.json": theirManifest},
		GitHub: github.Client{API: server.URL, Repository: "acme/shop"}}
	for name, c := range map[string]struct {
		pull, run string // run is the repository of the workflow run; "": the pull request's own event
		claims    bool
	}{
		"a fork":                           {pullJSON("a", "mallory/shop"), "mallory/shop", true},
		"its commit on a branch":           {pullJSON("a", "acme/shop"), "", false},
		"a fork that is no more":           {strings.Replace(pullJSON("a", "x"), `{"full_name": "x"}`, "null", 1), "mallory/shop", true},
		"a bot on a branch":                {bot, "acme/shop", false},
		"a bot's branch in another's fork": {strings.Replace(bot, "acme/shop", "mallory/shop", 1), "mallory/shop", true},
		"a fork of the same owner, with a commit and branch of ours": {pullJSON("a", "acme/shop") + ", " + pullJSON("a", "acme/shop-fork"), "acme/shop-fork", true},
	} {
		found = c.pull
		e := Event{Name: "pull_request", JSON: []byte(`{"pull_request": ` + c.pull + `}`)}
		if c.run != "" {
			e = after("x", c.run)
		}
		p, err := at.Make(t.Context(), e)
		if err != nil || p.Claimed() != c.claims || p.Revision != strings.Repeat("a", 40) || len(p.Servers) != 1 {
			t.Errorf("%s: %+v, claimed %v, %v; want %v", name, p, p.Claimed(), err, c.claims)
		}
	}
}

// What people typed into a workflow is refused before it reaches a comment, a path or a shell.
func TestWrongInputsElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		directory, base, event, want string
	}{
		"a directory above":    {"../x", "", "pull_request", "want the path of the server"},
		"an absolute one":      {"/etc", "", "pull_request", "want the path of the server"},
		"one with Markdown":    {"a--><b", "", "pull_request", "want the path of the server"},
		"one of two lines":     {"a\nb", "", "pull_request", "want the path of the server"},
		"another event":        {"apps/chat", "", "push", `event "push"; start this workflow with`},
		"a base that is not":   {"apps/chat", "nowhere", "pull_request", "no such branch"},
		"a hash that is not":   {"apps/chat", "", "short", "want full hashes"},
		"an event without one": {"apps/chat", "", "empty", `event "pull_request"; start`},
	} {
		t.Run(name, func(t *testing.T) {
			e := Event{Name: c.event, JSON: []byte(`{"pull_request": ` + pullJSON("a", "acme/shop") + `}`)}
			if c.event == "short" {
				e = Event{Name: "pull_request", JSON: []byte(`{"pull_request": {"number": 7, "head": {"sha": "aaaa"}}}`)}
			} else if c.event == "empty" {
				e = Event{Name: "pull_request", JSON: []byte(`{}`)}
			}
			at := Elsewhere{Directory: c.directory, Base: c.base, Rounds: pullRounds, Code: fakeCode{"a:apps/chat/server.json": theirManifest}}
			if p, err := at.Make(t.Context(), e); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v, %v; want %s", p, err, c.want)
			}
		})
	}
}

// A job has 2 to 24 rounds, as in pull requests of this repository.
func TestRoundsElsewhere(t *testing.T) {
	for rounds, want := range map[int]string{1: "plan: 1 rounds; want 2 to 24, such as 24", 25: "plan: 25 rounds; want 2 to 24"} {
		at := Elsewhere{Directory: "apps/chat", Rounds: rounds, Code: fakeCode{"a:apps/chat/server.json": theirManifest, "b:apps/chat/server.json": theirManifest}}
		p, err := at.Make(t.Context(), Event{Name: "pull_request", JSON: []byte(`{"pull_request": ` + pullJSON("a", "acme/shop") + `}`)})
		if _, input := errors.AsType[InputError](err); !input || !strings.Contains(err.Error(), want) {
			t.Errorf("%d rounds: %+v, %v; want %s", rounds, p, err, want)
		}
	}
}
