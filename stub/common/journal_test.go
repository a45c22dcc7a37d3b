package common

import (
	"fmt"
	"testing"
)

func TestJournalForgetsTheOldestID(t *testing.T) {
	j := &NewServer().Journal
	id := func(i int) string { return fmt.Sprint("id-", i) }
	first := j.add(id(0), Entry{})
	for i := 1; i <= maxIDs+1; i++ {
		j.add(id(i), Entry{Connection: int64(i)})
		j.add(id(i), Entry{Connection: int64(i)})
	}
	if len(j.entries) != maxIDs || len(j.order) != maxIDs {
		t.Errorf("%d ids, %d in order, want %d", len(j.entries), len(j.order), maxIDs)
	}
	for i, want := range map[int]int{0: 0, 1: 0, 2: 2, maxIDs + 1: 2} {
		if got := j.Find(id(i), false); len(got) != want {
			t.Errorf("%d entries of id %d, want %d", len(got), i, want)
		}
	}
	j.update(first, func(e *Entry) { e.Events++ }) // its stream may still be running
	if first.Events != 1 {
		t.Error("an entry that was forgotten is not updated")
	}
}

func TestJournalForgetsTheOldestEntryOfAnID(t *testing.T) {
	j := &NewServer().Journal
	for i := range maxEntriesID + 3 {
		j.add("a", Entry{Connection: int64(i)})
	}
	got := j.Find("a", false)
	if len(got) != maxEntriesID || got[0].Connection != 3 || got[maxEntriesID-1].Connection != maxEntriesID+2 {
		t.Errorf("%d entries from %+v on, want %d from connection 3 on", len(got), got[0], maxEntriesID)
	}
}
