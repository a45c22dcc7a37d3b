package comment

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/artifact"
	"fairstream/scripts/compare"
	"fairstream/scripts/github"
	"fairstream/scripts/plan"
	"fairstream/scripts/raw"
	"fairstream/scripts/record"
)

var update = flag.Bool("update", false, "write the golden files")

const run = "https://github.com/acme/fairstream/actions/runs/5"

var asked = plan.Plan{
	Kind: plan.Pull, Pull: 7, Revision: strings.Repeat("b", 40), Base: strings.Repeat("a", 40),
	Servers: []string{"go-gin", "go-http"}, Scenarios: "steady,stress", Rounds: 6,
}

// leg makes the records of one server, head's figures being base's times the
// factors; a metric without a factor is equal.
func leg(server string, factors map[string]float64) []record.Record {
	return legIn("stress-100", server, factors)
}

func legIn(scenario, server string, factors map[string]float64) []record.Record {
	cpu := "A <b>CPU</b> @everyone"
	var records []record.Record
	for round := 1; round <= asked.Rounds; round++ {
		for _, target := range []string{raw.Direct, "base", "head"} {
			r := record.Record{Schema: record.Schema, Scenario: scenario, Round: round, Status: record.OK, Why: []string{}, Metrics: record.Metrics{}}
			r.Run.ID, r.Host.CPU, r.Host.Cores = "records", &cpu, 4
			r.Server.Name, r.Server.Side = server, target
			if target == raw.Direct {
				r.Server.Name, r.Server.Side = target, ""
			}
			for i, name := range compare.Metrics(scenario) {
				v := float64(1000*(i+1) + round)
				if f := factors[name]; f != 0 && target == "head" {
					v *= f
				}
				r.Metrics[name] = &v
			}
			records = append(records, r)
		}
	}
	return records
}

// fails makes the records of one side invalid.
func fails(records []record.Record, side, why string) []record.Record {
	for i := range records {
		if records[i].Server.Side == side {
			records[i].Status, records[i].Why, records[i].Metrics = record.Invalid, []string{why}, record.Metrics{}
		}
	}
	return records
}

func TestComments(t *testing.T) {
	slower := map[string]float64{"stream_p95_ms": 1.5, "rate_per_s": 0.7, "server_rss_peak_bytes": 1.02}
	worse := map[string]float64{"stream_p95_ms": 1.5, "rate_per_s": 0.7, "server_cpu_us_per_stream": 1.1, "ttft_p95_ms": 1.2, "gap_p99_ms": 1.3}
	legs := func(gin, http []record.Record) artifact.Result {
		all := map[string][]record.Record{}
		for name, records := range map[string][]record.Record{"go-gin": gin, "go-http": http} {
			if records != nil {
				all[name] = records
			}
		}
		return artifact.Result{Records: all}
	}
	every := func(make func(scenario string) []record.Record) (all []record.Record) {
		for _, scenario := range []string{"baseline", "steady", "stress-10", "stress-100", "stress-200"} {
			all = append(all, make(scenario)...)
		}
		return all
	}
	missing := legs(nil, leg("go-http", nil))
	missing.Missing = []string{"go-gin"}
	missing.Refused = []artifact.Refusal{{Artifact: "records-go-gin", Why: "run.jsonl: line 1: '<img src=x>'"}}
	once := asked
	once.Rounds = 1
	nothing := artifact.Result{Missing: []string{"go-gin", "go-http"}}
	other := asked
	other.Quick, other.Ruler = true, true
	fork := plan.Plan{Kind: plan.Pull, Pull: 7, Revision: asked.Revision, Say: "this pull request comes from a fork"}
	hostile := "exit status 1\n| a | b |\n</details><script>alert(1)</script> @everyone ![x](http://127.0.0.1/) ```"
	for name, c := range map[string]struct {
		p     plan.Plan
		legs  *artifact.Result
		first string
	}{
		"placeholder": {asked, nil, "**Measuring** go-gin, go-http at bbbbbbbbbb"},
		"fork":        {fork, nil, "**Not measured**: this pull request comes from a fork."},
		"regressed":   {asked, ptr(legs(leg("go-gin", slower), leg("go-http", nil))), "**Regressed**: go-gin stress-100 p95 ms +50.0 % and 1 more."},
		"improved":    {asked, ptr(legs(legIn("steady", "go-gin", map[string]float64{"server_cpu_us_per_stream": 0.5}), leg("go-http", nil))), "**Improved**: go-gin steady CPU us/stream -50.0 %. **No regression seen** in 7 comparisons."},
		"many":        {asked, ptr(legs(every(func(s string) []record.Record { return legIn(s, "go-gin", worse) }), every(func(s string) []record.Record { return fails(legIn(s, "go-http", nil), "head", "did not start") }))), "**Regressed**: go-http baseline, steady, stress-10, stress-100, stress-200, which fails at head only and 12 more."},
		"unchanged":   {asked, ptr(legs(leg("go-gin", nil), leg("go-http", nil))), "**No regression seen** in 6 comparisons."},
		"one-round":   {once, ptr(legs(leg("go-gin", slower)[:3], nil)), "**Inconclusive**: go-gin, whose fewer than 5 rounds"},
		"lost-rounds": {asked, ptr(legs(leg("go-gin", slower)[:9], leg("go-http", nil))), "**No regression seen** in 3 comparisons. **Inconclusive**: go-gin, whose fewer than 5 rounds"},
		"one-fails":   {asked, ptr(legs(fails(leg("go-gin", nil)[:3], "head", "k6 lost some"), append(fails(leg("go-http", nil)[:3], "head", "k6 lost some"), leg("go-http", nil)[3:]...))), "**Regressed**: go-gin stress-100, which fails at head only. **Not measured**: go-http."},
		"missing":     {asked, &missing, "**No regression seen** in 3 comparisons. **Not measured**: go-gin."},
		"nothing":     {asked, &nothing, "**Not measured**: go-gin, go-http."},
		"head-fails":  {asked, ptr(legs(fails(leg("go-gin", nil), "head", hostile), leg("go-http", nil))), "**Regressed**: go-gin stress-100, which fails at head only."},
		"base-fails":  {other, ptr(legs(fails(leg("go-gin", nil), "base", hostile), leg("go-http", slower))), "**Regressed**: go-http stress-100 p95 ms +50.0 % and 1 more. **Not measured**: go-gin."},
	} {
		got := Placeholder(c.p, run)
		if c.legs != nil {
			got = Answer(c.p, *c.legs, "a table\n", run)
		}
		start := marker
		if c.legs != nil {
			start = answered(c.p.Revision)
		}
		if !strings.HasPrefix(got, start+"\n"+c.first) {
			t.Errorf("%s: begins with %.200q, want the marker and then %q", name, got, c.first)
		}
		harmless(t, name, got)
		golden := "testdata/" + name + ".md"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: differs from %s; -update writes it anew. Got:\n%s", name, golden, got)
		}
	}
}

func ptr[T any](v T) *T { return &v }

// harmless fails unless all that is outside of code is ours: our own tags, and
// no mention.
func harmless(t *testing.T, name, body string) {
	t.Helper()
	var outside strings.Builder
	for i, part := range strings.Split(body, "`") {
		if i%2 == 0 {
			outside.WriteString(part)
		}
	}
	rest := strings.NewReplacer(answered(asked.Revision), "", marker, "", "<details><summary>", "", "</summary>", "", "</details>", "").Replace(outside.String())
	if strings.ContainsAny(rest, "<>@") {
		t.Errorf("%s: markup or a mention outside of code:\n%s", name, rest)
	}
}

// GitHub refuses what is too long, and an artifact may try to be.
func TestLongCommentsAreCut(t *testing.T) {
	long := leg("go-gin", nil)
	for i := range long {
		kernel := strings.Repeat("x", 90) + fmt.Sprint(i)
		long[i].Host.Kernel = &kernel
		long[i].Status = record.Suspect
		for range 16 {
			long[i].Why = append(long[i].Why, strings.Repeat("y", 290))
		}
	}
	for range 6 { // 768 records
		long = append(long, long...)
	}
	for i := range long {
		kernel := fmt.Sprint(i, strings.Repeat("x", 90))
		long[i].Host.Kernel = &kernel
	}
	legs := artifact.Result{Records: map[string][]record.Record{"go-gin": long}}
	for name, got := range map[string]string{
		"records": Answer(asked, legs, "a table", run), "benchstat": Answer(asked, legs, strings.Repeat("z", 70_000), run),
	} {
		if len(got) > maxBody+1000 || !strings.Contains(got, "No regression seen") || !strings.Contains(got, "Too long for a comment") || !strings.HasSuffix(got, "</details>\n") {
			t.Errorf("%s: %d characters: %.300s", name, len(got), got)
		}
	}
}

// comments is a GitHub with the comments of one pull request.
type comments struct {
	list  []github.Comment
	calls []string
}

func (c *comments) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var sent struct{ Body string }
	if r.Method != "GET" {
		c.calls = append(c.calls, r.Method+" "+strings.TrimPrefix(r.URL.Path, "/repos/acme/fairstream"))
		json.NewDecoder(r.Body).Decode(&sent) // what is no JSON has no body, which the test sees
	}
	switch r.Method {
	case "GET":
		var page int
		fmt.Sscan(r.URL.Query().Get("page"), &page)
		from := min((page-1)*100, len(c.list))
		json.NewEncoder(w).Encode(c.list[from:min(from+100, len(c.list))])
	case "POST":
		c.list = append(c.list, github.Comment{ID: int64(len(c.list) + 1), Body: sent.Body, User: github.User{Login: author}})
		w.WriteHeader(http.StatusCreated)
	case "PATCH":
		for i := range c.list {
			if strings.HasSuffix(r.URL.Path, fmt.Sprintf("/comments/%d", c.list[i].ID)) {
				c.list[i].Body = sent.Body
			}
		}
	}
}

func TestThereIsOneCommentAndItIsOurs(t *testing.T) {
	gh := &comments{}
	for i := range 150 { // more than a page
		gh.list = append(gh.list, github.Comment{ID: int64(i + 1), Body: "hello", User: github.User{Login: "someone"}})
	}
	gh.list[3].Body = marker + "\nforged"
	gh.list[4] = github.Comment{ID: 5, Body: "another workflow's " + marker, User: github.User{Login: author}}
	server := httptest.NewServer(gh)
	defer server.Close()
	client := github.Client{API: server.URL, Repository: "acme/fairstream"}
	for _, p := range []struct{ revision, body string }{
		{"aaa", marker + "\nplaceholder"},
		{"aaa", answered("aaa") + "\nanswer"},
		{"aaa", marker + "\na placeholder that must not replace it"},
		{"aaa", answered("aaa") + "\nanother answer"},
		{"bbb", marker + "\nplaceholder of what is newer"},
		{"bbb", answered("bbb") + "\nlast answer"},
	} {
		if err := Post(t.Context(), client, 7, p.revision, p.body); err != nil {
			t.Fatal(err)
		}
	}
	edit := "PATCH /issues/comments/151"
	want := []string{"POST /issues/7/comments", edit, edit, edit, edit}
	if !reflect.DeepEqual(gh.calls, want) {
		t.Errorf("calls %q, want %q", gh.calls, want)
	}
	if last := gh.list[len(gh.list)-1]; len(gh.list) != 151 || last.Body != answered("bbb")+"\nlast answer" || gh.list[3].Body != marker+"\nforged" {
		t.Errorf("%d comments, the last %q", len(gh.list), last.Body)
	}
}
