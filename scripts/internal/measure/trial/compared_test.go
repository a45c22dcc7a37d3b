package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/judge/verdict/comparetest"
	"fairstream/scripts/internal/judge/where"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// A fakeLoader makes records where k6 would load. Head of a server is worse when its copy has a patch.
type fakeLoader struct {
	t       *testing.T
	code    string
	broken  error
	fails   int // number of the load that ends with an error
	loads   []string
	patched bool
}

func (f *fakeLoader) Checkout(_ context.Context, servers []workload.Server, sides []session.Side) (targets []load.Target, release func() error, err error) {
	for _, s := range sides {
		dir := filepath.Join(f.code, s.Name, servers[0].Name)
		server, err := Renew(filepath.Join("../../../..", servers[0].Dir()), dir)
		if err != nil {
			return nil, nil, err
		}
		targets = append(targets, load.Target{Server: server, Side: s.Name})
	}
	return targets, func() error { return nil }, nil
}

func (f *fakeLoader) Prepare(_ context.Context, targets []load.Target, built func([]load.Target)) error {
	built(targets)
	for _, t := range targets {
		if now, err := server.Load(t.Server.Dir); err != nil || !reflect.DeepEqual(now, t.Server) {
			f.t.Errorf("%s, %s: build %q; want that of its server.json, %q, %v", t.Server.ID(), t.Side, t.Server.Build, now.Build, err)
		}
	}
	f.patched = !same(f.t, targets[0].Server.Dir, targets[1].Server.Dir)
	targets[1].Broken = f.broken
	return nil
}

func (f *fakeLoader) Load(_ context.Context, targets []load.Target, job compare.Job) (records []record.Record, runErr, err error) {
	s := targets[0].Server.ID()
	f.loads = append(f.loads, s.String())
	if len(f.loads) == f.fails {
		return nil, errors.New("k6 was killed"), nil
	}
	factors := map[string]float64{}
	if f.patched {
		for _, c := range workload.Named(s.Workload).Criteria {
			if c.Decides == "CPU" {
				for _, scenario := range c.Records() {
					factors[scenario+" "+c.Metric] = 1.08
				}
			}
		}
	}
	for round := 1; round <= job.Rounds; round++ {
		records = append(records, comparetest.Requests(workload.Named(s.Workload), s.Name, job.Seed, round, job.Rounds, factors)...)
		if job.Enough(round, records).Done {
			break
		}
	}
	if err := os.MkdirAll(job.Dir, 0o755); err != nil {
		return nil, nil, err
	}
	err = raw.WriteFile(filepath.Join(job.Dir, session.RecordsFile), func(w io.Writer) error { return record.Write(w, records) })
	return records, nil, err
}

func (f *fakeLoader) Steps(context.Context, string, string, workload.Server) ([]string, error) {
	return nil, errors.New("not asked for")
}
func (f *fakeLoader) Verify(context.Context, []load.Target) error { return nil }
func (f *fakeLoader) KeepVerdicts(string, []verdict.Answer) error { return nil }

// A series runs each patch and each server alone, in a random order, and goes on where it was interrupted.
func TestASeriesOfPatchesGoesOn(t *testing.T) {
	patches, err := ReadPatches(patchDir)
	if err != nil {
		t.Fatal(err)
	}
	servers := map[string]bool{}
	for _, p := range patches {
		servers[p.Server] = true
	}
	f := &fakeLoader{t: t, code: t.TempDir(), fails: 4}
	s := Series{Plan: prove.Plan{Seed: 1, Same: len(servers), Each: 1}, PatchDir: patchDir, Dir: t.TempDir(), loader: f}
	first, err := s.Run(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), "k6 was killed") || len(first) != 3 {
		t.Fatalf("%d trials, %v; want 3, and the end of k6", len(first), err)
	}
	read, err := s.Read()
	if err != nil || len(read) != len(first) {
		t.Fatalf("%d trials in the file, %v; want %d", len(read), err, len(first))
	}
	all, err := s.Run(t.Context(), read)
	if want := len(patches) + len(servers); err != nil || len(all) != want || len(f.loads) != want+1 {
		t.Fatalf("%d trials of %d loads, %v; want %d and a load more", len(all), len(f.loads), err, want)
	}
	if again, err := s.Run(t.Context(), all); err != nil || len(again) != len(all) || len(f.loads) != len(all)+1 {
		t.Errorf("%d trials of %d loads, %v; want no more", len(again), len(f.loads), err)
	}
	if slices.IsSortedFunc(all, func(a, b prove.Trial) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("the order is that of names")
	}
	for _, trial := range all {
		kept, err := os.ReadFile(filepath.Join(s.Dir, trial.ID, session.RecordsFile))
		if err != nil || len(kept) == 0 {
			t.Errorf("%s: records: %v", trial.ID, err)
		}
	}
	rows := map[string][][]string{}
	for _, table := range prove.Tables(all) {
		rows[table.Title] = table.Rows
	}
	found := map[string]string{}
	for _, row := range rows["Regressions that patches inject"] {
		found[row[0]] = row[6]
	}
	for _, p := range patches {
		cpu := strings.Contains(p.Cell, "cpu") // all that the fake makes worse
		if got := found[p.Name]; cpu != (got == string(verdict.Regressed)) {
			t.Errorf("%s: its cell is %q", p.Name, got)
		}
	}
	if row := rows["False alarms"][0]; row[1] != fmt.Sprint(len(servers)) || row[2] != "0" {
		t.Errorf("without a change: %v; want %d comparisons without a false alarm", row, len(servers))
	}
}

// A patch that breaks its server says nothing of verdicts.
func TestAPatchThatBreaksItsServerIsAnError(t *testing.T) {
	s := Series{Plan: prove.Plan{Each: 1}, PatchDir: patchDir, Dir: t.TempDir(), loader: &fakeLoader{t: t, code: t.TempDir(), broken: errors.New("fails W2")}}
	if trials, err := s.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "fails W2") || len(trials) != 0 {
		t.Errorf("%d trials, %v", len(trials), err)
	}
	if trials, err := s.Read(); err != nil || len(trials) != 0 {
		t.Errorf("%d trials in the file, %v", len(trials), err)
	}
}

// Functions names none.
func (f *fakeLoader) Functions(context.Context, []load.Target, string, raw.LoadChange) ([]where.Found, error) {
	return nil, nil
}
