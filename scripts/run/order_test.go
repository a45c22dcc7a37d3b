package run

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/manifest"
)

// The sides of a server follow each other, each first in every second round,
// and every target has a turn.
func TestSidesTakeTurns(t *testing.T) {
	var targets []Target
	for _, name := range []string{"a", "b", "c"} {
		for _, side := range []string{"base", "head"} {
			targets = append(targets, Target{Server: manifest.Server{Name: name}, Side: side})
		}
	}
	random := rand.New(rand.NewPCG(1, 0))
	orders := map[string]bool{}
	for round := 1; round <= 20; round++ {
		var servers []string
		position := 0
		for _, turn := range order(targets, round, random) {
			servers = append(servers, turn[0].Server.Name)
			want := []string{"base", "head"}
			if round%2 == 0 {
				slices.Reverse(want)
			}
			var sides []string
			for _, p := range turn {
				position++
				if p.position != position || p.Server.Name != turn[0].Server.Name {
					t.Errorf("round %d: %s at %d, want position %d of %s", round, p.Name(), p.position, position, turn[0].Server.Name)
				}
				sides = append(sides, p.Side)
			}
			if !slices.Equal(sides, want) {
				t.Errorf("round %d: %s: sides %v, want %v", round, turn[0].Server.Name, sides, want)
			}
		}
		orders[strings.Join(servers, "")] = true
		slices.Sort(servers)
		if fmt.Sprint(servers) != "[a b c]" {
			t.Errorf("round %d: servers %v", round, servers)
		}
	}
	if len(orders) < 3 {
		t.Errorf("%d orders of servers in 20 rounds, want several: %v", len(orders), orders)
	}
}
