package site

import (
	"bytes"
	"fmt"
	"io/fs"
	"sync"

	"fairstream/scripts/internal/judge/archive"
)

// wholeBlocks is of how many full blocks of commits, and of those after them, the site
// has rank and details. GitHub Pages takes 1 GB of a site; those of ten thousand runs
// of twenty servers would be more, and are seldom asked for. The branch has all.
var wholeBlocks = 8

// copyRanks writes rank and details of runs: of the newest commits, by blocks, so that
// one more run changes no older list; of those in which a server changed, which flags
// lead to; of the leaderboard's; and of those that have nothing else.
func (b *builder) copyRanks() error {
	first := max(0, len(b.places)/Block-wholeBlocks) * Block
	sought := map[string]bool{}
	for _, f := range b.flags {
		sought[f.Path] = true
	}
	for _, k := range b.ranked[:min(1, len(b.ranked))] { // the newest
		sought[k.Run] = true
	}
	var all []*run
	for i, p := range b.places {
		for _, r := range p.runs {
			if r.local == nil && r.rank {
				r.older = i < first && r.legs && !sought[r.path]
				all = append(all, r)
			}
		}
	}
	var mutex sync.Mutex
	return parallel(len(all), func(i int) error {
		broken, err := all[i].writeRank(b.facts.Files, b.out)
		mutex.Lock()
		defer mutex.Unlock()
		b.broken = append(b.broken, broken...)
		return err
	})
}

// writeRank of an older run only sees whether there are details.
func (r *run) writeRank(fsys fs.FS, out Out) (broken []Broken, err error) {
	if r.older {
		_, err := fs.Stat(fsys, archive.DetailsPath(r.file("")))
		r.details = err == nil
		return nil, nil
	}
	text, err := read(fsys, r.file(".rank"))
	if err != nil {
		return nil, fmt.Errorf("publish: %s: it was read before, and now: %w", r.file(".rank"), err)
	}
	legs, err := archive.Read(bytes.NewReader(text))
	if err != nil {
		r.rank = false
		return []Broken{brokenBy(r.file(".rank"), err)}, nil
	}
	if text, err = spelled(legs); err != nil {
		return nil, err
	}
	if err := out("runs/"+r.path+".rank.jsonl.gz", zipped(text)); err != nil {
		return nil, err
	}
	return r.copyDetails(fsys, out)
}
