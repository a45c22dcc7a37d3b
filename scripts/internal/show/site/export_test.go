package site

import "testing"

// SetWholeBlocks is for histories that are shorter than those that need it.
func SetWholeBlocks(t *testing.T, n int) {
	before := wholeBlocks
	wholeBlocks = n
	t.Cleanup(func() { wholeBlocks = before })
}
