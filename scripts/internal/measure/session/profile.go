package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/where"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/profile"
)

// Rounds that perf samples, and how long each loads.
const (
	profileRounds = 4
	profileLoad   = 10 * time.Second
)

// Functions loads prepared targets in some more rounds, in which perf samples them, and writes what it finds to dir. The rounds are
// never judged. A fault of perf is printed, and costs the list and nothing else.
func (s *Session) Functions(ctx context.Context, targets []load.Target, dir string, change raw.LoadChange) (found []where.Found, err error) {
	if err := profile.Able(); err != nil {
		fmt.Fprintf(os.Stderr, "where: %v\n", err)
		return nil, nil
	}
	fmt.Fprintln(os.Stderr, "where: some more rounds, in which perf samples the servers; they are not judged")
	files, err := s.profile(ctx, targets, filepath.Join(dir, filepath.Base(dir)+"-where"), change)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "where: no functions are named: %v\n", err)
		return nil, nil
	}
	for _, f := range files {
		found = append(found, f.Found())
	}
	return found, errors.Join(raw.WriteJSON(filepath.Join(dir, WhereFile), files), raw.WriteJSON(filepath.Join(dir, FunctionsFile), found))
}

func (s *Session) profile(ctx context.Context, targets []load.Target, dir string, change raw.LoadChange) ([]where.File, error) {
	if err := os.RemoveAll(dir); err != nil { // of an earlier attempt
		return nil, err
	}
	bar := cli.NewBar(os.Stderr, 0)
	defer bar.End()
	err := load.Run(ctx, load.Options{
		Root: s.root, Dir: dir, Workload: s.workload, Targets: s.withDirect(targets), Scenarios: []string{record.Ranking}, Only: s.workload.CostIn[:1],
		Asked:     raw.Asked{Rounds: profileRounds, LoadMS: profileLoad.Milliseconds(), LoadChange: change, Seed: s.Seed},
		Placement: s.placement, Machine: s.machine, LoadHost: s.loadHost, Rig: s.rig, Tools: s.tools, Ports: process.FreePort, Left: bar.Left, Step: bar.Step, Profile: true,
	})
	if err != nil {
		return nil, err
	}
	notes := map[string]string{}
	for _, t := range targets {
		notes[t.Server.Name] = t.Kind().Note
	}
	return where.FromRaw(dir, notes)
}
