package compare

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/judge/verdict/comparetest"
	"fairstream/scripts/internal/judge/where"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// A fakeLoader makes records where a session would load. A server costs factor
// times as much CPU at head, by head's commit.
type fakeLoader struct {
	t         *testing.T
	template  []record.Record // of one round, of go-http and direct
	factor    map[string]float64
	commits   []string // after base, oldest first
	broken    map[string]error
	loaded    map[string][]record.Record // by directory
	jobs      []string                   // loads: directory, head's commit, rounds
	verified  int
	kept      map[string][]verdict.Answer // of the page, by directory
	interrupt int                         // ends the load after that round, once
	slow      func(r *record.Record, load raw.LoadChange)
}

func newFake(t *testing.T, commits ...string) *fakeLoader {
	t.Helper()
	template := testfile.Read(t, mixed, record.Read)
	template = slices.DeleteFunc(comparetest.Complete(template), func(r record.Record) bool {
		return r.Round != 1 || r.Server.Name != "go-http" && r.Server.Name != raw.Direct
	})
	return &fakeLoader{t: t, template: template, commits: commits, factor: map[string]float64{}, broken: map[string]error{}, kept: map[string][]verdict.Answer{}, loaded: map[string][]record.Record{}}
}

func (f *fakeLoader) Checkout(_ context.Context, servers []workload.Server, sides []session.Side) (targets []load.Target, release func() error, err error) {
	for _, id := range servers {
		for _, s := range sides {
			t := load.Target{Server: server.Server{Workload: id.Workload, Name: id.Name}, Side: s.Name, Broken: f.broken[s.Ref]}
			t.Source.Commit, t.Source.Tree = &s.Ref, &s.Ref
			targets = append(targets, t)
		}
	}
	return targets, func() error { return nil }, nil
}

func (f *fakeLoader) Steps(context.Context, string, string, workload.Server) ([]string, error) {
	return f.commits, nil
}

func (f *fakeLoader) Prepare(_ context.Context, targets []load.Target, built func([]load.Target)) error {
	for i := range targets {
		targets[i].Artefact = targets[i].Source.Commit
	}
	built(targets)
	return nil
}

func (f *fakeLoader) KeepVerdicts(dir string, answers []verdict.Answer) error {
	f.kept[filepath.Base(dir)] = answers
	return nil
}

func (f *fakeLoader) Verify(context.Context, []load.Target) error { f.verified++; return nil }

func (f *fakeLoader) Load(_ context.Context, targets []load.Target, job Job) (records []record.Record, runErr, err error) {
	side := targets[slices.IndexFunc(targets, func(t load.Target) bool { return t.Side == "head" })]
	head := *side.Source.Commit
	plan := filepath.Join(job.Dir, raw.RunFile)
	if _, err := os.Stat(plan); err != nil {
		delete(f.loaded, job.Dir)
	}
	had := record.Rounds(f.loaded[job.Dir])
	if err := os.MkdirAll(job.Dir, 0o755); err != nil {
		return nil, nil, err
	}
	if err := raw.WriteJSON(plan, raw.Run{Asked: raw.Asked{LoadChange: job.Load}}); err != nil {
		return nil, nil, err
	}
	last := 0
	for round := 1; round <= job.Rounds+job.Repeats; round++ {
		last = round
		if round <= had {
			continue
		}
		f.loaded[job.Dir] = append(f.loaded[job.Dir], f.round(job, round, head, side.Broken)...)
		if round == f.interrupt {
			f.interrupt = 0
			runErr = context.Canceled
			break
		}
		if job.Enough(round, f.loaded[job.Dir]).Done {
			break
		}
	}
	f.jobs = append(f.jobs, fmt.Sprintf("%s %.4s rounds %d to %d", filepath.Base(job.Dir), head, had+1, last))
	return f.loaded[job.Dir], runErr, nil
}

// round makes records of one round, with noise that depends on directory and round alone. Seeds of further comparisons are drawn.
func (f *fakeLoader) round(job Job, round int, head string, broken error) (records []record.Record) {
	name := fnv.New64a()
	_, _ = name.Write([]byte(filepath.Base(job.Dir))) // it never fails
	random := rand.New(rand.NewPCG(name.Sum64(), uint64(round)))
	for _, r := range f.template {
		sides := []string{"base", "head"}
		if r.Server.Name == raw.Direct {
			sides = []string{""}
		}
		r.Round, r.Run.Rounds, r.Run.Quick, r.Run.ID = round, job.Rounds, false, filepath.Base(job.Dir)
		r.Status, r.Why, r.Conditions.Disturbed = record.OK, []string{}, []string{}
		plain := r.Metrics
		for _, r.Server.Side = range sides {
			r.Metrics, r.Status, r.Why = record.Metrics{}, record.OK, []string{}
			if broken != nil && r.Server.Side == "head" {
				r.Status, r.Why, r.Server.Artefact = record.Invalid, []string{broken.Error()}, nil
			}
			for _, m := range record.Table("relay") { // in one order, else each run draws other noise
				v := plain[m.Name]
				if r.Status == record.Invalid {
					v = nil
				}
				if v != nil {
					noisy := *v * math.Exp(0.002*random.NormFloat64())
					if m.Name == "server_cpu_us_per_stream" && r.Server.Side == "head" && f.factor[head] > 0 {
						noisy *= f.factor[head]
					}
					v = &noisy
				}
				r.Metrics[m.Name] = v
			}
			r.Run.LoadChange = job.Load
			if f.slow != nil {
				f.slow(&r, job.Load)
			}
			records = append(records, r)
		}
	}
	return records
}

var goHTTP = []workload.Server{{Workload: workload.Names()[0], Name: "go-http"}}

func commit(n int) string { return strings.Repeat(fmt.Sprint(n), 40) }

// comparison is one of go-http whose output is what the function returns.
func comparison(t *testing.T, f *fakeLoader) (c *Comparison, printed func() string) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "stdout"))
	if err != nil {
		t.Fatal(err)
	}
	before := cli.Stdout.File
	cli.Stdout.File = out
	t.Cleanup(func() { cli.Stdout.File = before })
	dir := t.TempDir()
	c = &Comparison{
		Loader: f, Base: session.Side{Name: "base", Ref: commit(0)}, Head: session.Side{Name: "head", Ref: f.commits[len(f.commits)-1]},
		Dir: filepath.Join(dir, "first"), Seed: 7, Rounds: verdict.Rounds,
	}
	return c, func() string {
		text, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

func TestARegressionIsConfirmedAndItsCommitFound(t *testing.T) {
	f := newFake(t, commit(1), commit(2), commit(3), commit(4), commit(5))
	for _, slower := range []int{4, 5} {
		f.factor[commit(slower)] = 1.2
	}
	c, printed := comparison(t, f)
	c.Confirm, c.Bisect = true, true
	if err := c.Servers(t.Context(), goHTTP); !errors.Is(err, cli.ErrFindings) {
		t.Errorf("error %v; want findings", err)
	}
	if kept := f.kept["first"]; len(kept) != 1 || kept[0].Verdict != verdict.Regressed {
		t.Errorf("the page says %v; want a regression", kept)
	}
	if want := "regressed by " + commit(4); !strings.Contains(printed(), want) {
		t.Errorf("no %q in:\n%s", want, printed())
	}
	var where []string
	for _, job := range f.jobs {
		name, _, _ := strings.Cut(job, " rounds ")
		where = append(where, name)
	}
	want := []string{"first 5555", "first-confirm 5555", "first-333333333333 3333", "first-444444444444 4444"}
	if !slices.Equal(where, want) {
		t.Errorf("loaded %q, want %q", where, want)
	}
}

// A regression that a second load does not show is not reported as one.
func TestAnUnconfirmedRegressionIsNone(t *testing.T) {
	f := newFake(t, commit(1))
	f.factor[commit(1)] = 1.2
	c, printed := comparison(t, f)
	c.Confirm = true
	c.Loader = calmsDown{f}
	if err := c.Servers(t.Context(), goHTTP); err != nil || strings.Contains(printed(), "regressed:") {
		t.Errorf("%v:\n%s", err, printed())
	}
	if kept := f.kept["first"]; len(kept) != 1 || !strings.Contains(unwrapped(printed()), answer.Headline(kept[0])) {
		t.Errorf("the page says %v; want what was printed:\n%s", kept, printed())
	}
	if len(f.jobs) != 2 {
		t.Errorf("loads %q; want two", f.jobs)
	}
}

// calmsDown is as fast as base from the second load on.
type calmsDown struct{ *fakeLoader }

func (c calmsDown) Load(ctx context.Context, targets []load.Target, job Job) ([]record.Record, error, error) {
	records, runErr, err := c.fakeLoader.Load(ctx, targets, job)
	c.factor = nil
	clear(c.fakeLoader.factor)
	return records, runErr, err
}

// Without a regression there is nothing to confirm.
func TestOnlyRegressedServersAreLoadedAgain(t *testing.T) {
	f := newFake(t, commit(1))
	c, _ := comparison(t, f)
	c.Confirm, c.Bisect = true, true
	if err := c.Servers(t.Context(), goHTTP); err != nil || len(f.jobs) != 1 {
		t.Errorf("%v, loads %q; want one", err, f.jobs)
	}
}

// What fails the contract at head is verified once more before it counts.
func TestABrokenHeadIsVerifiedAgain(t *testing.T) {
	f := newFake(t, commit(1))
	c, printed := comparison(t, f)
	c.Confirm = true
	c.Loader = failsContract{f}
	if err := c.Servers(t.Context(), goHTTP); !errors.Is(err, cli.ErrFindings) || f.verified != 1 || len(f.jobs) != 2 {
		t.Errorf("%v; verified %d times more, loads %q; want one more of each:\n%s", err, f.verified, f.jobs, printed())
	}
	if want := "go-http inconclusive: a first comparison found a regression, but the second one says unchanged. Next: compare again"; !strings.Contains(unwrapped(printed()), want) {
		t.Errorf("no %q in:\n%s", want, printed())
	}
}

// failsContract breaks head after it was built.
type failsContract struct{ *fakeLoader }

func (l failsContract) Prepare(ctx context.Context, targets []load.Target, built func([]load.Target)) error {
	if err := l.fakeLoader.Prepare(ctx, targets, built); err != nil {
		return err
	}
	for i := range targets {
		if targets[i].Side == "head" {
			targets[i].Broken = errors.New("fails C4")
		}
	}
	return nil
}

// A comparison that was interrupted goes on where it was stopped, and says what it
// would have said at once.
func TestAnInterruptedComparisonGoesOn(t *testing.T) {
	whole := newFake(t, commit(1))
	whole.factor[commit(1)] = 1.03
	c, printed := comparison(t, whole)
	wantErr := c.Servers(t.Context(), goHTTP)
	want := printed()

	f := newFake(t, commit(1))
	f.factor[commit(1)] = 1.03
	f.interrupt = 2
	c, printed = comparison(t, f)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Servers(ctx, goHTTP); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	sofar := len(printed())
	if err := c.Servers(t.Context(), goHTTP); !errors.Is(err, wantErr) {
		t.Errorf("after going on: %v, want %v", err, wantErr)
	}
	if got := printed()[sofar:]; got != want {
		t.Errorf("after going on:\n%s\nwant\n%s", got, want)
	}
	if len(f.jobs) != 2 || !strings.HasSuffix(f.jobs[0], "rounds 1 to 2") || !strings.Contains(f.jobs[1], "rounds 3 to ") {
		t.Errorf("loads %q; want rounds 1 to 2, then from 3 on", f.jobs)
	}
}

// Equal programs are not loaded, unless asked for.
func TestEqualSidesAreNotLoaded(t *testing.T) {
	for same, loads := range map[bool]int{false: 0, true: 1} {
		f := newFake(t, commit(0))
		c, printed := comparison(t, f)
		c.Same = same
		if err := c.Servers(t.Context(), goHTTP); err != nil || len(f.jobs) != loads || !same && !strings.Contains(printed(), string(verdict.Identical)) {
			t.Errorf("same %v: %v, loads %q, want %d:\n%s", same, err, f.jobs, loads, printed())
		}
	}
}

// unwrapped is printed text without its line breaks and columns.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }

// Functions names none.
func (f *fakeLoader) Functions(context.Context, []load.Target, string, raw.LoadChange) ([]where.Found, error) {
	return nil, nil
}
