package site

import (
	"bytes"
	"fmt"
	"io/fs"

	"fairstream/scripts/internal/judge/archive"
)

// A copied is what the site has of a run besides its trend runs.
type copied struct {
	leaderboard, details bool
	broken               []Broken
}

// copyLeaderboards writes rank and details of runs.
func copyLeaderboards(fsys fs.FS, places []*place, ranked ranks, out Out) (map[*run]copied, error) {
	copies := map[*run]copied{}
	var all []*run
	for _, p := range places {
		for _, r := range p.runs {
			switch {
			case ranked.unread[r]:
			case r.local != nil:
				copies[r] = copied{leaderboard: true, details: r.local.details}
			case r.leaderboard:
				all = append(all, r)
			}
		}
	}
	done, err := parallel(len(all), func(i int) (copied, error) { return copyLeaderboard(fsys, all[i], out) })
	for i, r := range all {
		copies[r] = done[i]
	}
	return copies, err
}

func copyLeaderboard(fsys fs.FS, r *run, out Out) (c copied, err error) {
	text, err := read(fsys, r.file(".leaderboard"))
	if err != nil {
		return c, fmt.Errorf("site: %s: it was read before, and now: %w", r.file(".leaderboard"), err)
	}
	trendRuns, err := archive.Read(bytes.NewReader(text))
	if err != nil {
		return copied{broken: []Broken{brokenBy(r.file(".leaderboard"), err)}}, nil
	}
	split, err := byWorkload(trendRuns)
	if err != nil {
		return c, err
	}
	if text, err = spelled(split[r.workload]); err != nil {
		return c, err
	}
	if err := out("runs/"+r.path+".leaderboard.jsonl.gz", zipped(text)); err != nil {
		return c, err
	}
	c.leaderboard = true
	c.details, c.broken, err = r.copyDetails(fsys, out)
	return c, err
}
