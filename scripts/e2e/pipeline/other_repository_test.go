package pipeline

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// Somebody's server at the root of a repository passes a model's answer on. Its slower version sleeps.
func TestLongOtherRepositoryOfGo(t *testing.T) {
	long(t, "2 minutes")
	r := newOtherRepository(t, "go", ".")
	r.asReadmeSays("relay", nil)
	r.publishes("relay")
	r.findsTheSlowerOne("relay/shop")
	defer r.skipIfBusy()
	// The same program needs no load, so a busy machine says the same.
	r.answersAFork("relay/shop", "identical: base and head are the same program")
}

// A package of a monorepo uses another one. The other one becomes slower.
func TestLongOtherRepositoryOfBun(t *testing.T) {
	long(t, "3 minutes")
	r := newOtherRepository(t, "bun", "packages/api")
	r.asReadmeSays("web", nil)
	r.findsTheSlowerOne("web/api")
	defer r.skipIfBusy()
	r.answersAFork("web/api", "")
}

// A server in Python lists its own requests.
func TestLongOtherRepositoryOfPython(t *testing.T) {
	long(t, "3 minutes")
	r := newOtherRepository(t, "python", ".")
	r.asReadmeSays("http", func() {
		r.complete("server.json", map[string]any{"requests": []any{map[string]any{
			"path": "/prices/{name}", "values": map[string]any{"name": map[string]any{"pick": []string{"boot", "sandal"}}},
			"answer": map[string]any{"json": map[string]any{"name": "{name}"}},
		}}})
	})
	r.findsTheSlowerOne("http/shop")
	defer r.skipIfBusy()
	r.answersAFork("http/shop", "")
}

const shortLoad = "      rounds: 4\n      quick: true\n"

// asReadmeSays runs the commands of the README for one's own repository, in their order. complete adds what init cannot
// know. The workflows that init wrote then get inputs for a short load.
func (r *otherRepository) asReadmeSays(workload string, complete func()) {
	r.t.Helper()
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		r.t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## In your repository\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var commands []string
	for line := range strings.Lines(section) {
		command, _, _ := strings.Cut(line, "#")
		words := strings.Fields(strings.ReplaceAll(command, "../shop/server", path.Join("../shop", r.server)))
		if len(words) < 2 || words[0] != "scripts/bench" {
			continue
		}
		if commands = append(commands, words[1]); words[1] == "init" {
			words = slices.Insert(words, 2, "-workload", workload)
		}
		if words[1] == "compare" { // on main, base and head would be one commit
			r.commit("try", "the same files", nil)
			r.must(r.path("clone"), "git", "switch", "--quiet", "try")
		}
		out := r.bench(words[1:]...)
		r.must(r.path("clone"), "git", "switch", "--quiet", "main")
		if words[1] == "init" && complete != nil {
			if !strings.Contains(out, "complete server.json: ") {
				r.t.Errorf("init does not ask to complete server.json:\n%s", out)
			}
			complete()
		}
		r.commit("main", "as the README says", nil)
	}
	if want := []string{"init", "verify", "compare"}; !slices.Equal(commands, want) {
		r.t.Errorf("the README has the commands %q, want %q", commands, want)
	}
	short := map[string]string{}
	for _, name := range []string{".github/workflows/fairstream.yml", ".github/workflows/fairstream-forks.yml"} {
		text, err := os.ReadFile(filepath.Join(r.path("clone"), name))
		if err != nil {
			r.t.Fatal(err)
		}
		last := fmt.Sprintf("      servers: %q\n", r.server)
		if strings.Contains(string(text), "# auto finds all") {
			last = fmt.Sprintf("      servers: %q # auto finds all\n", r.server)
		}
		short[name] = cut(r.t, string(text), last, last+shortLoad)
	}
	r.commit("main", "a short load", short)
}

// publishes keeps a history of the repository: init writes the workflow, and its first run makes the branch and the site.
func (r *otherRepository) publishes(workload string) {
	r.t.Helper()
	const name = ".github/workflows/fairstream-publish.yml"
	if out := r.bench("init", "-publish", "-workload", workload, path.Join("../shop", r.server)); !strings.Contains(out, name) {
		r.t.Errorf("init wrote no %s:\n%s", name, out)
	}
	text, err := os.ReadFile(filepath.Join(r.path("clone"), name))
	if err != nil {
		r.t.Fatal(err)
	}
	last := fmt.Sprintf("      server: %q\n", r.server)
	sha := r.commit("main", "a history", map[string]string{name: cut(r.t, string(text), last, last+"      quick: true\n")})
	r.run("fairstream-publish", "push", map[string]any{"ref": "refs/heads/main", "after": sha}).want([]string{"plan", "measure", "publish", "site", "deploy"})
	if files := r.runFiles(); len(files) != 1 || !strings.HasPrefix(filepath.Base(files[0]), sha+"-") {
		r.t.Errorf("history: %q, want one file of %s", r.history(), sha)
	}
	if site := r.deployed(); !slices.Contains(site, "data/manifest.json") {
		r.t.Errorf("the site has %q", site)
	}
}

const (
	tooNoisy    = "inconclusive: the machine is too noisy"
	compareStep = ": ./fairstream/.github/actions/compare"
)

// findsTheSlowerOne opens a pull request whose commit makes the server slower, and reads the answer. It returns the commit.
func (r *otherRepository) findsTheSlowerOne(server string) (head string) {
	r.t.Helper()
	head = r.commit("slower", "a slower one", r.files("slower"))
	r.open(7, "slower", head, false)
	r.pulled(7).want([]string{"servers", "measure " + path.Base(server), "report " + path.Base(server)}, "measure "+path.Base(server)+compareStep)
	headline := r.headline(7, server, head)
	switch {
	case strings.HasPrefix(headline, "regressed: "):
		r.wantStatus(head, server, "failure", "regressed: ")
	case strings.HasPrefix(headline, tooNoisy):
		r.wantStatus(head, server, "success", "no verdict: ")
		r.busy = true
	default:
		r.t.Errorf("%q; want a regression, or that the machine is too noisy", headline)
	}
	return head
}

// skipIfBusy reports that the machine did not let the slower commit be found. All else was tested.
func (r *otherRepository) skipIfBusy() {
	r.t.Helper()
	if r.busy && !r.t.Failed() {
		r.t.Skip("other programs keep the machine busy, so no round shows that the commit is slower")
	}
}

// answersAFork opens a pull request of a fork whose commit changes nothing that matters. Its own run may not write, so
// another one reports.
func (r *otherRepository) answersAFork(server, want string) {
	r.t.Helper()
	head := r.commit("unchanged", "the same in other words", r.files("unchanged"))
	p := r.open(8, "unchanged", head, true)
	before := len(r.api.writes())
	run := r.pulled(8)
	if writes := r.api.writes()[before:]; len(writes) > 0 {
		r.t.Errorf("the run of a fork wrote: %v", writes)
	}
	measured := r.runs
	r.run("fairstream-forks", "workflow_run", map[string]any{"action": "completed", "workflow_run": map[string]any{
		"id": 100 + measured, "run_attempt": 1, "name": "fairstream", "event": "pull_request", "conclusion": "success", "head_sha": head,
		"head_branch": p.Head.Ref, "head_repository": map[string]any{"full_name": p.Head.Repo.FullName, "owner": p.Head.Repo.Owner},
	}}).want([]string{"servers", "report " + path.Base(server)})
	headline := r.headline(8, server, head)
	if strings.HasPrefix(headline, tooNoisy) {
		run.want([]string{"servers", "measure " + path.Base(server)}, "measure "+path.Base(server)+compareStep)
	} else {
		run.want([]string{"servers", "measure " + path.Base(server)})
	}
	if !strings.HasPrefix(headline, want) || strings.HasPrefix(headline, "regressed") || strings.HasPrefix(headline, "not measured") {
		r.t.Errorf("an unchanged server is %q, want %q", headline, want)
	}
	r.wantStatus(head, server, "pending", "claim of a fork; read it, then comment /benchmark SHA: ")
}

// headline is what the comment on a pull request says of a server.
func (r *otherRepository) headline(number int, server, head string) string {
	r.t.Helper()
	var found []comment
	for _, c := range r.api.comments {
		if c.issue == number {
			found = append(found, c)
		}
	}
	begin := fmt.Sprintf("<!-- fairstream: %s -->\n<!-- answer about %s -->\n**%s**: ", r.server, head, server)
	if len(found) != 1 || !strings.HasPrefix(found[0].Body, begin) {
		r.t.Fatalf("comments %+v; want one that begins with %q", found, begin)
	}
	line, _, _ := strings.Cut(strings.TrimPrefix(found[0].Body, begin), "\n")
	r.t.Logf("pull request %d: %s", number, line)
	return line
}

// wantStatus expects one status of a server at a commit, and the beginning of its description.
func (r *otherRepository) wantStatus(head, server, state, begin string) {
	r.t.Helper()
	of := slices.DeleteFunc(slices.Clone(r.api.statuses[head]), func(s status) bool { return s.Context != "fairstream/"+strings.ReplaceAll(server, "/", ".") })
	if len(of) != 1 || of[0].State != state || !strings.HasPrefix(of[0].Description, begin) {
		r.t.Errorf("statuses %+v; want %s of %s, and a description that begins with %q", r.api.statuses[head], state, server, begin)
	}
}

// How long a pull request of somebody's repository takes, step by step: with empty caches, as on GitHub's machines, and once
// more. The load is the whole one. It prints the seconds:
//
//	FAIRSTREAM_LONG=1 go test -C scripts -timeout 1h -run TestLongOtherRepositoryTakes -v ./e2e/pipeline
func TestLongOtherRepositoryTakes(t *testing.T) {
	long(t, "20 minutes")
	r := newOtherRepository(t, "go", ".")
	r.asReadmeSays("relay", nil)
	short := ".github/workflows/fairstream.yml"
	text, err := os.ReadFile(filepath.Join(r.path("clone"), short))
	if err != nil {
		t.Fatal(err)
	}
	r.commit("main", "the whole load", map[string]string{short: cut(t, string(text), shortLoad, "")})
	head := r.commit("slower", "a slower one", r.files("slower"))
	r.open(7, "slower", head, false)
	whole := slices.DeleteFunc(slices.Clone(r.built), func(variable string) bool { return strings.HasPrefix(variable, "GOFLAGS=") })
	cold := slices.DeleteFunc(slices.Clone(whole), func(variable string) bool { return strings.HasPrefix(variable, "GOCACHE=") })
	for _, c := range []struct {
		caches string
		env    []string
	}{{"empty", append(cold, "GOCACHE="+r.path("cold"))}, {"full", append(whole, "GOCACHE="+r.path("cold"))}} {
		r.built = c.env
		began := time.Now()
		run := r.pulled(7)
		steps := took.FindAllStringSubmatch(run.log, -1)
		if len(steps) < 8 || len(r.api.statuses[head]) == 0 {
			t.Fatalf("%d steps\n%s", len(steps), run.log)
		}
		var all strings.Builder
		for _, s := range steps {
			fmt.Fprintf(&all, "%-8s %-20.20s %s\n", s[1], s[2], s[3])
		}
		t.Logf("compiler's cache %s, %.0f s in all:\n%s%s", c.caches, time.Since(began).Seconds(), &all, strings.Join(builtIn.FindAllString(run.log, -1), "\n"))
	}
	r.headline(7, "relay/shop", head)
}

var (
	took    = regexp.MustCompile(`(?m)^(measure|report) \| .* (?:Success|Failure) - Main ([^\["]*) \[(.*)\]$`)
	builtIn = regexp.MustCompile(`build: \S+: done in .* s`)
)
