package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/workload"
)

// touched keeps the servers of the workloads that a push touches: a server or the rig changed since figures
// were last published, or a comparison is due. Main has changes that touch none, such as those of the tool.
func (at Place) touched(ctx context.Context, t track, plan *Plan) error {
	var calm []string
	for _, name := range plan.Workloads() {
		if slices.ContainsFunc(plan.Comparisons, func(c Comparison) bool { return c.Workload == name }) {
			continue
		}
		base, err := t.newest(ctx, name)
		if err != nil {
			return err
		}
		changed, err := at.changedSince(ctx, base, plan.Revision, name)
		if err != nil {
			return err
		}
		if !changed {
			calm = append(calm, name)
		}
	}
	for _, name := range calm {
		plan.leaveOut(name)
	}
	if len(plan.Servers) == 0 && len(calm) > 0 {
		plan.Say = strings.Join(calm, ", ") + ": no server and no part of the rig changed since figures of them were published"
	}
	return nil
}

// changedSince reports whether a server of a workload, or its rig, differs at two commits. Without a base
// everything is new.
func (at Place) changedSince(ctx context.Context, base, head, name string) (bool, error) {
	if base == "" {
		return true, nil
	}
	paths, err := revision.Paths(ctx, at.Root, base, head)
	if err != nil {
		return false, err
	}
	rig := false
	for _, file := range paths {
		parts := strings.Split(file, "/")
		switch {
		case parts[0] == "servers" && len(parts) > 3 && parts[1] == name:
			return true, nil
		case parts[0] == "k6" || parts[0] == "stub":
			rig = true
		}
	}
	if !rig {
		return false, nil
	}
	was, err := at.rig(ctx, base, name)
	if err != nil {
		return false, err
	}
	is, err := at.rig(ctx, head, name)
	return was == "" || was != is, err
}

// rig is the hash of the sources that load and answer a workload at a commit. It is "" if they have no hash:
// an older commit may lack the workload. Such a rig counts as changed, since a needless run costs minutes only.
func (at Place) rig(ctx context.Context, commit, name string) (string, error) {
	dir, remove, err := files.MkdirTemp("", "fairstream-rig-")
	if err != nil {
		return "", err
	}
	defer remove() // best effort: a temporary directory
	if err := revision.Export(ctx, at.Root, commit, dir, "k6", "stub"); err != nil {
		return "", err
	}
	hash, err := build.RigHash(ctx, dir, workload.Named(name))
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		at.Note(fmt.Sprintf("%.10s: %v; the rig counts as changed", commit, err))
		return "", nil
	}
	return hash, nil
}
