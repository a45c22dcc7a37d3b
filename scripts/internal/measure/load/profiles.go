package load

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/profile"
)

// recordings are those of perf, by target.
type recordings map[string]*profile.Recording

func (all recordings) stop() {
	for _, r := range all {
		r.Stop()
	}
}

// startProfiles samples each server, if the options say so.
func (l k6Run) startProfiles(dir string, ready []subject) (recordings, error) {
	all := recordings{}
	if !l.Profile {
		return all, nil
	}
	for _, s := range ready {
		if s.Process == nil {
			continue // direct
		}
		r, err := profile.Start(s.facts.PIDs, l.target(s.facts.Name).Kind(), dir, s.facts.Name)
		if err != nil {
			return all, err
		}
		all[s.facts.Name] = r
	}
	return all, nil
}

// endProfiles writes the counts of all stacks.
func (l k6Run) endProfiles(ctx context.Context, dir string, all recordings) error {
	if !l.Profile {
		return nil
	}
	profiles := raw.Profiles{}
	for name, r := range all {
		stacks, period, err := r.End(ctx, l.target(name).Server.Dir)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		profiles[name] = raw.Profile{PeriodUS: period, Stacks: stacks}
	}
	return raw.WriteJSON(filepath.Join(dir, raw.ProfileFile), profiles)
}

// Kind says how perf samples the target.
func (t Target) Kind() profile.Kind {
	return profile.KindOf(t.Server.Language, t.Versions[t.Server.Language])
}

// target is the one of a name.
func (l k6Run) target(name string) Target {
	return l.targets[slices.IndexFunc(l.targets, func(t Target) bool { return t.Name() == name })]
}
