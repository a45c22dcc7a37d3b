package site

import (
	"bytes"
	"fmt"
	"io/fs"

	"fairstream/scripts/internal/judge/archive"
)

// A copied is what the site has of a run besides its legs.
type copied struct {
	rank, details bool
	broken        []Broken
}

// copyRanks writes rank and details of runs.
func copyRanks(fsys fs.FS, places []*place, ranked ranks, out Out) (map[*run]copied, error) {
	copies := map[*run]copied{}
	var all []*run
	for _, p := range places {
		for _, r := range p.runs {
			switch {
			case ranked.unread[r]:
			case r.local != nil:
				copies[r] = copied{rank: true, details: r.local.details}
			case r.rank:
				all = append(all, r)
			}
		}
	}
	done, err := parallel(len(all), func(i int) (copied, error) { return copyRank(fsys, all[i], out) })
	for i, r := range all {
		copies[r] = done[i]
	}
	return copies, err
}

func copyRank(fsys fs.FS, r *run, out Out) (c copied, err error) {
	text, err := read(fsys, r.file(".rank"))
	if err != nil {
		return c, fmt.Errorf("publish: %s: it was read before, and now: %w", r.file(".rank"), err)
	}
	legs, err := archive.Read(bytes.NewReader(text))
	if err != nil {
		return copied{broken: []Broken{brokenBy(r.file(".rank"), err)}}, nil
	}
	if text, err = spelled(legs); err != nil {
		return c, err
	}
	if err := out("runs/"+r.path+".rank.jsonl.gz", zipped(text)); err != nil {
		return c, err
	}
	c.rank = true
	c.details, c.broken, err = r.copyDetails(fsys, out)
	return c, err
}
