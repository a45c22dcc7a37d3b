package plan

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
	"fairstream/scripts/internal/workload/workloadtest"
)

var relay = workloadtest.Relay

// A world is a repository with a main branch and a topic, and a GitHub that
// knows one pull request.
type world struct {
	Place
	first, main, topic string
	pull               map[string]any
}

func newWorld(t *testing.T) *world {
	w := &world{Place: Place{Root: t.TempDir(), Note: func(line string) { t.Log(line) }}}
	w.git(t, "init", "-q", "-b", "main")
	w.first = w.change(t, "servers/relay/go-http/server.json", "servers/relay/go-gin/server.json", "stub/main.go")
	w.git(t, "checkout", "-q", "-b", "topic")
	w.topic = w.change(t, "servers/relay/go-gin/main.go")
	w.git(t, "checkout", "-q", "main")
	w.change(t, "README.md", "a")
	w.pull = map[string]any{
		"number": 7, "state": "open", "user": map[string]string{"login": "someone", "type": "User"},
		"head": map[string]any{"ref": "topic", "sha": w.topic, "repo": map[string]string{"full_name": "acme/fairstream"}},
		"base": map[string]any{"ref": "main"},
	}
	api := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/repos/acme/fairstream/pulls/7":
			json.NewEncoder(rw).Encode(w.pull)
		case "/repos/acme/fairstream/pulls":
			if r.URL.Query().Get("head") != "someone:topic" || r.URL.Query().Get("state") != "open" {
				t.Errorf("asked for %s", r.URL)
			}
			json.NewEncoder(rw).Encode([]any{w.pull})
		default:
			rw.WriteHeader(404)
			fmt.Fprint(rw, `{"message": "Not Found"}`) // the reader notices
		}
	}))
	t.Cleanup(api.Close)
	w.GitHub = github.Client{API: api.URL, Repository: "acme/fairstream"}
	return w
}

// event makes an event on main with the given payload.
func (w *world) event(name, payload string) Event {
	return Event{Name: name, Ref: "refs/heads/main", SHA: w.main, JSON: []byte(payload)}
}

func (w *world) run(sha string) string { return w.pushed(sha, "User", "User") }

// pushed is the run of the tests that an account of this type started, and another one started again.
func (w *world) pushed(sha, by, again string) string {
	repository := "someone/fairstream"
	if repo, ok := w.pull["head"].(map[string]any)["repo"].(map[string]string); ok {
		repository = repo["full_name"]
	}
	return fmt.Sprintf(`{"workflow_run": {"event": "pull_request", "head_sha": %q, "head_branch": "topic",
		"actor": {"login": "someone", "type": %q}, "triggering_actor": {"login": "someone", "type": %q},
		"head_repository": {"full_name": %q, "owner": {"login": "someone"}}}}`, sha, by, again, repository)
}

func inputs(comparisons ...string) string {
	in := map[string]any{}
	for i := 0; i < len(comparisons); i += 2 {
		in[comparisons[i]] = comparisons[i+1]
	}
	data, _ := json.Marshal(map[string]any{"inputs": in}) // of strings
	return string(data)
}

func TestPlansOfMain(t *testing.T) {
	w := newWorld(t)
	all := relay("go-gin", "go-http")
	usual := Plan{Kind: Main, Revision: w.main, Servers: all, Scenarios: scenarios("baseline,steady,stress"), Rounds: 2, Leaderboard: 6}
	for _, c := range []struct {
		name, event, payload string
		change               func(*Plan)
	}{
		{"push", "push", `{"head_commit": {}}`, func(*Plan) {}},
		{"schedule", "schedule", `{"schedule": "17 3 * * 1"}`, func(p *Plan) { p.Trials = true }},
		{"dispatch as it stands", "workflow_dispatch", inputs("servers", "", "scenarios", "", "revision", "", "rounds", "2", "quick", "false", "reason", ""), func(*Plan) {}},
		{"dispatch without inputs", "workflow_dispatch", `{"inputs": null}`, func(*Plan) {}},
		{"a subset", "workflow_dispatch", inputs("servers", " go-http,go-http ", "scenarios", "soak", "rounds", "5", "reason", " new\nkernel\u2028\u202e "),
			func(p *Plan) {
				p.Servers, p.Scenarios, p.Rounds, p.Leaderboard, p.Reason = relay("go-http"), scenarios("soak"), 5, 0, "new kernel"
			}},
		{"without rank", "workflow_dispatch", inputs("leaderboard", "0"), func(p *Plan) { p.Leaderboard = 0 }},
		{"a longer rank", "workflow_dispatch", inputs("leaderboard", "5"), func(p *Plan) { p.Leaderboard = 5 }},
		{"leaderboard of one server", "workflow_dispatch", inputs("leaderboard", "5", "servers", "go-gin"), func(p *Plan) { p.Leaderboard, p.Servers = 0, relay("go-gin") }},
		{"an old commit", "workflow_dispatch", inputs("revision", w.first), func(p *Plan) { p.Revision = w.first }},
		{"quick", "workflow_dispatch", `{"inputs": {"quick": true}}`, func(p *Plan) { p.Quick = true }},
		{"quick as text", "workflow_dispatch", inputs("quick", "true"), func(p *Plan) { p.Quick = true }},
	} {
		want := usual
		c.change(&want)
		got, err := w.Make(t.Context(), w.event(c.event, c.payload))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %+v, %v\nwant %+v", c.name, got, err, want)
		}
	}
}

func TestRefusedInputs(t *testing.T) {
	w := newWorld(t)
	for payload, want := range map[string]string{
		inputs("servers", "go-http $(id)"):                 `server "$(id)": unknown; known are relay/go-gin, relay/go-http`,
		inputs("servers", "../k6"):                         `unknown`,
		inputs("scenarios", "baseline,flood"):              `scenario "flood": unknown; known are baseline, compare, soak, steady, stress`,
		inputs("rounds", "0"):                              `rounds "0"; want 1 to 20`,
		inputs("rounds", "1e3"):                            `want 1 to 20`,
		inputs("leaderboard", "-1"):                        `leaderboard "-1"; want 0 to 20`,
		inputs("leaderboard", "21"):                        `leaderboard "21"; want 0 to 20`,
		inputs("revision", "main"):                         `revision "main"; want the full hash`,
		inputs("revision", w.first[:12]):                   `want the full hash`,
		inputs("revision", strings.ToUpper(w.first)):       `want the full hash`,
		inputs("revision", w.topic):                        `not in the history of main`,
		inputs("revision", strings.Repeat("1", 40)):        `not in the history of main`,
		inputs("pr", "7", "sha", w.main):                   `pull request 7 is no longer at ` + w.main + `; read what is new at https://github.com/acme/fairstream/pull/7/files`,
		inputs("pr", "7", "sha", w.topic[:39]):             `want the full hash`,
		inputs("pr", "7", "sha", strings.ToUpper(w.topic)): `want the full hash`,
		inputs("pr", "7; id", "sha", w.topic):              `pull request "7; id"; want its number`,
		inputs("pr", "-7", "sha", w.topic):                 `want its number`,
		inputs("pr", "", "sha", w.topic):                   `want its number`,
		inputs("pr", "7", "sha", w.topic, "rounds", "1"):   `rounds "1"; want 2 to 24`,
		inputs("pr", "7", "sha", w.topic, "rounds", "25"):  `rounds "25"; want 2 to 24`,
		inputs("pr", "7", "sha", w.topic, "servers", "k6"): `server "k6": unknown; known are relay/go-gin`,
	} {
		_, err := w.Make(t.Context(), w.event("workflow_dispatch", payload))
		if _, ok := err.(InputError); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want an input error with %q", payload, err, want)
		}
		// What T4 of the runner's page asks to be read is not offered for pasting.
		if err != nil && !strings.Contains(payload, w.topic) && strings.Contains(err.Error(), w.topic) {
			t.Errorf("%s: error %v offers a hash that nobody has read", payload, err)
		}
	}
	e := w.event("workflow_dispatch", inputs())
	e.Ref = "refs/heads/topic"
	if _, err := w.Make(t.Context(), e); err == nil || !strings.Contains(err.Error(), "choose the branch main") {
		t.Errorf("from another branch: %v", err)
	}
	for name, e := range map[string]Event{
		"pull_request_target": w.event("pull_request_target", `{}`),
		"pull_request":        w.event("pull_request", `{}`),
		"no JSON":             w.event("push", `{`),
		"no hash":             {Name: "push", Ref: "refs/heads/main", JSON: []byte(`{}`)},
		"no pull request 8":   w.event("workflow_dispatch", inputs("pr", "8", "sha", w.topic)),
		"run without a hash":  w.event("workflow_run", w.run("main")),
	} {
		if p, err := w.Make(t.Context(), e); err == nil {
			t.Errorf("%s: planned %+v", name, p)
		}
	}
}

func TestPlansOfPullRequests(t *testing.T) {
	full := func(w *world) Plan {
		return Plan{Kind: Pull, Revision: w.topic, Base: w.first, Pull: 7, Servers: relay("go-gin"), Rounds: verdict.Rounds}
	}
	foreign := func(w *world) Plan {
		p := full(w)
		p.Foreign = true
		return p
	}
	none := func(w *world, say string) Plan {
		p := full(w)
		p.Base, p.Servers, p.Say = "", nil, say
		return p
	}
	head := func(w *world) map[string]any { return w.pull["head"].(map[string]any) }
	for _, c := range []struct {
		name   string
		byHand bool
		change func(*world)
		want   func(*world) Plan
	}{
		{"own branch", false, func(*world) {}, full},
		{"by hand", true, func(*world) {}, full}, // with scenarios, though a comparison has its own
		{"fork", false, func(w *world) { head(w)["repo"] = map[string]string{"full_name": "someone/fairstream"} },
			func(w *world) Plan { return none(w, "comes from a fork") }},
		{"deleted fork", false, func(w *world) { head(w)["repo"] = nil }, func(w *world) Plan { return none(w, "comes from a fork") }},
		{"fork by hand", true, func(w *world) { head(w)["repo"] = nil }, foreign},
		{"bot", false, func(w *world) { w.pull["user"] = map[string]string{"login": "dependabot[bot]", "type": "Bot"} },
			func(w *world) Plan { return none(w, "was made by a bot") }},
		{"bot by login", false, func(w *world) { w.pull["user"] = map[string]string{"login": "renovate[bot]"} },
			func(w *world) Plan { return none(w, "was made by a bot") }},
		{"bot by hand", true, func(w *world) { w.pull["user"] = map[string]string{"type": "Bot"} }, foreign},
		{"into another branch", false, func(w *world) { w.pull["base"] = map[string]any{"ref": "stable"} },
			func(w *world) Plan { return none(w, "does not go into main") }},
		{"moved on", false, func(w *world) { head(w)["sha"] = w.main }, func(w *world) Plan {
			p := none(w, "no open pull request has this head any more")
			p.Pull = 0
			return p
		}},
	} {
		w := newWorld(t)
		c.change(w)
		e := w.event("workflow_run", w.run(w.topic))
		if c.byHand {
			e = w.event("workflow_dispatch", inputs("pr", "7", "sha", w.topic, "scenarios", "soak"))
		}
		got, err := w.Make(t.Context(), e)
		want := c.want(w)
		if want.Say != "" && strings.Contains(got.Say, want.Say) {
			want.Say = got.Say
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %+v, %v\nwant %+v", c.name, got, err, want)
		}
		if strings.Contains(got.Say, "maintainer") && (!strings.Contains(got.Say, "with pull request 7 ") || !strings.Contains(got.Say, "(https://github.com/acme/fairstream/pull/7/files)")) {
			t.Errorf("%s: %q does not say what to read, and what to start it with", c.name, got.Say)
		}
		if strings.Contains(got.Say, w.topic[:7]) {
			t.Errorf("%s: %q offers a hash that nobody has read", c.name, got.Say)
		}
	}
}

// A bot may push to a person's pull request, and a person may run a bot's tests again.
func TestABotsPushIsNotAPersons(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		by, again string
		bot       bool
	}{{"User", "User", false}, {"Bot", "User", true}, {"User", "Bot", true}} {
		p, err := w.Make(t.Context(), w.event("workflow_run", w.pushed(w.topic, c.by, c.again)))
		if err != nil || strings.Contains(p.Say, "was pushed by a bot") != c.bot || (len(p.Jobs()) == 0) != c.bot {
			t.Errorf("pushed by a %s, run again by a %s: %v: %q, %d jobs", c.by, c.again, err, p.Say, len(p.Jobs()))
		}
	}
}

// A fork of the same owner may have a branch and a commit of ours. Nobody has read who pushed it there.
func TestARunOfAForkIsNotThatOfOurPullRequest(t *testing.T) {
	w := newWorld(t)
	run := strings.Replace(w.run(w.topic), "acme/fairstream", "acme/fairstream-fork", 1)
	p, err := w.Make(t.Context(), w.event("workflow_run", run))
	if err != nil || len(p.Jobs()) > 0 || p.Say != "no open pull request has this head any more" {
		t.Errorf("%v: %q, %d jobs", err, p.Say, len(p.Jobs()))
	}
}

func TestAPullRequestThatChangesNoServer(t *testing.T) {
	w := newWorld(t)
	// As if it had been merged: head is in main's history.
	w.pull["head"].(map[string]any)["sha"] = w.first
	got, err := w.Make(t.Context(), w.event("workflow_run", w.run(w.first)))
	if err != nil || len(got.Servers) != 0 || got.Base != w.first || got.Say != "this pull request changes and adds no server" {
		t.Errorf("%+v, %v", got, err)
	}
}

// The job of a comparison is one like the others, and tells its base.
func TestComparisonsHaveJobsOfTheirOwn(t *testing.T) {
	a, b := strings.Repeat("a", 40), strings.Repeat("b", 40)
	p := Plan{Kind: Main, Revision: a, Servers: relay("go-gin", "go-http"), Scenarios: scenarios("stress"), Rounds: 1, Comparisons: []Comparison{{Server: relay("go-http")[0], Base: b, Gradual: true}}}
	if err := p.check(); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := p.WriteOutputs(&out); err != nil {
		t.Fatal(err)
	}
	if want := `comparisons=[{"name":"comparison.relay.go-http","servers":"relay/go-http","rounds":12,"base":"` + b + `","once":true,"confirm":"confirm.relay.go-http"}]` + "\ntrials=[]\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("outputs %q, want at their end %q", out.String(), want)
	}
	of := p.OfComparison(p.Comparisons[0])
	if of.Kind != Pull || of.Base != b || of.Revision != a || len(of.Servers) != 1 || of.Rounds != 12 || !of.Once {
		t.Errorf("as of a pull request: %+v", of)
	}
}

func TestOutputsAreOneLineEach(t *testing.T) {
	p := Plan{Kind: Main, Revision: strings.Repeat("a", 40), Scenarios: scenarios("stress"), Rounds: 1, Reason: "a\nlegs=[]\r\nplan=x"}
	for _, c := range []struct {
		servers     []workload.Server
		leaderboard int
		jobs, many  string
	}{
		{relay("go-gin", "go-http"), 3, `[{"name":"relay.go-gin","servers":"relay/go-gin","scenarios":"stress","rounds":1},{"name":"relay.go-http","servers":"relay/go-http","scenarios":"stress","rounds":1}]`, `[{"name":"relay.leaderboard","servers":"relay/go-gin relay/go-http","scenarios":"stress","rounds":3,"details":"relay.leaderboard.details"}]`},
		{relay("go-http"), 0, `[{"name":"relay.go-http","servers":"relay/go-http","scenarios":"stress","rounds":1}]`, `[]`},
		{nil, 0, `[]`, `[]`},
	} {
		if p.Servers, p.Leaderboard = c.servers, c.leaderboard; len(c.servers) == 0 {
			p.Scenarios = nil
		}
		var out strings.Builder
		if err := p.WriteOutputs(&out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		if len(lines) != 6 || lines[5] != "" || lines[3] != "comparisons=[]" || lines[4] != "trials=[]" || lines[1] != "jobs="+c.jobs || lines[2] != "leaderboard="+c.many {
			t.Fatalf("outputs %q", lines)
		}
		back, err := Parse(strings.TrimPrefix(lines[0], "plan="))
		if err != nil || back.Reason != p.Reason || len(back.Servers) != len(c.servers) {
			t.Errorf("read back %+v, %v", back, err)
		}
		if strings.Contains(lines[0], "null") {
			t.Errorf("a matrix cannot be made of null: %s", lines[0])
		}
	}
	valid := `{"kind": "main", "revision": "` + p.Revision + `", "servers": [{"workload": "relay", "server": "go-gin"}, {"workload": "relay", "server": "go-http"}], "scenarios": {"relay": "stress"}, "rounds": 1, "leaderboard": 1}`
	pull := `{"kind": "pull", "pull": 7, "base": "` + p.Revision + `", "revision": "` + p.Revision + `", "servers": [{"workload": "relay", "server": "go-gin"}], "rounds": 12}`
	paired := strings.Replace(valid, `"leaderboard": 1`, `"leaderboard": 1, "comparisons": [{"workload": "relay", "server": "go-gin", "base": "`+strings.Repeat("b", 40)+`", "gradual": false}]`, 1)
	for _, text := range []string{valid, pull, paired} {
		if _, err := Parse(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{
		``, `{}`, `{"kind": "main"} x`, strings.Replace(valid, "go-gin", "$(id)", 1), strings.Replace(valid, "go-gin", "leaderboard", 1),
		strings.Replace(valid, `"leaderboard": 1`, `"leaderboard": 21`, 1), strings.Replace(pull, `"rounds": 12`, `"rounds": 1`, 1), strings.Replace(pull, `"pull": 7`, `"pull": 7, "scenarios": {"relay": "stress"}`, 1), strings.Replace(valid, `{"workload": "relay", "server": "go-gin"}, `, "", 1), strings.Replace(valid, "relay", "relais", 1),
		strings.Replace(paired, `"server": "go-gin"`, `"server": "go-fiber"`, 1), strings.Replace(paired, strings.Repeat("b", 40), "main", 1), strings.Replace(pull, `"pull": 7`, `"pull": 7, "comparisons": [{"workload": "relay", "server": "go-gin", "base": "`+p.Revision+`"}]`, 1),
		strings.Replace(valid, `"kind": "main"`, `"kind": "pull", "pull": 7, "base": "`+p.Revision+`"`, 1),
	} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%s: parsed as %+v", text, p)
		}
	}
}

// scenarios are those of relay's servers in a plan.
func scenarios(names string) map[string]string { return map[string]string{"relay": names} }
