package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/services"
)

// A k6Run is one run of k6, with the targets that share its seconds.
type k6Run struct {
	Options
	targets  []Target
	scenario string
	round    int
	plan     K6Plan
	seed     uint32
}

func (l k6Run) label() string {
	label := l.scenario
	if l.Profile {
		label = "perf"
	}
	if l.Solo {
		label += " " + l.targets[0].Name()
	}
	switch {
	case l.round > l.Rounds:
		label += fmt.Sprintf(", round %d, for a discarded one", l.round)
	case l.Enough != nil:
		label += fmt.Sprintf(", round %d of at most %d", l.round, l.Rounds)
	case l.Rounds > 1:
		label += fmt.Sprintf(", round %d of %d", l.round, l.Rounds)
	}
	return label
}

// slack is the extra time that k6 may take: for warm-ups, for requests that hang until their timeout, and for
// its own start.
const slack = 5 * time.Minute

// A subject is a loaded target with its process, which direct does not have, and its facts.
type subject struct {
	*process.Process
	url      string
	facts    *raw.TargetFacts
	database *services.Database // nil without one
	backends []int              // its processes
}

// measure loads the targets and writes the raw files, facts.json last. A target's own fault becomes a fact.
// Any other error is returned, and there are no facts.
func (l k6Run) measure(ctx context.Context) error {
	dir := l.path()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	facts := raw.Facts{
		Round: l.round, Scenario: l.scenario, Started: time.Now().UTC().Truncate(time.Second),
		Targets: make([]raw.TargetFacts, len(l.targets)),
	}
	if err := l.load(ctx, dir, &facts); err != nil {
		return err
	}
	return raw.WriteJSON(filepath.Join(dir, raw.FactsFile), facts)
}

func (l k6Run) path() string {
	alone := ""
	if l.Solo {
		alone = l.targets[0].Name()
	}
	return raw.Dir(l.Dir, l.round, l.scenario, alone)
}

// load starts the stub and the targets, and loads the ready ones.
func (l k6Run) load(ctx context.Context, dir string, facts *raw.Facts) error {
	stub, err := l.startStub(ctx, dir)
	if err != nil {
		return err
	}
	defer stub.Stop()
	var ready []subject
	var servers []*process.Process
	var databases []*services.Database
	defer func() {
		process.StopAll(servers)
		for _, d := range databases {
			d.Remove(context.WithoutCancel(ctx)) // best effort: all of them go with the services
		}
	}()
	for _, i := range order(l.Options.Seed, l.round, len(l.targets)) {
		t := l.targets[i]
		s := subject{url: stub.direct + l.Workload.DirectPath, facts: &facts.Targets[i]}
		s.facts.Name, s.facts.DeployedBytes = t.Name(), t.Deployed
		err := t.Broken
		if err == nil && !t.direct() {
			if l.services != nil {
				if s.database, err = l.services.Database(ctx); err != nil {
					return err
				}
				databases = append(databases, s.database)
			}
			s.Process, s.url, err = l.startServer(ctx, dir, t, stub.url, s.database)
		}
		if s.Process != nil {
			servers = append(servers, s.Process)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if machine, ok := errors.AsType[process.Unable](err); ok {
			return fmt.Errorf("%s: %w", t.Name(), machine)
		}
		if err != nil {
			_, disturbed := errors.AsType[lateToo](err)
			s.facts.Error, s.facts.Disturbed = err.Error(), disturbed
			continue
		}
		if s.Process != nil {
			ms := float64(s.FirstAnswer().Microseconds()) / 1000
			s.facts.PIDs, s.facts.FirstAnswerMS = process.Group(s.Pid), &ms
		}
		if s.database != nil {
			if err := l.countBefore(ctx, &s); err != nil {
				return err
			}
		}
		ready = append(ready, s)
	}
	if len(servers) == 0 && !(l.Solo && len(ready) > 0) {
		for _, s := range ready {
			s.facts.Error = "not loaded: there was no server to load beside it"
		}
		return nil
	}
	return l.sampled(ctx, dir, ready, stub, facts)
}

// order is the order in which a round starts and loads its targets. A target that is always first, or always
// follows the same other, has an advantage: one of two copies of a program would look better. So the order is
// random, and each second round reverses the order of the round before. Any two targets then come first
// equally often.
func order(seed uint64, round, targets int) []int {
	all := rand.New(rand.NewPCG(seed, uint64(round+1)/2)).Perm(targets)
	if round%2 == 0 {
		slices.Reverse(all)
	}
	return all
}

// sampled runs k6 with pidstat, and notes the other facts.
func (l k6Run) sampled(ctx context.Context, dir string, ready []subject, stub rigStub, facts *raw.Facts) error {
	job := l.job(l.scenario)
	job.Seed, job.Watched, job.Cores = l.seed, map[string][]int{roleStub: {stub.here}}, ours()
	job.Summary = filepath.Join(dir, raw.SummaryFile)
	var pids []int // that pidstat samples
	if stub.here != 0 {
		pids = append(pids, stub.here)
	}
	for _, s := range ready {
		job.Targets = append(job.Targets, K6Target{Name: s.facts.Name, URL: s.url})
		if s.Process != nil {
			job.Watched[s.facts.Name] = s.facts.PIDs
			pids = append(pids, s.facts.PIDs...)
		}
		if s.backends != nil {
			job.Watched[raw.Backends(s.facts.Name)] = s.backends
		}
	}
	if l.services != nil {
		shared, err := l.services.Shared(ctx)
		if err != nil {
			return err
		}
		job.Watched[raw.Services] = shared
	}
	if err := removeOld(job.Summary); err != nil {
		return err
	}
	cross, err := l.cross(ctx, dir, ready, stub)
	if err != nil {
		return err
	}
	defer cross.end()
	loadBefore, stopped, started := loadAverage(), throttled(), time.Now()
	k6, err := l.startK6(ctx, job, dir, ready, stub)
	if err != nil {
		return err
	}
	defer k6.end()
	if k6.machine == nil {
		pids = append(pids, k6.pids()...)
	}
	pidstat, err := l.startPidstat(pids, filepath.Join(dir, raw.PidstatFile))
	if err != nil {
		return err
	}
	defer pidstat.stop()
	recordings, err := l.startProfiles(dir, ready)
	defer recordings.stop()
	if err != nil {
		return err
	}
	obituaries := attend(ready)
	if err := l.wait(ctx, k6.processes, stub); err != nil {
		return err
	}
	obituaries(l.scenario)
	if err := l.endProfiles(ctx, dir, recordings); err != nil {
		return err
	}
	if err := errors.Join(cross.conclude(ctx, dir), k6.conclude(ctx, job.Summary)); err != nil {
		return fmt.Errorf("k6: %w", err)
	}
	// k6 ends with status 0 even when it could not write.
	summary, err := raw.ReadSummary(job.Summary)
	if err != nil {
		return fmt.Errorf("k6: its summary cannot be read: %w; is the disk full?", err)
	}
	if err := cross.checkLink(l.Machine, summary); err != nil {
		return err
	}
	facts.Seconds, facts.LoadBefore, facts.ThrottledSeconds = time.Since(started).Seconds(), loadBefore, throttledSince(stopped)
	sent, err := askStub(ctx, stub.url)
	if err != nil {
		return err
	}
	facts.StubPID, facts.K6PID = stub.here, k6.pids()[0]
	facts.StubStreams, facts.StubStreamSeconds, facts.StubTokens, facts.TurnGaps = sent.Completed, float64(sent.StreamUS)/1e6, sent.Tokens, sent.GapsUS
	for _, s := range ready {
		if s.database != nil && l.Workload.Database {
			if err := s.countAfter(ctx); err != nil {
				return err
			}
		}
		s.compareGroup()
		s.compareLog()
	}
	return pidstat.end(ctx, facts)
}

// countBefore notes the processes that serve the server, and what its database has where the workload says what it holds.
func (l k6Run) countBefore(ctx context.Context, s *subject) (err error) {
	if s.backends, err = s.database.Backends(ctx); err != nil || !l.Workload.Database {
		return err
	}
	s.facts.Database = &raw.Database{}
	if s.facts.Database.Before, err = s.database.Messages(ctx); err != nil {
		return err
	}
	s.facts.Database.Queries, err = s.database.Queries(ctx) // less those later
	return err
}

// countAfter notes what the load left.
func (s *subject) countAfter(ctx context.Context) (err error) {
	d := s.facts.Database
	queries, err := s.database.Queries(ctx)
	if err != nil {
		return err
	}
	d.Queries = queries - d.Queries
	d.After, err = s.database.Messages(ctx)
	return err
}

// roleStub is the stub's name among the watched processes. The others have their target's name.
const roleStub = "stub"

// compareGroup notes processes of a server that started or ended under load, since the figures lack their CPU
// time and memory.
func (s subject) compareGroup() {
	if s.Process == nil || s.facts.Error != "" {
		return
	}
	for _, pid := range s.Strays() {
		s.facts.Warnings = append(s.facts.Warnings, fmt.Sprintf("process %d of the server left its process group, so its CPU and memory are not counted; want a server whose processes stay", pid))
	}
	after := process.Group(s.Pid)
	for _, pid := range s.facts.PIDs {
		if !slices.Contains(after, pid) {
			s.facts.Warnings = append(s.facts.Warnings, fmt.Sprintf("process %d of the server ended under load; want a server whose processes stay", pid))
		}
	}
	for _, pid := range after {
		if !slices.Contains(s.facts.PIDs, pid) {
			s.facts.Warnings = append(s.facts.Warnings, fmt.Sprintf("process %d of the server started under load, so its CPU and memory are not counted; want a server whose processes stay", pid))
		}
	}
}

// mostLogBytes is how much a server may print without a warning. Output costs CPU time and disk space.
const mostLogBytes = 16 << 20

// compareLog notes a server that printed much.
func (s subject) compareLog() {
	if s.Process == nil || s.facts.Error != "" {
		return
	}
	if printed := s.Printed(); printed > mostLogBytes {
		s.facts.Warnings = append(s.facts.Warnings, fmt.Sprintf("the server printed %d MiB; want at most %d, since output costs CPU time; its log has the end", printed>>20, mostLogBytes>>20))
	}
}

// attend watches whether servers end. The returned function stops that, and adds to their facts when they
// ended.
func attend(ready []subject) (stop func(scenario string)) {
	started, over := time.Now(), make(chan struct{})
	deaths := make([]time.Duration, len(ready))
	var watchers sync.WaitGroup
	for i, s := range ready {
		if s.Process == nil {
			continue
		}
		watchers.Go(func() {
			select {
			case <-s.Done():
				deaths[i] = time.Since(started)
			case <-over:
			}
		})
	}
	return func(scenario string) {
		close(over)
		watchers.Wait()
		for i, after := range deaths {
			if after > 0 {
				ready[i].facts.Error = fmt.Sprintf("died %.1f s into %s: %v", after.Seconds(), scenario, ready[i].Gone())
			}
		}
	}
}
