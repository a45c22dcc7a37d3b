package comment

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
	"fairstream/scripts/internal/workload/workloadtest"
)

var relay = workloadtest.Relay

var run = github.Run{Repository: "https://github.com/acme/fairstream", ID: "5", Attempt: 1}

var asked = plan.Plan{
	Kind: plan.Pull, Pull: 7, Revision: strings.Repeat("b", 40), Base: strings.Repeat("a", 40),
	Servers: relay("go-gin", "go-http"), Rounds: 12,
}

// hostile is what a server may have printed, which is among the reasons.
const hostile = "exit status 1\n| a | b |\n</details><script>alert(1)</script> @everyone ![x](http://127.0.0.1/) ```"

// job makes the records of rounds of one server. A cell of head is base's times its factor, by
// "scenario metric" or for all by "metric". It differs by up to twice noise, in parts of ten
// thousand, from round to round.
func job(server string, rounds int, noise float64, factors map[string]float64) []record.Record {
	cpu := "A <b>CPU</b> @everyone"
	artefact := strings.Repeat("5", 64)
	var records []record.Record
	for round := 1; round <= rounds; round++ {
		for _, scenario := range []string{"baseline", "steady", "stress-100", "stress-200"} {
			for _, side := range []string{"", "base", "head"} {
				r := record.Record{
					Schema: record.Schema, Workload: "relay", Scenario: scenario, Round: round, Status: record.OK, Why: []string{}, Metrics: record.Metrics{},
					Started: time.Date(2026, 11, 21, 8, 0, 20*round, 0, time.UTC),
				}
				r.Run.ID, r.Run.Rounds, r.Run.SharedBy, r.Host.CPU, r.Host.Cores = "records", asked.Rounds, asked.SharedBy(), &cpu, 4
				r.Server.Name, r.Server.Side, r.Server.Artefact = server, side, &artefact
				if side == "" {
					r.Server = raw.Server{Name: raw.Direct}
				}
				failed := 0.0
				r.Metrics["failed_pct"] = &failed
				for i, metric := range workload.Named("relay").Judged(scenario) {
					if workload.Absolute(metric) {
						continue // known of longer loads only
					}
					v := 1000*float64(i+1) + float64(round)
					for _, name := range []string{scenario + " " + metric, metric} {
						if f := factors[name]; f != 0 && side == "head" {
							v *= f
						}
					}
					if side == "head" { // no two cells alike
						v *= 1 + noise*1e-4*float64((7*round+3*i)%5-2)
					}
					r.Metrics[metric] = &v
				}
				records = append(records, r)
			}
		}
	}
	return records
}

// broken makes the records of sides invalid.
func broken(records []record.Record, why string, sides ...string) []record.Record {
	for i := range records {
		if slices.Contains(sides, records[i].Server.Side) {
			records[i].Status, records[i].Why, records[i].Metrics = record.Invalid, []string{why}, record.Metrics{}
		}
	}
	return records
}

// discarded makes some rounds disturbed.
func discarded(records []record.Record, why string, rounds ...int) []record.Record {
	for i, r := range records {
		if slices.Contains(rounds, r.Round) {
			figured := strings.Replace(why, "40", fmt.Sprint(40+i%3), 1)
			records[i].Status, records[i].Why, records[i].Conditions.Disturbed = record.Warning, []string{figured}, []string{figured}
		}
	}
	return records
}

func uploads(gin, http []record.Record) artifact.Result {
	all := artifact.Result{Records: map[string][]record.Record{}, Attempts: map[string]int{"relay.go-http": 2}}
	for name, records := range map[string][]record.Record{"relay.go-gin": gin, "relay.go-http": http} {
		if records != nil {
			all.Records[name] = records
		}
	}
	return all
}

func TestComments(t *testing.T) {
	slower := map[string]float64{"stream_p95_ms": 1.5, "rate_per_s": 0.7, "server_rss_peak_bytes": 1.02}
	worse := map[string]float64{"stream_p95_ms": 1.5, "rate_per_s": 0.7, "server_cpu_us_per_stream": 1.1, "ttft_p95_ms": 1.2, "itl_p99_ms": 1.3, "server_rss_peak_bytes": 1.2}
	faster := map[string]float64{"steady server_cpu_us_per_stream": 0.5}
	identical := func(server string) []record.Record {
		return broken(job(server, 1, 0, nil), "identical: both sides are the same program; it was not loaded", "", "base", "head")
	}
	fails := func(side string) []record.Record { // to build
		records := broken(job("go-gin", 1, 1, nil), hostile, side)
		for i := range records {
			if records[i].Server.Side == side {
				records[i].Server.Artefact = nil
			}
		}
		return records
	}
	equal := job("go-http", 4, 1, nil)
	missing := uploads(nil, equal)
	missing.Missing = []string{"relay.go-gin"}
	refused := uploads(nil, equal)
	refused.Missing = []string{"relay.go-gin"}
	refused.Refused = []artifact.Refusal{{Artifact: "records-relay.go-gin-1/a.zip", Why: "run.jsonl: line 1: '<img src=x>'"}}
	hole := uploads(slices.DeleteFunc(job("go-gin", 5, 1, nil), func(r record.Record) bool { return r.Round == 2 }), equal)
	hole.Missing = []string{"relay.go-gin: compare round 2"}
	nothing := artifact.Result{Missing: []string{"relay.go-gin", "relay.go-http"}}
	other := asked
	other.Quick, other.Rig = true, true
	fork := plan.Plan{Kind: plan.Pull, Pull: 7, Revision: asked.Revision, Say: "this pull request comes from a fork"}
	unlike := uploads(job("go-gin", 4, 1, faster), equal)
	for i, r := range unlike.Records["relay.go-gin"] {
		if r.Round == 2 && r.Scenario == "baseline" && r.Server.Side == "head" {
			unlike.Records["relay.go-gin"][i].Metrics["ttft_p95_ms"] = nil
		}
	}
	some := asked
	some.Foreign, some.LeftOut = true, relay("bun-hono", "bun-elysia")
	const busy = "other programs used 40 % of the machine; want at most 25 % `<b>`"
	for name, c := range map[string]struct {
		p       plan.Plan
		uploads *artifact.Result
		first   string
	}{
		"placeholder":  {asked, nil, "**Measuring** relay/go-gin, relay/go-http at bbbbbbbbbb"},
		"named":        {some, nil, "**Measuring** relay/go-gin, relay/go-http at bbbbbbbbbb"},
		"foreign":      {some, ptr(uploads(identical("go-gin"), job("go-http", 4, 1, faster))), "**relay/go-http**: improved: steady CPU us/stream -50.0 %"},
		"fork":         {fork, nil, "**Not measured**: this pull request comes from a fork."},
		"regressed":    {asked, ptr(uploads(job("go-gin", 4, 1, slower), equal)), "**relay/go-gin**: regressed: stress req/s -30.0 %, stress p95 ms +50.0 %, stress-100 peak RSS MB +2.0 %. Also "},
		"many":         {asked, ptr(uploads(fails("head"), job("go-http", 4, 1, worse))), "**relay/go-gin**: regressed: head fails, base does not: 1 of 1 rounds: baseline: `exit status 1"},
		"improved":     {asked, ptr(uploads(job("go-gin", 4, 1, faster), equal)), "**relay/go-gin**: improved: steady CPU us/stream -50.0 %.\n**relay/go-http**: no change in CPU, latency, memory, throughput"},
		"unknown":      {asked, &unlike, "**relay/go-gin**: not measured: baseline TTFT p95 ms.\n**relay/go-http**: no change in CPU, latency, memory, throughput"},
		"unchanged":    {asked, ptr(uploads(job("go-gin", 4, 1, nil), equal)), "**relay/go-gin, relay/go-http**: no change in CPU, latency, memory, throughput"},
		"identical":    {asked, ptr(uploads(identical("go-gin"), equal)), "**relay/go-http**: no change in CPU, latency, memory, throughput"},
		"inconclusive": {asked, ptr(uploads(job("go-gin", 12, 900, nil), equal)), "**relay/go-gin**: inconclusive: CPU (up to "},
		"sized":        {asked, ptr(uploads(job("go-gin", 12, 450, nil), equal)), "**relay/go-gin**: no change, but "},
		"noisy":        {asked, ptr(uploads(discarded(job("go-gin", 10, 1, nil), busy, 2, 3, 4, 5, 7, 8, 10), equal)), "**relay/go-gin**: inconclusive: the machine is too noisy: it discarded 7 of 10 rounds. Next: a quieter hour"},
		"repeated":     {asked, ptr(uploads(discarded(job("go-gin", 5, 1, nil), busy, 3), equal)), "**relay/go-gin, relay/go-http**: no change in CPU, latency, memory, throughput"},
		"cut-short":    {asked, ptr(uploads(job("go-gin", 2, 1, nil), equal)), "**relay/go-gin**: inconclusive: only 2 of the 4 rounds that the first look needs. Next: "},
		"hole":         {asked, &hole, "**relay/go-gin, relay/go-http**: no change in CPU, latency, memory, throughput"},
		"missing":      {asked, &missing, "**relay/go-gin**: not measured: no records arrived. See the job that loads it in the run.\n**relay/go-http**: no change in CPU, latency, memory, throughput"},
		"refused":      {asked, &refused, "**relay/go-gin**: not measured: no records arrived. See the job that loads it in the run.\n**relay/go-http**: no change in CPU, latency, memory, throughput"},
		"nothing":      {asked, &nothing, "**relay/go-gin**: not measured: no records arrived. See the job that loads it in the run.\n**relay/go-http**: not measured: "},
		"head-fails":   {asked, ptr(uploads(fails("head"), equal)), "**relay/go-gin**: regressed: head fails, base does not: 1 of 1 rounds: baseline: `exit status 1"},
		"base-fails":   {other, ptr(uploads(fails("base"), job("go-http", 4, 1, slower))), "**relay/go-http**: regressed: stress req/s -30.0 %, stress p95 ms +50.0 %, stress-100 peak RSS MB +2.0 %. Also "},
	} {
		got := Placeholder(c.p, run)
		start := marker
		if c.uploads != nil {
			got, start = Answer(c.p, *c.uploads, Judge(*c.uploads), "a table\n", run), answered(c.p.Revision)
		}
		if !strings.HasPrefix(got, start+"\n"+c.first) {
			t.Errorf("%s: begins with %.200q, want the marker and then %q", name, got, c.first)
		}
		harmless(t, name, got)
		testfile.Check(t, "testdata/"+name+".md", []byte(got))
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
	rest := strings.NewReplacer(answered(asked.Revision), "", marker, "", foreign, "", "<details><summary>", "", "</summary>", "", "</details>", "").Replace(outside.String())
	if strings.ContainsAny(rest, "<>@") {
		t.Errorf("%s: markup or a mention outside of code:\n%s", name, rest)
	}
}

// GitHub refuses what is too long, and an artifact may try to be: as many
// reasons as an artifact may have, in every record.
func TestLongCommentsAreCut(t *testing.T) {
	many := artifact.Result{Records: map[string][]record.Record{}}
	for server := range 40 {
		name := fmt.Sprint("server-", server)
		records := job(name, 5, 1, nil)
		for i := range records {
			r := &records[i]
			r.Status = record.Warning
			for n := range 16 {
				why := strings.Repeat(string(rune('a'+n)), 290) + strings.Repeat("z", i%12) // figures would make no difference
				if r.Why = append(r.Why, why); r.Round == 5 {
					r.Conditions.Disturbed = append(r.Conditions.Disturbed, why)
				}
			}
		}
		many.Records["relay."+name] = records
	}
	noisy := artifact.Result{Records: map[string][]record.Record{}}
	for server := range 80 { // more than one pull request changes, and fewer than artifacts are read
		name := fmt.Sprint("a-server-with-a-long-name-", server)
		noisy.Records["relay."+name] = job(name, 12, 900, nil)
	}
	few := uploads(nil, job("go-http", 4, 1, nil))
	for name, got := range map[string]string{
		"records": Answer(asked, many, Judge(many), "a table", run), "servers": Answer(asked, noisy, Judge(noisy), "", run), "benchstat": Answer(asked, few, Judge(few), strings.Repeat("z", 70_000), run),
	} {
		if len(got) > maxBody+1000 || !strings.Contains(got, "Too long for a comment") {
			t.Errorf("%s: %d characters: %.300s", name, len(got), got)
		}
	}
}

// As many artifacts as there may be are refused, each with as long a reason as there
// may be, and nothing else of the plan came.
func TestACommentOfManyRefusalsFits(t *testing.T) {
	result := uploads(nil, job("go-http", 4, 1, nil))
	for i := range 512 {
		result.Refused = append(result.Refused, artifact.Refusal{Artifact: strings.Repeat("n", 300) + "...", Why: fmt.Sprint(i) + strings.Repeat("y", 297) + "..."})
	}
	for round := 1; round <= 1000; round++ {
		result.Missing = append(result.Missing, fmt.Sprintf("relay.go-gin: compare round %d", round))
	}
	got := Answer(asked, result, Judge(result), "a table", run)
	if len(got) > maxBody {
		t.Errorf("%d characters: %.300s", len(got), got)
	}
	for _, want := range []string{"refused: `0y", "refused: `9y", "\n- and 1502 more; the run has them\n", "All 12 cells"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%.3000s", want, got)
		}
	}
}

// GitHub refuses a comment of more characters.
const githubsLimit = 65_536

// A pull request may change any number of servers, and its jobs may upload any number of artifacts.
func TestCommentsOfManyServersArePosted(t *testing.T) {
	p := asked
	p.Servers, p.LeftOut = nil, nil
	for i := range 2000 { // the plan refuses more than 40
		p.Servers = append(p.Servers, relay(fmt.Sprintf("%s-%04d", strings.Repeat("n", 45), i))...)
	}
	result := artifact.Result{Records: map[string][]record.Record{}}
	for i := range 200 {
		result.Refused = append(result.Refused, artifact.Refusal{Artifact: strings.Repeat("n", 300) + "...", Why: fmt.Sprint(i) + strings.Repeat("y", 297) + "..."})
	}
	some := asked
	some.LeftOut = p.Servers
	few := uploads(nil, job("go-http", 4, 1, nil))
	for name, body := range map[string]string{
		"placeholder": Placeholder(p, run), "left out": Placeholder(some, run), "answer": Answer(p, result, Judge(result), "", run), "answer with some left out": Answer(some, few, Judge(few), "", run),
	} {
		if len(body) > githubsLimit || !strings.Contains(body, "-0000") {
			t.Errorf("%s: %d characters: %.300s", name, len(body), body)
		}
	}
}
