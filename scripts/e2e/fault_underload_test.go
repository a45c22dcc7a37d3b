package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/testfile"
)

// A misbehaviour is what a server does only when it is loaded, or only at one start,
// and what its records of a round say.
type misbehaviour struct {
	server   string        // of testdata/wrong
	scenario string        // "" is any
	round    int           // 0 is any
	status   record.Status // "" is warned or invalid
	why      string
}

// Servers that pass verify and misbehave later get no figures, or figures with a warning
// and a reason. The other servers keep their figures.
func TestLongServersThatMisbehaveUnderLoad(t *testing.T) {
	long(t, "8 minutes")
	for _, c := range []struct {
		name, scenario, rounds string
		rows                   []misbehaviour
	}{
		{"baseline", "baseline", "2", []misbehaviour{
			{"right", "", 0, record.OK, ""},
			{"dies-in-warm-up", "", 0, record.Invalid, "into ranking: exited with status 7; its last lines:\n    out of luck"},
			{"starts-once", "", 1, record.OK, ""},
			{"starts-once", "", 2, record.Invalid, "exited with status 4; its last lines:\n    the lock of the last start is still there"},
			{"stops-reading", "", 0, record.Warning, "given up: a stream hung"},
			{"deaf", "", 0, record.Warning, "given up: a stream hung"},
			{"closes-each", "", 0, record.OK, ""}, // which costs little where a stream takes a second
			{"prints-100-mb", "", 0, record.Warning, "the server printed 99 MiB; want at most 16"},
			{"forks", "", 0, record.Warning, "of the server started under load, so its CPU and memory are not counted"},
			{"forks-away", "", 0, record.Warning, "of the server left its process group, so its CPU and memory are not counted"},
			{"ignores-sigterm-loaded", "", 0, record.OK, ""},
		}},
		{"stress", "stress", "1", []misbehaviour{
			{"right", "", 0, record.OK, ""},
			{"dies", "", 0, record.Invalid, "into ranking: exited with status 7"},
			{"stops-itself", "stress-10", 0, record.Warning, "given up: a stream hung"},
			{"stops-itself", "", 0, record.Invalid, "it had no slice: a stream hung"},
			{"hundredth-fails", "", 0, record.Warning, " x status"},
		}},
		{"floods", "stress", "1", []misbehaviour{
			{"right", "", 0, record.OK, ""},
			// All of their streams on a level may fail, or those after the first 210.
			{"floods-tokens", "", 0, "", " x order"},
			{"floods-body", "stress-200", 0, "", ""}, // it may have been given up by then
			{"floods-body", "", 0, "", " x "},        // longer than 1 GiB, or than 20 s
			{"floods-head", "", 0, "", " x malformed"},
			{"floods-after-done", "", 0, "", " x after_done"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t)
			for _, row := range c.rows {
				if !exists(filepath.Join(p.root, "servers/relay", row.server)) {
					p.wrong(row.server)
				}
			}
			r := p.bench("run", "-quick", "-rounds", c.rounds, "-scenario", c.scenario, "-o", "raw")
			r.expect(t, 1)
			records, _, planned, err := record.FromRaw(filepath.Join(p.root, "raw"))
			p.must(err)
			if len(records) != planned {
				t.Errorf("%d records of %d", len(records), planned)
			}
			for _, rec := range records {
				t.Log(rec.Round, rec.Scenario, rec.Target(), rec.Status, rec.Why)
				i := slices.IndexFunc(c.rows, func(m misbehaviour) bool {
					return m.server == rec.Server.Name && (m.round == 0 || m.round == rec.Round) && (m.scenario == "" || m.scenario == rec.Scenario)
				})
				if i < 0 && rec.Server.Name == raw.Direct {
					checkFigures(t, rec, record.OK)
				} else {
					checkFigures(t, rec, c.rows[i].status)
					if why := strings.Join(rec.Why, "\n"); !strings.Contains(why, c.rows[i].why) {
						t.Errorf("round %d: %s %s: %s %q; want %q in it", rec.Round, rec.Scenario, rec.Server.Name, rec.Status, rec.Why, c.rows[i].why)
					}
				}
			}
		})
	}
}

// checkFigures wants a status, and a rate unless it is invalid. A busy machine may
// cast warnings of its own on what is right, and then says that it is to blame.
func checkFigures(t *testing.T, rec record.Record, want record.Status) {
	t.Helper()
	warned := want == "" && rec.Status != record.OK
	if rec.Status != want && !warned && !(want == record.OK && rec.Status == record.Warning && len(rec.Conditions.Disturbed) > 0) {
		t.Errorf("round %d: %s %s: %s %q, want %s", rec.Round, rec.Scenario, rec.Server.Name, rec.Status, rec.Why, want)
	}
	if rate, known := rec.Metrics.Get("rate_per_s"); known != (rec.Status != record.Invalid) || known && rate <= 0 {
		t.Errorf("round %d: %s %s: rate %v, known %v, with status %s", rec.Round, rec.Scenario, rec.Server.Name, rate, known, rec.Status)
	}
}

// A server that fails equally on both sides has not regressed. Neither has one whose head dies once. A
// comparison that is interrupted after such a round does not report a regression.
func TestLongAComparisonOfServersThatMisbehave(t *testing.T) {
	long(t, "5 minutes")
	p := newProject(t)
	p.git("init", "-q", "-b", "main")
	servers := map[string][2]string{
		"unsteady": {"hundredth-fails", "hundredth-fails"}, "fragile": {"right", "starts-once"}, "mortal": {"right", "dies-in-warm-up"},
	}
	var commits [2]string
	for side := range commits {
		for name, faults := range servers {
			if side == 0 {
				p.wrong("right")
				p.must(os.Rename(filepath.Join(p.root, "servers/relay/right"), filepath.Join(p.root, "servers/relay", name)))
			}
			p.runs(name, []string{"bin/server", faults[side]})
			p.write("servers/relay/"+name+"/NOTES", []string{"base", "head"}[side])
		}
		commits[side] = p.commit()
	}
	args := []string{"compare", "-quick", "-rounds", "4", "-same", "-base", commits[0], "-head", commits[1], "-o"}

	r := p.bench(append(args, "out", "unsteady", "fragile")...)
	t.Log("\n" + r.stdout)
	for name, want := range map[string][]verdict.Verdict{
		"unsteady": {verdict.NotMeasured, verdict.Inconclusive}, "fragile": {verdict.Unchanged, verdict.Inconclusive},
	} {
		if a := p.answers("out")[name]; !slices.Contains(want, a.Verdict) {
			t.Errorf("%s: %s %s; want one of %q", name, a.Verdict, a.Why, want)
		}
	}
	if discarded := strings.Join(p.answers("out")["fragile"].Discarded, "\n"); !strings.Contains(discarded, "one side failed") || !strings.Contains(discarded, "the lock of the last start is still there") {
		t.Errorf("fragile: %q is told of the rounds that do not count", discarded)
	}

	cmd := p.command(append(args, "cut", "mortal")...)
	var out, told strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &told
	p.must(cmd.Start())
	for deadline := time.Now().Add(5 * time.Minute); !exists(filepath.Join(p.root, "cut/1/compare/facts.json")) && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	cmd.Process.Signal(syscall.SIGINT)
	cmd.Wait()
	p.leftovers()
	if status := cmd.ProcessState.ExitCode(); status != 130 || !strings.Contains(told.String(), "comparison: interrupted; ") {
		t.Errorf("interrupted: exit status %d\n%s", status, told.String())
	}
	if !strings.HasPrefix(out.String(), "mortal  inconclusive: only 0 of the 4 rounds") || !regexp.MustCompile(`round 1: .*one side failed.*: baseline: died `).MatchString(out.String()) {
		t.Errorf("after one round in which head died:\n%s", out.String())
	}
}

// answers are those of the records of a comparison, by server.
func (p testProject) answers(dir string) map[string]verdict.Answer {
	p.Helper()
	records := testfile.Read(p, filepath.Join(p.root, dir, recordsFile), record.Read)
	answers := map[string]verdict.Answer{}
	for _, a := range verdict.Compare(records) {
		answers[a.Server] = a
	}
	return answers
}
