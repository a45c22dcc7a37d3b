package branch

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

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
