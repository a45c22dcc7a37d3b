package site

import (
	"slices"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/noise"
)

// Now is how the newest figures stand to those from before a flag.
type Now struct {
	Change float64 `json:"change"` // a share of what was
	Inside bool    `json:"inside"` // of what runs of the same code differ by
}

// now is of the flag's main cell: the median of the newest points over that of those
// just before the flag. nil where nothing newer was measured, where the machine or the
// ruler is another now, and of what has no share.
func (b *builder) now(f Flag) *Now {
	i := max(0, slices.IndexFunc(f.Cells, func(c archive.FlagCell) bool { return string(c.Verdict) == f.Verdict }))
	if f.At == nil || i >= len(f.Cells) {
		return nil
	}
	c := f.Cells[i]
	metric, newest := trendedAt(c.Metric), b.latest(len(b.places))
	if metric < 0 || absolute(trended[metric]) || newest < 0 || b.epochOf[*f.At] != b.epochOf[newest] {
		return nil
	}
	var before, after, all []float64
	for place, of := range b.cells[c.Scenario][f.Server] {
		mid, _, _ := of.at(metric)
		if !known(mid) || mid <= 0 || of.doubted || b.epochOf[place] != b.epochOf[*f.At] {
			continue
		}
		all = append(all, float64(mid))
		switch {
		case place < *f.At:
			before = append(before, float64(mid))
		case place > *f.At:
			after = append(after, float64(mid))
		}
	}
	if len(before) == 0 || len(after) == 0 {
		return nil
	}
	change, inside := noise.Since(before, after, all)
	return &Now{change, inside}
}
