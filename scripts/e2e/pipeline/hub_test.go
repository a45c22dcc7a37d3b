package pipeline

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/testfile"
)

// A hub is a GitHub of one repository: the bare repository, a clone to commit
// in, the API, and the artifacts of all runs.
type hub struct {
	t     *testing.T
	dir   string // everything of it, and nothing of it elsewhere
	slug  string // OWNER/NAME of the repository
	api   *api
	pages []string // commits that gh-pages had
	runs  int
	when  time.Time // of the last commit
	built []string  // environment: where what was built and fetched before lies
	// fairstream is the commit of the project that another repository calls, in the clone of that name; "" in the project itself.
	fairstream string
}

// bench builds the real tool, once for all tests.
var bench = sync.OnceValues(func() (string, error) {
	path, err := filepath.Abs("../../bin/pipeline/bench")
	if err != nil {
		return "", err
	}
	return path, command("../..", "go", "build", "-trimpath", "-buildvcs=false", "-o", path, ".")
})

// project is what the repository has beside .github. scripts/bench is the real
// tool but for the load.
var project = map[string]string{
	"scripts/bench": `#!/bin/sh
# The real tool for everything but the load.
scripts=$(dirname "$(readlink -f "$0")")
case $1 in
run|compare|prove)
	PIPELINE_COMMAND=$1 ROLE=load
	[ "$1" = prove ] && ROLE=trials
	export PIPELINE_COMMAND ROLE
	shift
	exec "$STAND_IN" "$@" ;;
esac
# It finds the project from where it lies.
mkdir -p "$scripts/bin"
[ -x "$scripts/bin/bench" ] || cp "$BENCH" "$scripts/bin/bench"
exec "$scripts/bin/bench" "$@"
`,
	"scripts/test":                 "#!/bin/sh\necho tested >&2\n",
	"scripts/.gitignore":           "bin/\n",
	"scripts/go.mod":               "module fairstream/scripts\n\ngo 1.26.0\n",
	"stub/main.go":                 "package main\n",
	"k6/relay/ranking.js":          "",
	"scripts/GLOSSARY.md":          "# Glossary\n",
	"gh-pages/assets.json":         `{"style.css": {"file": "site.css"}}`,
	"gh-pages/package.json":        `{"name": "pages", "scripts": {"build": "mkdir -p dist && cp assets.json dist"}}`,
	"gh-pages/package-lock.json":   `{"name": "pages", "lockfileVersion": 3, "packages": {"": {"name": "pages"}}}`,
	"README.md":                    "# A project\n",
	"servers/README.md":            "# The contract\n",
	"servers/relay/go-http/speed":  "rate=1000 p95=50 rss=20\n",
	"servers/relay/go-gin/speed":   "rate=900 p95=55 rss=24\n",
	"servers/relay/bun-hono/speed": "rate=800 p95=60 rss=60\n",
}

const serverJSON = `{"workload": "relay", "language": "go", "framework": "net/http", "build": ["true"], "run": ["bin/server"], "versions": {"go": ["go", "version"]}}` + "\n"

var queueLine = regexp.MustCompile(`(?m)^ +queue: max\n`)

// newHub makes the hub of the project.
func newHub(t *testing.T) *hub {
	t.Helper()
	files := map[string]string{}
	for name, text := range ours(t) {
		// The one thing that is not as it is: act's schema does not know this key.
		files[".github/"+name] = queueLine.ReplaceAllString(text, "")
	}
	for name, text := range project {
		files[name] = text
		if dir := filepath.Dir(name); filepath.Base(name) == "speed" {
			files[dir+"/server.json"] = serverJSON
		}
	}
	h := emptyHub(t, slug)
	h.commit("main", "the first", files)
	return h
}

// emptyHub makes the hub of a repository without a commit.
func emptyHub(t *testing.T, slug string) *hub {
	t.Helper()
	h := &hub{t: t, dir: t.TempDir(), slug: slug, when: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)}
	for _, dir := range []string{"home", "tmp", "cache", "artifacts"} {
		if err := os.Mkdir(h.path(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	h.must(h.dir, "git", "init", "--quiet", "--bare", "--initial-branch=main", "remote.git")
	// As GitHub: any commit that can be reached may be asked for by its SHA.
	h.must(h.path("remote.git"), "git", "config", "uploadpack.allowAnySHA1InWant", "true")
	h.must(h.dir, "git", "init", "--quiet", "--initial-branch=main", "clone")
	h.must(h.path("clone"), "git", "remote", "add", "origin", "file://"+h.path("remote.git"))
	h.api = newAPI(t, slug, h.path("remote.git"))
	return h
}

func (h *hub) path(name string) string { return filepath.Join(h.dir, name) }

func (h *hub) write(dir, name, text string) {
	h.t.Helper()
	if strings.HasPrefix(text, "#!") {
		testfile.Program(h.t, filepath.Join(dir, name), text)
	} else {
		testfile.Write(h.t, filepath.Join(dir, name), text)
	}
}

// inline puts load.yml's job in the place of calls to it. act ends a run when a called workflow fails, while
// GitHub continues with the dependent jobs. So tests of later jobs do without the call.
func (h *hub) inline() {
	h.t.Helper()
	files := ours(h.t)
	job := files["workflows/load.yml"]
	job = job[strings.LastIndex(job, "    runs-on:"):] // not its watchdog's
	job = cut(h.t, job, "    permissions:\n      contents: read # to check the code out\n", "")
	job = strings.ReplaceAll(job, "inputs.plan", "needs.plan.outputs.plan")
	const name = "    name: load ${{ matrix.job.name }}\n"
	edited := map[string]string{}
	for file, lane := range lanes {
		path := "workflows/" + file + ".yml"
		text := queueLine.ReplaceAllString(files[path], "")
		for jobName, output := range map[string]string{"load": "jobs", plan.Leaderboard: plan.Leaderboard, "comparison": "comparisons", plan.TrialRun: "trials"} {
			call := "    uses: ./.github/workflows/load.yml\n    with:\n      plan: ${{ needs.plan.outputs.plan }}\n      jobs: ${{ needs.plan.outputs." + output + " }}\n      lane: " + lane + "\n"
			if jobName != "load" && file != "benchmark" {
				continue
			}
			text = cut(h.t, text, "    name: "+jobName+"\n", name)
			text = cut(h.t, text, call, strings.NewReplacer("${{ inputs.lane }}", lane, "inputs.jobs", "needs.plan.outputs."+output).Replace(job))
		}
		edited[".github/"+path] = text
	}
	h.commit("main", "without calls", edited)
}

// cut replaces what must be there.
func cut(t *testing.T, text, old, new string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q: not once in\n%s", old, text)
	}
	return strings.Replace(text, old, new, 1)
}

// must runs a program of the test's own, as a person with a name.
func (h *hub) must(dir, program string, args ...string) string {
	h.t.Helper()
	h.when = h.when.Add(time.Second)
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(h.env(), "GIT_AUTHOR_DATE="+date(h.when), "GIT_COMMITTER_DATE="+date(h.when))
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		cmd.Env = append(cmd.Env, "GIT_"+who+"_NAME=Ann", "GIT_"+who+"_EMAIL=ann@example.org")
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit puts files onto a branch, which begins at main when it is new, pushes
// it and leaves the clone on main.
func (h *hub) commit(branch, message string, files map[string]string) string {
	h.t.Helper()
	clone := h.path("clone")
	if branch != "main" {
		if exec.Command("git", "-C", clone, "switch", "--quiet", branch).Run() != nil {
			h.must(clone, "git", "switch", "--quiet", "--create", branch, "main")
		}
	}
	for name, text := range files {
		h.write(clone, name, text)
	}
	h.must(clone, "git", "add", "--all")
	h.must(clone, "git", "commit", "--quiet", "--allow-empty", "-m", message)
	sha := h.must(clone, "git", "rev-parse", "HEAD")
	h.must(clone, "git", "push", "--quiet", "origin", branch)
	if branch != "main" {
		h.must(clone, "git", "switch", "--quiet", "main")
	}
	return sha
}

// open opens a pull request of a branch; of a fork, its commits are only
// where GitHub keeps those: refs/pull/N/head.
func (h *hub) open(number int, branch, sha string, fork bool) *pull {
	h.t.Helper()
	base := repository{FullName: h.slug, Owner: user{Login: "acme"}}
	from := base
	if fork {
		from = repository{FullName: "mallory/" + path.Base(h.slug), Owner: user{Login: "mallory"}, Fork: true}
		h.must(h.path("remote.git"), "git", "update-ref", "-d", "refs/heads/"+branch)
	}
	main := h.must(h.path("clone"), "git", "rev-parse", "main")
	h.api.pulls = append(h.api.pulls, pull{
		Number: number, State: "open", Title: "A change", User: user{Login: from.Owner.Login, Type: "User"},
		Head: end{SHA: sha, Ref: branch, Label: from.Owner.Login + ":" + branch, Repo: &from},
		Base: end{SHA: main, Ref: "main", Label: "acme:main", Repo: &base},
	})
	h.update(number, sha)
	return &h.api.pulls[len(h.api.pulls)-1]
}

// update makes a commit the head of a pull request.
func (h *hub) update(number int, sha string) {
	h.t.Helper()
	for i := range h.api.pulls {
		if h.api.pulls[i].Number == number {
			h.api.pulls[i].Head.SHA = sha
		}
	}
	// A ref of its own, as a push to a fork does not reach this repository otherwise.
	h.must(h.path("clone"), "git", "push", "--quiet", "--force", "origin", fmt.Sprintf("%s:refs/pull/%d/head", sha, number))
}

// show reads a file of the gh-pages branch; "" without it.
func (h *hub) show(path string) string {
	h.t.Helper()
	out, err := exec.Command("git", "-C", h.path("remote.git"), "show", "gh-pages:"+path).Output()
	if err != nil {
		return ""
	}
	return string(out)
}

// history lists the files of the gh-pages branch.
func (h *hub) history() []string {
	h.t.Helper()
	out, err := exec.Command("git", "-C", h.path("remote.git"), "ls-tree", "-r", "--name-only", "gh-pages").Output()
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

// nothingForged looks for the file that every attack here would make.
func (h *hub) nothingForged() {
	h.t.Helper()
	filepath.WalkDir(h.dir, func(path string, d fs.DirEntry, err error) error { // its function returns none
		if err == nil && d.Name() == "forged" {
			h.t.Errorf("%s: an attack made it", path)
		}
		return nil
	})
}
