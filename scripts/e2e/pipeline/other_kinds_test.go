package pipeline

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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
	head := r.findsTheSlowerOne("http/one-server")
	r.wantStatus(head, "http/two-server", "success", "")
	defer r.skipIfBusy()
	r.namesTheRequest(7, "http/one-server", "GET /prices/boot")
	r.answersAFork("http/one-server", "")
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
