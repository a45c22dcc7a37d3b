package site_test

import (
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
)

// Of an older run the site has the legs, and its row says where the rest is; what is
// sought of older runs stays: those that flags lead to, and the leaderboard's.
func TestOlderRunsAreOnTheBranch(t *testing.T) {
	site.SetWholeBlocks(t, 0)
	h := simulatedWith(t, simulate.Options{Commits: site.Block + 4, Servers: 2, Seed: 7, Details: true})
	s, m := build(t, h)
	newest := get[site.Runs](t, s, m.Runs)
	rows := append(newest.Runs, get[site.RunBlock](t, s, newest.Files[0]).Runs...)
	var here []int
	for _, r := range rows {
		branch := strings.Replace(r.Run, simulate.SHA(r.Commit)[:10], simulate.SHA(r.Commit), 1)
		rank, details := s["runs/"+r.Run+".rank.jsonl.gz"] != nil, s["details/"+r.Run+".json.gz"] != nil
		if older := r.Branch != ""; s["runs/"+r.Run+".jsonl.gz"] == nil || rank == older && r.Rank || details == older && r.Details || older && r.Branch != branch {
			t.Errorf("%+v: rank %t, details %t", r, rank, details)
		}
		if r.Rank && r.Branch == "" {
			here = append(here, r.Commit)
		}
	}
	n := site.Block + 4
	want := []int{n * 3 / 10, n * 5 / 10, n * 7 / 10, n - 4, n - 3, n - 2, n - 1}
	if slices.Sort(here); !slices.Equal(here, want) {
		t.Errorf("rank of commits %d, want %d: slower, faster, bigger and the newest", here, want)
	}
	// A newest leaderboard in an older block.
	gone := map[string][]byte{}
	for i := site.Block - 6; i < n; i++ {
		gone[strings.Replace(pathOf(t, h, simulate.SHA(i)), ".jsonl", ".rank.jsonl", 1)] = nil
	}
	s, m = build(t, with(h, gone))
	if k := get[site.Rank](t, s, *m.Rank); *k.Commit != site.Block-7 || s["runs/"+k.Run+".rank.jsonl.gz"] == nil {
		t.Errorf("the leaderboard is of commit %d, without its records", *k.Commit)
	}
	// As many blocks are kept as there are: everything is here.
	site.SetWholeBlocks(t, 1)
	s, m = build(t, h)
	for _, r := range get[site.RunBlock](t, s, get[site.Runs](t, s, m.Runs).Files[0]).Runs {
		if r.Branch != "" || r.Details && s["details/"+r.Run+".json.gz"] == nil {
			t.Errorf("%+v", r)
		}
	}
}
