package verdict

// Alpha is the chance that any cell is called changed of a server that did not
// change: over all its cells and all looks. Streams that fail are judged beside
// that, with a risk of as much again (faults.go).
const Alpha = 0.01

// Rounds is how many a comparison has at most, as long as the machine spoils none.
const Rounds = 12

// Looks are the numbers of rounds after which a comparison of so many is judged, and
// may end: from twelve on after each third.
func Looks(rounds int) []int {
	if rounds < Rounds {
		return []int{rounds}
	}
	return []int{rounds / 3, 2 * rounds / 3, rounds}
}

// spent is the share of alpha that each of three looks has. They add up to 1, so
// that the looks together err no more often than alpha: little is spent on the
// first, which has the fewest rounds.
var spent = []float64{0.07, 0.33, 0.60}

// MostDiscarded is how many rounds are repeated of a comparison of so many.
func MostDiscarded(rounds int) int { return (rounds + 1) / 2 }

// look is the last one that so many rounds have reached, with its alpha; ok is
// false before the first.
func look(planned, rounds int) (at int, alpha float64, ok bool) {
	looks := Looks(planned)
	for i, n := range looks {
		if rounds >= n {
			at, alpha, ok = n, Alpha, true
			if len(looks) == len(spent) {
				alpha *= spent[i]
			}
		}
	}
	return at, alpha, ok
}
