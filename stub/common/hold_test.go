package common

import "testing"

func TestWaitTellsLeavingFromARelease(t *testing.T) {
	h, gone := &Holds{}, make(chan struct{})
	h.release("a", 1)
	if !h.wait("a", gone) {
		t.Error("a release counts as the client's leaving")
	}
	close(gone)
	if h.wait("a", gone) {
		t.Error("the client's leaving counts as a release")
	}
}
