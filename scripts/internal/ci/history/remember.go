package history

import (
	"bytes"
	"context"
	"slices"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/verdict"
)

// flags is the new file of a run's flags; nil when there is nothing to add. A
// pair that an earlier attempt of the run has brought is not flagged again, as far
// as that one's file can be read.
func (s *store) flags(ctx context.Context, run Run) (text []byte, broken *Broken, err error) {
	path := archive.FlagsPath(run.Path)
	var known []archive.Flag
	others, err := s.others(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range others {
		text, err := s.read(ctx, file)
		if err != nil {
			return nil, nil, err
		}
		of, err := archive.ReadFlags(bytes.NewReader(text))
		if err != nil {
			broken = &Broken{file, err}
		}
		known = append(known, of...)
	}
	fresh := slices.DeleteFunc(slices.Clone(run.Flags), func(f archive.Flag) bool {
		return slices.ContainsFunc(known, func(k archive.Flag) bool { return k.Server == f.Server && k.Run == f.Run })
	})
	if len(fresh) == 0 {
		return nil, broken, nil
	}
	var lines bytes.Buffer
	if err := archive.WriteFlags(&lines, fresh); err != nil {
		return nil, nil, err
	}
	// Published before: other pairs may have been since, and have changed priors.
	if old, err := s.read(ctx, path); err != nil || old != nil {
		return nil, broken, err
	}
	return lines.Bytes(), broken, nil
}

// past is the past on the branch with lines added; nil when they are there already.
func (s *store) past(ctx context.Context, add []verdict.Past) (text []byte, broken *Broken, err error) {
	old, err := s.read(ctx, archive.PastPath)
	if err != nil {
		return nil, nil, err
	}
	past, err := verdict.ReadPast(bytes.NewReader(old))
	if err != nil {
		return nil, &Broken{archive.PastPath, err}, nil
	}
	var lines bytes.Buffer
	for _, line := range verdict.Keep(past, add...) {
		if err := verdict.WritePast(&lines, line); err != nil {
			return nil, nil, err
		}
	}
	if bytes.Equal(lines.Bytes(), old) {
		return nil, nil, nil
	}
	return lines.Bytes(), nil, nil
}
