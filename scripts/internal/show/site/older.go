package site

import (
	"bytes"
	"fmt"
	"io/fs"

	"fairstream/scripts/internal/judge/archive"
)

// wholeBlocks is of how many full blocks of commits, and of those after them, the site
// has rank and details. GitHub Pages takes 1 GB of a site; those of ten thousand runs
// of twenty servers would be more, and are seldom asked for. The branch has all.
var wholeBlocks = 8

// A copied is what the site has of a run besides its legs.
type copied struct {
	rank, details bool
	older         bool // the site has neither; rank and details say what the branch has
	broken        []Broken
}

// copyRanks writes rank and details of runs: of the newest commits, by blocks, so that
// one more run changes no older list; of those in which a server changed, which flags
// lead to; of the leaderboard's; and of those that have nothing else.
func copyRanks(fsys fs.FS, places []*place, flags []Flag, ranked ranks, out Out) (map[*run]copied, error) {
	first := max(0, len(places)/Block-wholeBlocks) * Block
	sought := map[string]bool{}
	for _, f := range flags {
		sought[f.Path] = true
	}
	if newest := ranked.newest(); newest != nil {
		sought[newest.Run] = true
	}
	copies := map[*run]copied{}
	older := map[*run]bool{}
	var all []*run
	for i, p := range places {
		for _, r := range p.runs {
			switch {
			case ranked.unread[r]:
			case r.local != nil:
				copies[r] = copied{rank: true, details: r.local.details}
			case r.rank:
				older[r] = i < first && r.legs && !sought[r.path]
				all = append(all, r)
			}
		}
	}
	done, err := parallel(len(all), func(i int) (copied, error) {
		return copyRank(fsys, all[i], older[all[i]], out)
	})
	for i, r := range all {
		copies[r] = done[i]
	}
	return copies, err
}

// copyRank of an older run only sees whether there are details.
func copyRank(fsys fs.FS, r *run, older bool, out Out) (c copied, err error) {
	if older {
		_, err := fs.Stat(fsys, archive.DetailsPath(r.file("")))
		return copied{rank: true, details: err == nil, older: true}, nil
	}
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
