package common

import (
	"testing"
	"time"
)

// A gap begins with Said and ends with Asked. The slowest tool between them does not count.
func TestGapsLeaveOutTheSlowestTool(t *testing.T) {
	var g Gaps
	g.Said("a")
	g.Said("b")
	g.Called("a", time.Second)
	g.Called("a", 3*time.Second)
	g.Called("nobody", time.Hour)
	at := g.open["a"].since.Add(3*time.Second + 7*time.Millisecond)
	g.Asked("a", "server", at)
	g.Asked("a", "server", at) // the run has no gap any more
	g.Asked("nobody", "server", at)
	g.Asked("b", "other", g.open["b"].since.Add(2*time.Millisecond))
	all := g.snapshot()
	if len(all) != 2 || all["server"].Count != 1 || all["server"].SumUS != 7000 || all["other"].SumUS != 2000 {
		t.Errorf("%+v", all)
	}
	if len(g.open) != 0 {
		t.Errorf("%d gaps are kept", len(g.open))
	}
}
