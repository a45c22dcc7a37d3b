package run

import (
	"math/rand/v2"
	"slices"
)

// A placed target has its position within a round, from 1.
type placed struct {
	Target
	position int
}

// order is who takes turns with whom in a round: servers in random order, the
// sides of one server together.
func order(targets []Target, round int, random *rand.Rand) (turns [][]placed) {
	var servers [][]Target
	for _, t := range targets {
		i := slices.IndexFunc(servers, func(s []Target) bool { return s[0].Server.Name == t.Server.Name })
		if i < 0 {
			servers = append(servers, []Target{t})
			continue
		}
		servers[i] = append(servers[i], t)
	}
	position := 0
	for _, i := range random.Perm(len(servers)) {
		sides := slices.Clone(servers[i])
		if round%2 == 0 {
			slices.Reverse(sides)
		}
		var turn []placed
		for _, t := range sides {
			position++
			turn = append(turn, placed{t, position})
		}
		turns = append(turns, turn)
	}
	return turns
}
