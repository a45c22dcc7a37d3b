package verdict

import (
	"fmt"
	"testing"
)

func TestThePastIsBoundedAndHasNoRunTwice(t *testing.T) {
	line := func(server string, run int) Past {
		return Past{Epoch: "e", Server: server, Run: fmt.Sprint(run), Cells: map[string]Variance{}}
	}
	var past []Past
	for run := range 250 {
		past = Keep(past, line("a", run), line("b", run/100))
	}
	count, first := map[string]int{}, map[string]string{}
	for _, l := range past {
		if count[l.Server]++; first[l.Server] == "" {
			first[l.Server] = l.Run
		}
	}
	if count["a"] != mostPast || first["a"] != "50" || count["b"] != 3 || first["b"] != "0" {
		t.Errorf("%v lines, from %v; want 200 of a from 50, 3 of b from 0", count, first)
	}
	past = nil
	for epoch := range 30 {
		for run := range mostPast {
			l := line("a", run)
			l.Epoch = fmt.Sprint(epoch)
			past = append(past, l)
		}
	}
	if past = Keep(past); len(past) != mostLines || past[0].Epoch != "10" {
		t.Errorf("%d lines, the first of epoch %s; want %d, the newest", len(past), past[0].Epoch, mostLines)
	}
}
