package plan

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/workload"
)

// A push is compared with the newest published commit that has figures of the server, and a scheduled run with the
// oldest one.
func TestACommitOfTheirDefaultBranch(t *testing.T) {
	hash := func(letter string) string { return strings.Repeat(letter, 40) }
	server := workload.Server{Workload: "relay", Name: "chat"}
	published := func(letters string) func(context.Context, string) ([]PublishedCommit, error) {
		return func(context.Context, string) (all []PublishedCommit, err error) {
			for _, letter := range strings.Split(letters, "") {
				servers := []workload.Server{server}
				if letter == "e" { // without figures of this server
					servers = nil
				}
				all = append(all, PublishedCommit{Commit: hash(letter), Servers: func(context.Context) ([]workload.Server, error) { return servers, nil }})
			}
			return all, nil
		}
	}
	code := fakeCode{"a:apps/chat/server.json": theirManifest, "a:bad/server.json": "{"}
	for name, c := range map[string]struct {
		event, directory, published string
		want                        []Comparison
		say                         string
	}{
		"the first":               {"push", "apps/chat", "", nil, ""},
		"a push":                  {"push", "apps/chat", "edc", []Comparison{{Server: server, Base: hash("d")}}, ""},
		"the same commit again":   {"workflow_dispatch", "apps/chat", "adc", []Comparison{{Server: server, Base: hash("d")}}, ""},
		"every week":              {"schedule", "apps/chat", "edc", []Comparison{{Server: server, Base: hash("c"), Gradual: true}}, ""},
		"no server.json":          {"push", "apps", "dc", nil, "has no `apps/server.json`"},
		"a server.json that lies": {"push", "bad", "dc", nil, "`bad/server.json` of aaaaaaaaaa cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			at := Elsewhere{Directory: c.directory, Rounds: pullRounds, Code: code, Published: published(c.published)}
			p, err := at.Make(t.Context(), Event{Name: c.event, Ref: "refs/heads/trunk", SHA: hash("a"), JSON: []byte(`{"repository": {"default_branch": "trunk"}}`)})
			if err != nil || !reflect.DeepEqual(p.Comparisons, c.want) || !strings.Contains(p.Say, c.say) || (p.Say == "") != (c.say == "") {
				t.Fatalf("%+v, say %q, %v; want %+v, say %q", p.Comparisons, p.Say, err, c.want, c.say)
			}
			if c.say != "" {
				return
			}
			want := fmt.Sprint([]workload.Server{server}, "baseline,steady,stress", mainRounds, c.directory, hash("a"))
			if got := fmt.Sprint(p.Servers, p.Scenarios["relay"], p.Rounds, p.Directory, p.Revision); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			var out strings.Builder
			if err := p.WriteOutputs(&out); err != nil || !strings.HasPrefix(out.String(), "server=relay.chat\n") {
				t.Errorf("outputs:\n%s\n%v", &out, err)
			}
		})
	}
}

func TestOnlyTheirDefaultBranchHasAHistory(t *testing.T) {
	for name, c := range map[string]struct{ event, ref, sha, want string }{
		"a topic":        {"push", "refs/heads/topic", strings.Repeat("a", 40), `started on "refs/heads/topic"; the history is that of the default branch, so start it on "trunk"`},
		"a pull request": {"pull_request", "refs/pull/7/merge", strings.Repeat("a", 40), `event "pull_request"; start this workflow with`},
		"no hash":        {"push", "refs/heads/trunk", "aaaa", "want a full hash"},
	} {
		at := Elsewhere{Directory: "apps/chat", Rounds: pullRounds, Code: fakeCode{"a:apps/chat/server.json": theirManifest},
			Published: func(context.Context, string) ([]PublishedCommit, error) { return nil, errors.New("not asked") }}
		p, err := at.Make(t.Context(), Event{Name: c.event, Ref: c.ref, SHA: c.sha, JSON: []byte(`{"repository": {"default_branch": "trunk"}}`)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v; want %s", name, p, err, c.want)
		}
	}
}
