package contract

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// agent is the suite of the workload of that name. Its wrong servers are go-http with edits.
var agent = suite{workload: "agent", program: "wrongagent", brief: "drops-tenth", noAnswer: "a run does not work, so the other checks were not run: ", build: buildAgent, fails: map[string]string{
	"right":         "",
	"instructs":     "",
	"exits":         "ready",
	"never-answers": "answers",

	"lazy-pool":       "pool",
	"keeps-title":     "threads",
	"oldest-first":    "pages",
	"unknown-is-500":  "unknown threads",
	"words-are-404":   "malformed",
	"caches":          "fresh",
	"flushes-late":    "lock-step lock-step-200 agents-at-once announced late two-processes stalled-subscriber? busy busy-two-processes agent-fails leave leave-tool restart sigterm crowd?",
	"100-runs":        "lock-step-200",
	"drops-tenth":     "events",
	"window":          "history turn-17",
	"instructs-twice": "history quiet",
	"ascii":           "unicode",
	"no-tool-rows":    "tools at-once turn-16 turn-17 failed-tool agents announced killed whole-turn live resumed no-database crowd",
	"one-by-one":      "at-once agents-at-once agent-fails leave-tool",
	"15-turns":        "turn-16 turn-17",
	"20-turns":        "turn-17",
	"tool-ends-run":   "failed-tool",
	"anonymous-agent": "agents",
	"one-agent":       "agents-at-once agent-fails",
	"1-MB":            "image-in",
	"no-images":       "image-out",
	"commits-late":    "announced killed history unicode tools turn-16 turn-17 failed-tool agents whole-turn? image-out? image-in? stalled-subscriber? model-fails? model-cut? model-ends? agent-fails?",
	"keeps-half":      "whole-turn model-fails model-cut model-ends agent-fails leave",
	"drops-fifth":     "live late resumed two-processes stalled-subscriber agent-fails",
	"only-new":        "late two-processes",
	"forgets-id":      "resumed",
	"own-events":      "two-processes",
	"waits-for-slow":  "stalled-subscriber",
	"no-lock":         "busy busy-two-processes",
	"own-lock":        "busy-two-processes",
	"error-is-done":   "model-fails model-cut model-ends agent-fails turn-17 whole-turn",
	"cut-is-end":      "model-cut model-ends whole-turn leave",
	"end-is-done":     "model-ends",
	"other-goes-on":   "agent-fails",
	"goes-on":         "agent-fails leave leave-tool",
	"tool-goes-on":    "leave-tool",
	"database-is-500": "no-database",
	"150-runs":        "crowd",
	"dials-each":      "reuse",
	"100-requests":    "sequential",

	"prints":           "quiet",
	"port-stays-taken": "restart killed",
	"dies-at-sigterm":  "sigterm",
}}

// edits make go-http wrong where its argument names the fault. Each text must occur once.
var edits = []struct{ file, old, new string }{
	{"main.go", "	s, err := open(ctx)\n", "	if wrong(\"exits\") {\n		os.Exit(1)\n	}\n	s, err := open(ctx)\n"},
	{"main.go", "Handler: mux,", "Handler: hundred(mux),"},
	{"main.go", "listener.ListenAndServe()", "serve(listener)"},
	{"main.go", "		<-ctx.Done()\n", "		<-ctx.Done()\n		if wrong(\"dies-at-sigterm\") {\n			os.Exit(0)\n		}\n"},
	{"main.go", "config.MinConns, config.MaxConns = int32(n), int32(n)", "config.MinConns, config.MaxConns = pick(\"lazy-pool\", 0, int32(n)), int32(n)"},
	{"main.go", "	for range n { // the pool opens", "	for range pick(\"lazy-pool\", 1, n) { // the pool opens"},
	{"main.go", "&http.Transport{MaxIdleConnsPerHost: 1024,", "&http.Transport{MaxIdleConnsPerHost: 1024, MaxConnsPerHost: pick(\"100-runs\", 100, 0), DisableKeepAlives: wrong(\"dials-each\"),"},
	{"main.go", "	answer(w, status, map[string]string{\"error\": message})", "	if status == http.StatusServiceUnavailable {\n		status = pick(\"database-is-500\", 500, status)\n	}\n	answer(w, status, map[string]string{\"error\": message})"},

	{"threads.go", "\"update threads set title = $2 where id = $1 returning \"+columns, id, title)", "pick(\"keeps-title\", \"select id, $2::text, created_at from threads where id = $1\", \"update threads set title = $2 where id = $1 returning \"+columns), id, title)"},
	{"threads.go", "order by id desc limit $2\"", "order by id \"+pick(\"oldest-first\", \"asc\", \"desc\")+\" limit $2\""},
	{"threads.go", "	case errors.Is(err, pgx.ErrNoRows):\n		fail(w, http.StatusNotFound, \"no such thread\")\n	case err != nil:\n		fail(w, http.StatusServiceUnavailable, err.Error())\n	default:\n		answer(w, status, t)", "	case errors.Is(err, pgx.ErrNoRows):\n		fail(w, pick(\"unknown-is-500\", 500, http.StatusNotFound), \"no such thread\")\n	case err != nil:\n		fail(w, http.StatusServiceUnavailable, err.Error())\n	default:\n		answer(w, status, t)"},
	{"threads.go", "fail(w, http.StatusBadRequest, \"id: want a number\")", "fail(w, pick(\"words-are-404\", 404, http.StatusBadRequest), \"id: want a number\")"},
	{"threads.go", "	all, err := s.history(id)\n", "	all, err := s.history(id)\n	if wrong(\"caches\") {\n		all, err = remember(id, all, err)\n	}\n"},
	{"threads.go", "const mostBytes = 16 << 20", "var mostBytes = pick[int64](\"1-MB\", 1<<20, 16<<20)"},

	{"run.go", "	locked, err := s.locks.try(thread)\n", "	if crowded(w) {\n		return\n	}\n	defer running.Add(-1)\n	if wrong(\"never-answers\") {\n		return\n	}\n	if wrong(\"prints\") {\n		log.Print(\"a run\")\n	}\n	if wrong(\"ascii\") {\n		body.Content = ascii(body.Content)\n	}\n	locked, err := s.locks.try(thread)\n"},
	{"run.go", "	for _, m := range history {", "	for _, m := range instructed(window(history)) {"},
	{"run.go", "		name = \"error\"\n", "		name = pick(\"error-is-done\", \"done\", \"error\")\n"},
	{"run.go", "		http.NewResponseController(r.out).Flush()", "		if !wrong(\"flushes-late\") {\n			http.NewResponseController(r.out).Flush()\n		}"},
	{"run.go", "	if l.held[thread] {\n		return false, nil", "	if wrong(\"no-lock\") {\n		return true, nil\n	}\n	if l.held[thread] {\n		return false, nil"},
	{"run.go", "	if l.conn == nil || l.conn.IsClosed() {", "	if wrong(\"own-lock\") {\n		l.held[thread] = true\n		return true, nil\n	}\n	if l.conn == nil || l.conn.IsClosed() {"},

	{"agent.go", "	for range maxTurns {\n", "	for range pick(\"15-turns\", 15, pick(\"20-turns\", 20, maxTurns)) {\n"},
	{"agent.go", "		m, err := a.ask()\n		if err != nil {\n", "		m, err := a.ask()\n		if err != nil {\n			if text := keptHalf(m); text != nil {\n				a.keep([]json.RawMessage{text})\n			}\n"},
	{"agent.go", "	for i, m := range turn {\n		all[i] = m\n	}\n	ids, err := a.store(a.thread, all...)\n", "	for i, m := range turn {\n		all[i] = m\n	}\n	if wrong(\"no-tool-rows\") {\n		all = all[:1]\n	}\n	ids, err := a.storeTurn(all)\n"},
	{"agent.go", "			return m, fmt.Errorf(\"model: the answer breaks off: %w\", err)", "			if wrong(\"cut-is-end\") || wrong(\"end-is-done\") && err == io.EOF {\n				text := content.String()\n				m.Content = &text\n				return m, nil\n			}\n			return m, fmt.Errorf(\"model: the answer breaks off: %w\", err)"},
	{"agent.go", "			content.WriteString(text)\n", "			content.WriteString(text)\n			if wrong(\"drops-tenth\") && strings.Count(content.String(), \" \") == 10 {\n				continue\n			}\n"},
	{"agent.go", "			}{text, of{a.call}}); err != nil {", "			}{text, of{pick(\"anonymous-agent\", \"\", a.call)}}); err != nil {"},
	{"agent.go", "		for _, i := range choice.Delta.Images {", "		for _, i := range pick(\"no-images\", nil, choice.Delta.Images) {"},
	{"agent.go", "	all, ctx := errgroup.WithContext(a.ctx)\n", "	all, ctx := errgroup.WithContext(a.ctx)\n	ctx = pick(\"other-goes-on\", a.ctx, ctx)\n	if wrong(\"one-by-one\") {\n		all.SetLimit(1)\n	}\n"},
	{"agent.go", "	if failed != nil {\n", "	if failed != nil && wrong(\"tool-ends-run\") {\n		return \"\", failed\n	}\n	if failed != nil {\n"},
	{"agent.go", "	b := agent{run: a.run,", "	if wrong(\"one-agent\") {\n		one.Lock()\n		defer one.Unlock()\n	}\n	b := agent{run: a.run,"},
	{"agent.go", "	req, err := http.NewRequestWithContext(ctx,", "	ctx = pick(\"goes-on\", a.background(), ctx)\n	if url == a.tool {\n		ctx = pick(\"tool-goes-on\", a.background(), ctx)\n	}\n	req, err := http.NewRequestWithContext(ctx,"},

	{"follow.go", "return fmt.Sprintf(\"events:%d\", thread)", "return fmt.Sprintf(\"events:%d-%d\", thread, pick(\"own-events\", os.Getpid(), 0))"},
	{"follow.go", "		f.events = append(f.events, e)\n", "		if wrong(\"drops-fifth\") && len(f.events)%5 == 4 && !e.last {\n			continue\n		}\n		f.events = append(f.events, e)\n"},
	{"follow.go", "	if lastID != \"\" {\n", "	if lastID != \"\" && !wrong(\"forgets-id\") {\n"},
	{"follow.go", "	if n > 0 && !f.events[n-1].last {\n", "	if n > 0 && !f.events[n-1].last && !wrong(\"only-new\") {\n"},
	{"follow.go", "time.Now().Add(stalled)", "time.Now().Add(pick(\"waits-for-slow\", time.Hour, stalled))"},
	{"follow.go", "import (\n", "import (\n	\"os\"\n"},
	{"run.go", "import (\n", "import (\n	\"log\"\n"},
}

// buildAgent builds go-http with the edits and the files of a directory.
func buildAgent(dir, program string) error {
	source, to := filepath.Join(root, "servers/agent/go-http"), program+"-source"
	if err := os.CopyFS(to, os.DirFS(source)); err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(to, "."), os.DirFS(dir)); err != nil {
		return err
	}
	for _, e := range edits {
		path := filepath.Join(to, e.file)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := strings.Count(string(text), e.old); n != 1 {
			return fmt.Errorf("%s: an edit wants %q once, and finds it %d times", e.file, e.old, n)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), e.old, e.new, 1)), 0o644); err != nil {
			return err
		}
	}
	return goBuild(to, program)
}
