package where

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// FromRaw reads the samples of the rounds in dir, a file for each server. notes are by server what its samples cannot show.
func FromRaw(dir string, notes map[string]string) (files []File, err error) {
	var run raw.Run
	if err := raw.ReadJSON(filepath.Join(dir, raw.RunFile), &run); err != nil {
		return nil, fmt.Errorf("where: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("where: %w", err)
	}
	by := map[string]*File{}
	for _, entry := range entries {
		round, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue // another file
		}
		for _, scenario := range run.Scenarios {
			at := raw.Dir(dir, round, scenario.Name, "")
			summary, err := raw.ReadSummary(filepath.Join(at, raw.SummaryFile))
			if err != nil {
				continue // nothing was loaded, or it was interrupted
			}
			var profiles raw.Profiles
			if err := raw.ReadJSON(filepath.Join(at, raw.ProfileFile), &profiles); err != nil {
				return nil, fmt.Errorf("where: %w", err)
			}
			add(by, run, scenario, summary, profiles)
		}
	}
	for server, f := range by {
		f.Note = notes[server]
		if err := f.Check(); err != nil {
			return nil, fmt.Errorf("where: %s: %w", server, err)
		}
		files = append(files, *f)
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Server, b.Server) })
	return files, nil
}

// add adds a round of each server that was sampled, in a comparison on both sides.
func add(by map[string]*File, run raw.Run, scenario raw.Scenario, summary raw.Summary, profiles raw.Profiles) {
	for target, head := range profiles {
		server, side, _ := strings.Cut(target, "@")
		base, both := profiles[raw.Target(server, "base")]
		if side == "base" || side == "head" && !both {
			continue
		}
		f := by[server]
		if f == nil {
			f = &File{Schema: Schema, Workload: run.Workload, Server: server, Scenario: strings.Join(scenario.Levels, ", "), Unit: workload.Named(run.Workload).Unit}
			by[server] = f
		}
		round := Round{Head: of(summary, target, head)}
		if both {
			round.Base = of(summary, raw.Target(server, "base"), base)
		}
		f.Rounds = append(f.Rounds, round)
	}
}

// of is the samples of a target with its requests. The warm-up was sampled, too.
func of(summary raw.Summary, target string, p raw.Profile) Profile {
	out := Profile{PeriodUS: p.PeriodUS, Stacks: p.Stacks}
	for _, l := range summary.Loads {
		if l.Target == target {
			out.Requests += l.Requests + l.Failed
		}
	}
	return out
}
