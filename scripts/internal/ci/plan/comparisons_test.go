package plan

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/testrepo"
	"fairstream/scripts/internal/workload"
)

func (w *world) git(t *testing.T, args ...string) string {
	t.Helper()
	return testrepo.Git(t, w.Root, args...)
}

// change commits a change of each file to main, and makes it the newest.
func (w *world) change(t *testing.T, files ...string) string {
	t.Helper()
	for _, f := range files {
		path := filepath.Join(w.Root, f)
		text, _ := os.ReadFile(path) // a new one is empty
		testfile.Write(t, path, string(append(text, '\n')))
	}
	w.main = testrepo.Commit(t, w.Root)
	return w.main
}

// published makes a history: commits, oldest first, and the servers of each.
func (w *world) published(lines ...any) {
	w.Published = func(ctx context.Context, commit string) (all []PublishedCommit, err error) {
		for i := len(lines) - 2; i >= 0; i -= 2 {
			all = append(all, PublishedCommit{Commit: lines[i].(string), Servers: func(context.Context) ([]workload.Server, error) {
				return relay(strings.Fields(lines[i+1].(string))...), nil
			}})
		}
		return all, nil
	}
}

// A world of main: first, then go-http, go-gin and both are changed.
func TestComparisonsOfMain(t *testing.T) {
	w := newWorld(t)
	http := w.change(t, "servers/relay/go-http/main.go")
	gin := w.change(t, "servers/relay/go-gin/main.go")
	text := w.change(t, "README.md")
	both := w.change(t, "servers/relay/go-http/main.go", "servers/relay/go-gin/main.go")
	for _, c := range []struct {
		name, event, inputs string
		published           []any
		accepted            map[workload.Server][]string
		want                []Comparison
	}{
		{"nothing published", "push", "", nil, nil, nil},
		{"the newest before", "push", "", []any{w.first, "go-http go-gin", text, "go-http go-gin"}, nil, []Comparison{{Server: relay("go-gin")[0], Base: text}, {Server: relay("go-http")[0], Base: text}}},
		{"a server that was not measured there", "push", "", []any{w.first, "go-http go-gin", text, "go-http"}, nil, []Comparison{{Server: relay("go-gin")[0], Base: w.first}, {Server: relay("go-http")[0], Base: text}}},
		{"measured once only", "push", "", []any{text, "go-http"}, nil, []Comparison{{Server: relay("go-http")[0], Base: text}}},
		{"itself, measured before", "push", "", []any{text, "go-http go-gin", both, "go-http go-gin"}, nil, []Comparison{{Server: relay("go-gin")[0], Base: text}, {Server: relay("go-http")[0], Base: text}}},
		{"some by hand", "workflow_dispatch", inputs("servers", "go-gin"), []any{text, "go-http go-gin"}, nil, []Comparison{{Server: relay("go-gin")[0], Base: text}}},
		{"an old one by hand", "workflow_dispatch", inputs("revision", gin), []any{http, "go-http go-gin"}, nil, []Comparison{{Server: relay("go-gin")[0], Base: http}}},
		{"a text by hand", "workflow_dispatch", inputs("revision", text), []any{gin, "go-http go-gin"}, nil, nil},

		{"gradual since the oldest", "schedule", "", []any{http, "go-http", gin, "go-http go-gin"}, nil, []Comparison{{Server: relay("go-gin")[0], Base: gin, Gradual: true}, {Server: relay("go-http")[0], Base: http, Gradual: true}}},
		{"accepted since", "schedule", "", []any{w.first, "go-http"}, map[workload.Server][]string{{Workload: "relay", Name: "go-gin"}: {gin}}, []Comparison{{Server: relay("go-gin")[0], Base: gin, Gradual: true}, {Server: relay("go-http")[0], Base: w.first, Gradual: true}}},
		{"accepted now", "schedule", "", []any{w.first, "go-http go-gin"}, map[workload.Server][]string{{Workload: "relay", Name: "go-http"}: {both}}, []Comparison{{Server: relay("go-gin")[0], Base: w.first, Gradual: true}}},
		{"accepted on another branch", "schedule", "", []any{w.first, "go-http"}, map[workload.Server][]string{{Workload: "relay", Name: "go-http"}: {w.topic}}, []Comparison{{Server: relay("go-http")[0], Base: w.first, Gradual: true}}},
	} {
		w.published(c.published...)
		w.Accepted = c.accepted
		if c.inputs == "" {
			c.inputs = "{}"
		}
		got, err := w.Make(t.Context(), w.event(c.event, c.inputs))
		if err != nil || !reflect.DeepEqual(got.Comparisons, c.want) {
			t.Errorf("%s: comparisons %+v, %v; want %+v", c.name, got.Comparisons, err, c.want)
		}
	}
	w.Published = func(context.Context, string) ([]PublishedCommit, error) {
		return []PublishedCommit{{Commit: w.first, Servers: func(context.Context) ([]workload.Server, error) { return nil, errors.New("no JSON") }}}, nil
	}
	if _, err := w.Make(t.Context(), w.event("push", "{}")); err == nil || !strings.Contains(err.Error(), "what is published of "+w.first[:10]+": no JSON") {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

// Anybody who may push may push a tag. git takes a tag "origin/main" before the branch of that name, and the
// tag would make each push give way to it.
func TestATagShadowsNoBranch(t *testing.T) {
	w := newWorld(t)
	newest := w.main
	w.git(t, "update-ref", "refs/remotes/origin/main", newest)
	w.git(t, "tag", "origin/main", w.change(t, "servers/relay/go-http/main.go"))
	w.git(t, "tag", "refs/remotes/origin/main", "origin/main")
	w.main = newest
	if got, err := w.Make(t.Context(), w.event("push", "{}")); err != nil || got.Say != "" || len(got.Servers) != 2 {
		t.Errorf("%+v, %v; want a plan of the newest push", got, err)
	}
}

// Of pushes that waited for the machine the newest is measured, and it is
// compared with what was published before all of them.
func TestAPushGivesWayToANewerOne(t *testing.T) {
	w := newWorld(t)
	w.published(w.first, "go-http go-gin")
	first := w.change(t, "servers/relay/go-http/main.go")
	second := w.change(t, "servers/relay/go-gin/main.go")
	text := w.change(t, "README.md", "servers/README.md")
	for _, c := range []struct {
		name, newest, event, commit, say string
	}{
		{"newer", second, "push", first, fmt.Sprintf("%.12s is superseded by %.12s", first, second)},
		{"the newest", second, "push", second, ""},
		{"a text is newer, and starts no workflow", text, "push", second, ""},
		{"a text, and what it follows", text, "push", first, fmt.Sprintf("%.12s is superseded by %.12s", first, text)},
		{"by hand", text, "workflow_dispatch", first, ""},
		{"the schedule", text, "schedule", first, ""},
	} {
		w.git(t, "update-ref", "refs/remotes/origin/main", c.newest)
		w.main = c.commit
		got, err := w.Make(t.Context(), w.event(c.event, "{}"))
		if err != nil || !strings.HasPrefix(got.Say, c.say) || (got.Say == "") != (c.say == "") || (len(got.Servers) == 0) != (c.say != "") || got.Say != "" && got.Leaderboard != 0 {
			t.Errorf("%s: %+v, %v; want %q", c.name, got, err, c.say)
		}
		if c.commit == second && len(got.Comparisons) != 2 {
			t.Errorf("%s: comparisons %+v; want those of both pushes", c.name, got.Comparisons)
		}
	}
}
