package site_test

import (
	"testing"

	"fairstream/scripts/internal/show/site"
)

func TestMany(t *testing.T) {
	for n, want := range map[int]string{0: "0 commits", 1: "1 commit", 2: "2 commits"} {
		if seen := site.Many(n, "commit"); seen != want {
			t.Errorf("%d: %q, want %q", n, seen, want)
		}
	}
}
