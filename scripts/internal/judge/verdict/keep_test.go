package verdict

import (
	"fmt"
	"testing"
)

func TestTheNoiseHistoryIsBoundedAndHasNoRunTwice(t *testing.T) {
	line := func(server string, run int) NoiseHistory {
		return NoiseHistory{Epoch: "e", Server: server, Run: fmt.Sprint(run), Cells: map[string]Variance{}}
	}
	var noiseHistory []NoiseHistory
	for run := range 250 {
		noiseHistory = Keep(noiseHistory, line("a", run), line("b", run/100))
	}
	count, first := map[string]int{}, map[string]string{}
	for _, l := range noiseHistory {
		if count[l.Server]++; first[l.Server] == "" {
			first[l.Server] = l.Run
		}
	}
	if count["a"] != mostNoiseHistory || first["a"] != "50" || count["b"] != 3 || first["b"] != "0" {
		t.Errorf("%v lines, from %v; want 200 of a from 50, 3 of b from 0", count, first)
	}
	noiseHistory = nil
	for epoch := range 30 {
		for run := range mostNoiseHistory {
			l := line("a", run)
			l.Epoch = fmt.Sprint(epoch)
			noiseHistory = append(noiseHistory, l)
		}
	}
	if noiseHistory = Keep(noiseHistory); len(noiseHistory) != mostLines || noiseHistory[0].Epoch != "10" {
		t.Errorf("%d lines, the first of epoch %s; want %d, the newest", len(noiseHistory), noiseHistory[0].Epoch, mostLines)
	}
}
