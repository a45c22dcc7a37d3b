package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/testfile"
)

const todo = "servers/http/todo-go"

// todoProject has the server with a database, which declares its requests, and pages.
func todoProject(t *testing.T) testProject {
	p := newProject(t)
	p.write("servers/http/README.md", "")
	p.copy("../"+todo, todo)
	p.pages()
	p.write(".gitignore", "dist/\nnode_modules/\nbin/\ntodo.db*\n")
	return p
}

// A server that declares its requests is verified, loaded and shown on the site.
func TestOwnServerFromVerifyToASite(t *testing.T) {
	t.Parallel()
	p := todoProject(t)
	p.bench("verify", "http/todo-go").expect(t, 0)
	r := p.bench("run", "-quick", "-rounds", "1", "-scenario", "mixed", "-o", "out", "http")
	if page := filepath.Join(p.root, "out", "report.html"); r.status != 0 || !strings.Contains(r.stdout, "todo-go") || !exists(page) {
		t.Fatalf("exit status %d, and want %s\n%s\n%s", r.status, page, r.stdout, r.stderr)
	}
	records := testfile.Read(p, filepath.Join(p.root, "out", recordsFile), record.Read)
	for _, rec := range records {
		if failed, known := rec.Metrics.Get("failed_pct"); !known || failed != 0 {
			t.Errorf("%s: %v %% of its requests failed: %q", rec.Target(), failed, rec.Why)
		}
	}
	if len(records) != 2 {
		t.Errorf("%d records; want those of todo-go and direct", len(records))
	}
	p.bench("site", "-history", "none", "-o", "site", "out/"+recordsFile).expect(t, 0, "1 server")
	if runs := p.glob("site/runs/local/*.jsonl.gz"); len(runs) != 2 { // with direct, and without
		t.Errorf("runs %q; want this one", runs)
	}
}

// A server may answer with server-sent events of any content. They then have a TTFT and an ITL.
func TestOwnServerThatStreams(t *testing.T) {
	t.Parallel()
	const dir = "servers/http/clock"
	p := newProject(t)
	p.write("servers/http/README.md", "")
	p.write(dir+"/go.mod", "module clock\n\ngo 1.26\n")
	p.write(dir+"/main.go", `package main

import (
	"fmt"
	"net/http"
	"os"
	"time"
)

func main() {
	http.HandleFunc("/ticks", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			time.Sleep(20 * time.Millisecond)
			fmt.Fprintf(w, "data: tick %d\n\n", i)
			w.(http.Flusher).Flush()
		}
	})
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)
}
`)
	p.write(dir+"/server.json", `{"workload": "http", "language": "go", "framework": "none", "build": ["go", "build", "-o", "bin/server", "."], "run": ["bin/server"], "versions": {"go": ["go", "version"]},
		"requests": [{"path": "/ticks", "answer": {"stream": {"events": 3, "last": "tick 2"}}}]}`)
	p.bench("verify", "http/clock").expect(t, 0)
	p.bench("run", "-quick", "-rounds", "1", "-scenario", "mixed", "-o", "out", "http").expect(t, 0, "clock")
	records := testfile.Read(p, filepath.Join(p.root, "out", recordsFile), record.Read)
	for _, r := range records {
		first, known := r.Metrics.Get("ttft_p50_ms")
		between, also := r.Metrics.Get("itl_p50_ms")
		if server := r.Server.Name == "clock"; known != server || also != server || server && (first < 20 || between < 15) {
			t.Errorf("%s: TTFT %v ms (%v), ITL %v ms (%v)", r.Target(), first, known, between, also)
		}
	}
	p.write(dir+"/server.json", strings.Replace(p.text(dir+"/server.json"), "tick 2", "[DONE]", 1))
	p.bench("verify", "http/clock").expect(t, 1, `the last of 3 events does not begin with "[DONE]"`)
}

// A change that answers each item with 60 queries more is found, and has a page.
func TestLongOwnServerIsCompared(t *testing.T) {
	long(t, "2 minutes")
	p := todoProject(t)
	p.git("init", "-q", "-b", "main")
	base := p.commit()
	code := p.text(todo + "/main.go")
	slower := strings.Replace(code, "	var i item\n	err = a.db.QueryRowContext", `	for range 60 {
		var n int
		if err := a.db.QueryRowContext(r.Context(), "SELECT count(*) FROM todos WHERE id < ?", id).Scan(&n); err != nil {
			fail(w, err)
			return
		}
	}
	var i item
	err = a.db.QueryRowContext`, 1)
	if slower == code {
		t.Fatal("the change does not fit the server")
	}
	p.write(todo+"/main.go", slower)
	p.commit()
	r := p.bench("compare", "-quick", "-rounds", "4", "-base", base, "-o", "out", "http/todo-go")
	if strings.Contains(r.stdout, "the machine is too noisy") {
		t.Skip("other programs keep the machine busy, so its rounds do not count")
	}
	if r.status != 1 || !strings.HasPrefix(r.stdout, "todo-go  regressed: ") {
		t.Fatalf("exit status %d\n%s\n%s", r.status, r.stdout, r.stderr)
	}
	records := testfile.Read(p, filepath.Join(p.root, "out", recordsFile), record.Read)
	cells := verdict.Compare(records)[0].Cells
	i := slices.IndexFunc(cells, func(c verdict.Cell) bool { return c.Criterion.Decides == "CPU" })
	if i < 0 || cells[i].Verdict != verdict.Regressed || cells[i].Change < 0.5 {
		t.Errorf("CPU: %+v; want more by half at least", cells)
	}
	page, err := os.ReadFile(filepath.Join(p.root, "out", "report.html"))
	p.must(err)
	if !strings.Contains(string(page), "todo-go") {
		t.Error("report.html does not name the server")
	}
	p.bench("site", "-history", "none", "-o", "site", "out/"+recordsFile).expect(t, 0, "1 comparison")
	if all := p.glob("site/comparisons/local/*/index.html"); len(all) != 1 || !strings.Contains(p.text("site/comparisons/index.html"), "Regressed") {
		t.Errorf("comparisons %q; want one, regressed", all)
	}
}
