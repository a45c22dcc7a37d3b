package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// An otherRepository is a hub of somebody else's repository, with a clone of the project beside its own clone.
type otherRepository struct {
	*hub
	sources string // directory in testdata
	server  string // directory of the server in the repository; "." is the repository itself
	busy    bool   // other programs kept a commit from being judged
}

const otherSlug = "acme/shop"

// newOtherRepository makes a repository with the files of testdata/otherrepo/NAME/base.
func newOtherRepository(t *testing.T, name, server string) *otherRepository {
	t.Helper()
	r := &otherRepository{hub: emptyHub(t, otherSlug), sources: filepath.Join("testdata/otherrepo", name), server: server}
	r.useCaches()
	// The name of the clone is that of the repository.
	if err := errors.Join(os.Rename(r.path("clone"), r.path("shop")), os.Symlink("shop", r.path("clone"))); err != nil {
		t.Fatal(err)
	}
	// The whole contract takes minutes where the machine is busy, and other tests check it.
	r.built = append(r.built, "GOFLAGS=-ldflags=-X=fairstream/scripts/internal/measure/verify.light=yes")
	files := projectFiles(t)
	for path, text := range ours(t) {
		files[".github/"+path] = text
	}
	project := r.path("fairstream")
	r.must(r.dir, "git", "init", "--quiet", "--initial-branch=main", project)
	for path, text := range files {
		r.write(project, path, text)
	}
	r.must(project, "git", "add", "--all")
	r.must(project, "git", "commit", "--quiet", "-m", "the project")
	r.must(project, "git", "config", "uploadpack.allowAnySHA1InWant", "true")
	r.must(project, "git", "remote", "add", "origin", "https://github.com/"+slug)
	r.fairstream = r.must(project, "git", "rev-parse", "HEAD")
	r.commit("main", "a shop", r.files("base"))
	return r
}

// files are those of a directory in the repository's testdata.
func (r *otherRepository) files(of string) map[string]string {
	r.t.Helper()
	return filesIn(r.t, filepath.Join(r.sources, of))
}

// bench runs a command of the README in the clone of the project, and returns what it prints.
func (r *otherRepository) bench(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("scripts/bench", args...)
	cmd.Dir = r.path("fairstream")
	cmd.Env = slices.Concat(r.env(), r.built)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("scripts/bench %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// ownFile are the expressions that act does not know: the repository and the commit of compare.yml itself.
var ownFile = regexp.MustCompile(`\$\{\{ job\.workflow_(repository \|\| 'unknown/unknown'|sha) \}\}`)

// patched is a copy of the project's .github for act, in which these expressions have their values, and without the key
// that its schema does not know. Nothing else differs: with the expressions put back, each file is as it was.
func (h *hub) patched() string {
	h.t.Helper()
	const repository = "${{ job.workflow_repository || 'unknown/unknown' }}"
	values := map[string]string{repository: slug, "${{ job.workflow_sha }}": h.fairstream}
	dir := h.path("patched")
	for path, text := range ours(h.t) {
		text = queueLine.ReplaceAllString(text, "")
		copied := ownFile.ReplaceAllStringFunc(text, func(expression string) string { return values[expression] })
		if strings.Contains(copied, "${{ job.workflow_") {
			h.t.Errorf("%s: act gets an expression that it does not know:\n%s", path, copied)
		}
		if back := strings.NewReplacer("repository: "+slug, "repository: "+repository, h.fairstream, "${{ job.workflow_sha }}").Replace(copied); back != text {
			h.t.Errorf("%s: act gets another file:\n%s", path, copied)
		}
		h.write(dir, ".github/"+path, copied)
	}
	return dir
}

// pullRequest is the event of a pull request, and its payload.
func (r *otherRepository) pullRequest(number int) (event string, payload map[string]any) {
	r.t.Helper()
	for _, p := range r.api.pulls {
		if p.Number == number {
			text, err := json.Marshal(p)
			if err != nil {
				r.t.Fatal(err)
			}
			return "pull_request", map[string]any{"action": "opened", "number": number, "pull_request": json.RawMessage(text)}
		}
	}
	r.t.Fatalf("no pull request %d", number)
	return "", nil
}

// pulled runs the workflow that init wrote, for a pull request. It runs at the merge of the pull request, as on GitHub.
func (r *otherRepository) pulled(number int) workflowRun {
	r.t.Helper()
	event, payload := r.pullRequest(number)
	clone := r.path("clone")
	r.must(clone, "git", "fetch", "--quiet", "origin", fmt.Sprintf("refs/pull/%d/head", number))
	r.must(clone, "git", "switch", "--quiet", "--detach", "main")
	r.must(clone, "git", "merge", "--quiet", "--no-ff", "-m", "merge", "FETCH_HEAD")
	r.must(clone, "git", "push", "--quiet", "--force", "origin", fmt.Sprintf("HEAD:refs/pull/%d/merge", number))
	defer r.must(clone, "git", "switch", "--quiet", "main")
	return r.run("fairstream", event, payload)
}

// long leaves a test that takes so much time to scripts/test -long.
func long(t *testing.T, takes string) {
	t.Helper()
	if os.Getenv("FAIRSTREAM_LONG") == "" {
		t.Skip("takes " + takes)
	}
}
