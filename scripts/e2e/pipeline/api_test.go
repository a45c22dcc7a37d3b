package pipeline

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// An api is the part of GitHub's REST API that the pipeline uses, on loopback.
type api struct {
	*httptest.Server
	slug   string // OWNER/NAME
	remote string // the bare repository, for what is asked about commits

	mu       sync.Mutex
	calls    []call
	pulls    []pull
	comments []comment // on pull requests
	alerts   []comment // on commits
	issues   []issue
	statuses map[string][]status // by commit, in the order of their calls
	waiting  []map[string]any    // jobs of the one run that has not ended
	// readOnly refuses to write, as GitHub does when a job's token may not.
	readOnly bool
}

type call struct {
	method, path, body string
}

type pull struct {
	Number int    `json:"number"`
	State  string `json:"state"`
	Title  string `json:"title"`
	Head   end    `json:"head"`
	Base   end    `json:"base"`
	User   user   `json:"user"`
}

// An end is the head or the base of a pull request.
type end struct {
	SHA   string      `json:"sha"`
	Ref   string      `json:"ref"`
	Label string      `json:"label"` // OWNER:BRANCH
	Repo  *repository `json:"repo"`
}

type repository struct {
	FullName string `json:"full_name"`
	Owner    user   `json:"owner"`
	Fork     bool   `json:"fork"`
}

type user struct {
	Login string `json:"login"`
	Type  string `json:"type"`
}

type comment struct {
	ID     int    `json:"id"`
	User   user   `json:"user"`
	Body   string `json:"body"`
	issue  int
	commit string
}

// An issue is open.
type issue struct {
	Number int    `json:"number"`
	User   user   `json:"user"`
	Title  string `json:"title"`
	Body   string `json:"body"`
}

// A status stands beside a commit. The newest of a context counts.
type status struct {
	Context     string `json:"context"`
	State       string `json:"state"`
	Description string `json:"description"`
	URL         string `json:"target_url"`
}

const slug = "acme/fairstream"

const maintainer = "maintainer"

var bot = user{"github-actions[bot]", "Bot"}

func newAPI(t *testing.T, slug, remote string) *api {
	a := &api{slug: slug, remote: remote, statuses: map[string][]status{}}
	mux := http.NewServeMux()
	repos := "/repos/" + slug
	handle := func(pattern string, do func(r *http.Request, body []byte) (int, any)) {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" "+repos+path, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body) // half a body counts as no body
			a.mu.Lock()
			defer a.mu.Unlock()
			a.calls = append(a.calls, call{r.Method, r.URL.RequestURI(), string(body)})
			status, answer := http.StatusForbidden, any(map[string]string{"message": "Resource not accessible by integration"})
			if method == "GET" || !a.readOnly {
				status, answer = do(r, body)
			}
			a.answer(w, r, status, answer)
		})
	}
	missing := func() (int, any) { return http.StatusNotFound, map[string]string{"message": "Not Found"} }

	handle("GET /hash-algorithm", func(*http.Request, []byte) (int, any) { // asked by actions/checkout
		return http.StatusOK, map[string]string{"hash_algorithm": "sha1"}
	})
	handle("GET /pulls", func(r *http.Request, _ []byte) (int, any) {
		found := []pull{}
		for _, p := range a.pulls {
			head := r.FormValue("head")
			if (head == "" || head == p.Head.Label) && (r.FormValue("state") == "all" || p.State == "open") {
				found = append(found, p)
			}
		}
		return http.StatusOK, found
	})
	handle("GET /pulls/{number}", func(r *http.Request, _ []byte) (int, any) {
		for _, p := range a.pulls {
			if strconv.Itoa(p.Number) == r.PathValue("number") {
				return http.StatusOK, p
			}
		}
		return missing()
	})
	handle("GET /compare/{ends}", func(r *http.Request, _ []byte) (int, any) {
		base, head, _ := strings.Cut(r.PathValue("ends"), "...")
		out, err := exec.Command("git", "-C", remote, "merge-base", base, head).Output()
		if err != nil {
			return missing()
		}
		files := []map[string]string{}
		for _, name := range gitLines(remote, "diff", "--name-only", strings.TrimSpace(string(out)), head) {
			files = append(files, map[string]string{"filename": name})
		}
		return http.StatusOK, map[string]any{"merge_base_commit": map[string]string{"sha": strings.TrimSpace(string(out))}, "files": files}
	})
	handle("GET /collaborators/{login}/permission", func(r *http.Request, _ []byte) (int, any) {
		permission := "read"
		if r.PathValue("login") == maintainer {
			permission = "write"
		}
		return http.StatusOK, map[string]string{"permission": permission}
	})
	handle("GET /git/trees/{sha}", func(r *http.Request, _ []byte) (int, any) {
		tree := []map[string]string{}
		for _, name := range gitLines(remote, "ls-tree", "-r", "--name-only", r.PathValue("sha")) {
			tree = append(tree, map[string]string{"path": name, "type": "blob"})
		}
		return http.StatusOK, map[string]any{"tree": tree}
	})
	handle("GET /contents/{path...}", func(r *http.Request, _ []byte) (int, any) {
		out, err := exec.Command("git", "-C", remote, "show", r.FormValue("ref")+":"+r.PathValue("path")).Output()
		if err != nil {
			return missing()
		}
		return http.StatusOK, map[string]string{"content": base64.StdEncoding.EncodeToString(out)}
	})
	handle("GET /commits/{ref...}", func(r *http.Request, _ []byte) (int, any) {
		if found, err := a.commit(r.PathValue("ref")); err == nil {
			return http.StatusOK, found
		}
		return missing()
	})
	handle("GET /issues/{number}/comments", func(r *http.Request, _ []byte) (int, any) {
		found := []comment{}
		for _, c := range a.comments {
			if strconv.Itoa(c.issue) == r.PathValue("number") {
				found = append(found, c)
			}
		}
		return http.StatusOK, found
	})
	handle("POST /issues/{number}/comments", func(r *http.Request, body []byte) (int, any) {
		c := comment{ID: 1000 + len(a.comments), User: bot, Body: bodyOf(body)}
		c.issue, _ = strconv.Atoi(r.PathValue("number")) // else 0, which the test does not want
		a.comments = append(a.comments, c)
		return http.StatusCreated, c
	})
	handle("PATCH /issues/comments/{id}", func(r *http.Request, body []byte) (int, any) {
		for i, c := range a.comments {
			if strconv.Itoa(c.ID) == r.PathValue("id") {
				a.comments[i].Body = bodyOf(body)
				return http.StatusOK, a.comments[i]
			}
		}
		return missing()
	})
	handle("GET /issues", func(*http.Request, []byte) (int, any) { return http.StatusOK, slices.Clone(a.issues) })
	handle("POST /issues", func(_ *http.Request, body []byte) (int, any) {
		made := issue{Number: 500 + len(a.issues), User: bot, Body: bodyOf(body)}
		a.issues = append(a.issues, made)
		return http.StatusCreated, made
	})
	handle("PATCH /issues/{number}", func(r *http.Request, body []byte) (int, any) {
		for i := range a.issues {
			if strconv.Itoa(a.issues[i].Number) == r.PathValue("number") {
				a.issues[i].Body = bodyOf(body)
				return http.StatusOK, a.issues[i]
			}
		}
		return missing()
	})
	handle("GET /actions/runs", func(r *http.Request, _ []byte) (int, any) {
		runs := []map[string]any{}
		if r.FormValue("status") == "queued" && len(a.waiting) > 0 {
			runs = append(runs, map[string]any{"id": 1})
		}
		return http.StatusOK, map[string]any{"workflow_runs": runs}
	})
	handle("GET /actions/runs/1/jobs", func(*http.Request, []byte) (int, any) {
		return http.StatusOK, map[string]any{"jobs": a.waiting}
	})
	// Each job that a plan of the project can have, as if it had been loaded. act has no queue.
	handle("GET /actions/runs/{id}/attempts/{attempt}/jobs", func(*http.Request, []byte) (int, any) {
		jobs := []map[string]any{}
		for _, name := range []string{"relay.go-http", "relay.go-gin", "relay.bun-hono"} {
			for _, of := range []string{name, "comparison." + name} {
				jobs = append(jobs, map[string]any{"name": "load / load " + of, "status": "completed"})
			}
		}
		return http.StatusOK, map[string]any{"jobs": append(jobs, map[string]any{"name": "leaderboard / load relay.leaderboard", "status": "completed"})}
	})
	handle("POST /commits/{sha}/comments", func(r *http.Request, body []byte) (int, any) {
		c := comment{ID: 5000 + len(a.alerts), User: bot, Body: bodyOf(body), commit: r.PathValue("sha")}
		a.alerts = append(a.alerts, c)
		return http.StatusCreated, c
	})
	handle("POST /statuses/{sha}", func(r *http.Request, body []byte) (int, any) {
		var s status
		err := json.Unmarshal(body, &s)
		_, unknown := a.commit(r.PathValue("sha"))
		states := []string{"error", "failure", "pending", "success"}
		if err != nil || unknown != nil || !slices.Contains(states, s.State) || utf8.RuneCountInString(s.Description) > 140 {
			return http.StatusUnprocessableEntity, map[string]string{"message": "Validation Failed"}
		}
		a.statuses[r.PathValue("sha")] = append(a.statuses[r.PathValue("sha")], s)
		return http.StatusCreated, s
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the fake GitHub does not know %s %s", r.Method, r.URL)
		http.NotFound(w, r)
	})
	a.Server = httptest.NewServer(mux)
	t.Cleanup(a.Close)
	return a
}

// gitLines are the lines that git prints, or none if it fails.
func gitLines(dir string, args ...string) []string {
	out, _ := exec.Command("git", append([]string{"-C", dir}, args...)...).Output() // an unknown commit has no files
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
}

// answer writes JSON; lists come in pages of per_page, 30 by default, as GitHub's do.
func (a *api) answer(w http.ResponseWriter, r *http.Request, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	switch list := v.(type) {
	case []pull:
		v = page(w, r, list)
	case []comment:
		v = page(w, r, list)
	case []issue:
		v = page(w, r, list)
	}
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func page[T any](w http.ResponseWriter, r *http.Request, list []T) []T {
	size, number := 30, 1
	if n, err := strconv.Atoi(r.FormValue("per_page")); err == nil {
		size = min(n, 100)
	}
	if n, err := strconv.Atoi(r.FormValue("page")); err == nil {
		number = n
	}
	from := min(len(list), (number-1)*size)
	to := min(len(list), from+size)
	if to < len(list) {
		q := r.URL.Query()
		q.Set("page", strconv.Itoa(number+1))
		w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?%s>; rel="next"`, r.Host, r.URL.Path, q.Encode()))
	}
	return list[from:to]
}

func bodyOf(data []byte) string {
	var v struct{ Body string }
	json.Unmarshal(data, &v) // else it has none
	return v.Body
}

// commit is what GitHub says of a commit.
func (a *api) commit(ref string) (map[string]any, error) {
	out, err := exec.Command("git", "-C", a.remote, "log", "-1", "--format=%H%n%an%n%ae%n%aI%n%s", "--end-of-options", ref, "--").Output()
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(out), "\n")
	person := map[string]string{"name": lines[1], "email": lines[2], "date": lines[3]}
	return map[string]any{
		"sha": lines[0], "html_url": "https://github.com/" + a.slug + "/commit/" + lines[0],
		"commit": map[string]any{"message": lines[4], "author": person, "committer": person},
		"author": user{Login: lines[1]}, "committer": user{Login: lines[1]},
	}, nil
}

// writes are the calls that change something.
func (a *api) writes() (all []call) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range a.calls {
		if c.method != "GET" {
			all = append(all, c)
		}
	}
	return all
}

func date(t time.Time) string { return t.UTC().Format(time.RFC3339) }
