package branch

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/revision"
)

// mostEvents limits how many commits' events are read: the newest.
const mostEvents = 300

// Events are the events on a revision about the newest commits of a history, oldest commit first.
// The events of a shortened load measure little and are left out. A file that cannot be read is
// named with say, and left out.
func Events(ctx context.Context, root, ref, commit string, say func(string)) (events []verdict.Event, err error) {
	files, err := filesAt(ctx, root, ref, "events")
	if err != nil {
		return nil, err
	}
	of := map[string][]string{}
	for _, file := range files { // a later attempt of a run has a later name
		if hash, _, ok := strings.Cut(path.Base(file), "-"); ok && record.IsCommit(hash) {
			of[hash] = append(of[hash], file)
		}
	}
	if len(of) == 0 {
		return nil, nil
	}
	commits, err := revision.History(ctx, root, commit)
	if err != nil {
		return nil, err
	}
	commits = slices.DeleteFunc(commits, func(commit string) bool { return of[commit] == nil })
	var newest []string
	for _, commit := range slices.Backward(commits[:min(len(commits), mostEvents)]) {
		newest = append(newest, of[commit]...)
	}
	texts, err := revision.Texts(ctx, root, ref, newest)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	for _, file := range newest {
		some, err := verdict.ReadEvents(bytes.NewReader(texts[file]))
		if err != nil {
			say(fmt.Sprintf("%s on %s: %v; its events are left out", file, ref, err))
			continue
		}
		events = append(events, slices.DeleteFunc(some, func(e verdict.Event) bool { return e.Quick })...)
	}
	return events, nil
}

// events returns the new file of a run's events; nil without news. It leaves out comparisons that an earlier
// attempt of the run published.
func (s *store) events(ctx context.Context, run Run) (text []byte, broken *Broken, err error) {
	path := record.EventsPath(run.Path)
	var known []verdict.Event
	others, err := s.others(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range others {
		text, unread, err := s.readOptional(ctx, file)
		if err != nil {
			return nil, nil, err
		}
		if unread != nil {
			broken = unread
			continue
		}
		of, err := verdict.ReadEvents(bytes.NewReader(text))
		if err != nil {
			broken = &Broken{file, err}
		}
		known = append(known, of...)
	}
	fresh := slices.DeleteFunc(slices.Clone(run.Events), func(f verdict.Event) bool {
		return slices.ContainsFunc(known, func(k verdict.Event) bool { return k.ID() == f.ID() && k.Run == f.Run })
	})
	if len(fresh) == 0 {
		return nil, broken, nil
	}
	var lines bytes.Buffer
	if err := verdict.WriteEvents(&lines, fresh); err != nil {
		return nil, nil, err
	}
	old, unread, err := s.readOptional(ctx, path)
	if broken = cmp.Or(unread, broken); err != nil || unread != nil || old != nil {
		return nil, broken, err
	}
	return lines.Bytes(), broken, nil
}
