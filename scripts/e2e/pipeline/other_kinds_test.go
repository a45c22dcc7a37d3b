package pipeline

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A service in Node.js brings its k6 script: a login, a search and a cart. The search becomes slower.
func TestLongOtherRepositoryWithAScript(t *testing.T) {
	long(t, "4 minutes")
	r := newOtherRepository(t, "script", ".")
	r.asReadmeSays("scripted", nil)
	r.findsTheSlowerOne("scripted/shop")
	defer r.skipIfBusy()
	r.namesTheRequest(7, "scripted/shop", "GET /search")
	r.answersAFork("scripted/shop", "")
}

// A service in Go keeps its items in PostgreSQL, and lists them with a query for each.
func TestLongOtherRepositoryWithPostgreSQL(t *testing.T) {
	long(t, "4 minutes")
	r := newOtherRepository(t, "postgres", ".")
	r.asReadmeSays("http", func() {
		r.complete("server.json", map[string]any{
			"services": []string{"postgres"}, "before": []string{"bin/server", "migrate"}, "ready": "/health",
			"requests": []any{map[string]any{"path": "/items"}, map[string]any{"path": "/items/{id}", "values": map[string]any{"id": map[string]any{"pick": []int{1, 20, 300}}}}},
		})
	})
	r.findsTheSlowerOne("http/shop")
	defer r.skipIfBusy()
	r.namesTheRequest(7, "http/shop", "GET /items")
	r.answersAFork("http/shop", "")
}

// A repository has two servers whose directories have one name. A pull request touches one of them.
func TestLongOtherRepositoryOfTwoServers(t *testing.T) {
	long(t, "4 minutes")
	r := newOtherRepository(t, "two", "one/server")
	requests := map[string]any{"requests": []any{map[string]any{"path": "/prices/boot"}, map[string]any{"path": "/currency"}}}
	for _, dir := range []string{"one/server", "two/server"} {
		r.bench("init", "-workload", "http", filepath.Join("../shop", dir))
		r.complete(filepath.Join(dir, "server.json"), requests)
	}
	auto := map[string]string{}
	for name, comment := range map[string]string{"fairstream": " # auto finds all", "fairstream-forks": ""} {
		name = ".github/workflows/" + name + ".yml"
		text, err := os.ReadFile(filepath.Join(r.path("clone"), name))
		if err != nil {
			t.Fatal(err)
		}
		auto[name] = cut(t, string(text), "      servers: \"one/server\""+comment+"\n", "      servers: auto\n"+shortLoad)
	}
	r.commit("main", "two servers", auto)
	queued := r.commit("main", "queued", nil)
	r.run("fairstream", "merge_group", map[string]any{"action": "checks_requested", "merge_group": map[string]any{"head_sha": queued}}).want([]string{"servers"})
	r.wantStatus(queued, "http/one-server", "success", "")
	r.wantStatus(queued, "http/two-server", "success", "")
	head := r.findsTheSlowerOne("http/one-server")
	r.wantStatus(head, "http/two-server", "success", "")
	defer r.skipIfBusy()
	r.namesTheRequest(7, "http/one-server", "GET /prices/boot")
	r.answersAFork("http/one-server", "")
	r.answersComments(8, "http/one-server")
}

// answersComments expects that a comment of a stranger is refused. One of a maintainer measures the commit of a fork, whose status
// is a verdict then.
func (r *otherRepository) answersComments(number int, server string) {
	r.t.Helper()
	head := r.api.pulls[len(r.api.pulls)-1].Head.SHA
	before := len(r.api.comments)
	comment := func(login, body string) workflowRun {
		return r.run("fairstream", "issue_comment", map[string]any{"action": "created",
			"issue":   map[string]any{"number": number, "pull_request": map[string]any{}},
			"comment": map[string]any{"body": body, "user": user{Login: login, Type: "User"}},
		})
	}
	comment("stranger", "/benchmark "+head).want([]string{"servers", "answer a comment that starts nothing"})
	if said := r.api.comments[before:]; len(said) != 1 || !strings.Contains(said[0].Body, "only people who may write to this repository start a comparison") {
		r.t.Errorf("a stranger is answered %+v", said)
	}
	name := path.Base(server)
	comment(maintainer, "/benchmark "+head+" "+name).want([]string{"servers", "measure " + name, "report " + name})
	of := slices.DeleteFunc(slices.Clone(r.api.statuses[head]), func(s status) bool { return s.Context != "fairstream/"+strings.ReplaceAll(server, "/", ".") })
	if last := of[len(of)-1]; last.State != "success" || strings.Contains(last.Description, "claim of a fork") {
		r.t.Errorf("after a maintainer's comment, the status is %+v", last)
	}
}

// complete adds keys to a server.json that init wrote.
func (r *otherRepository) complete(name string, keys map[string]any) {
	r.t.Helper()
	file := filepath.Join(r.path("clone"), name)
	var manifest map[string]any
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	for key, value := range keys {
		manifest[key] = value
	}
	if text, err = json.MarshalIndent(manifest, "", "  "); err != nil {
		r.t.Fatal(err)
	}
	r.write(r.path("clone"), name, string(text))
}

// namesTheRequest expects that the comment on a pull request names the request that became slower.
func (r *otherRepository) namesTheRequest(number int, server, request string) {
	r.t.Helper()
	if r.busy {
		return
	}
	for _, c := range r.api.comments {
		if want := fmt.Sprintf("`%s`", request); c.issue == number && strings.Contains(c.Body, "**"+server+"**") && !strings.Contains(c.Body, want) {
			r.t.Errorf("the comment does not name %s:\n%s", want, c.Body)
		}
	}
}
