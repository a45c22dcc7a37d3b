package verdict

// Alpha is the false-alarm rate: the chance that any cell of an unchanged server is called changed,
// over all its cells and looks. Failed streams are judged separately, with the same risk again
// (faults.go).
const Alpha = 0.01

// Rounds is how many rounds a comparison has at most, unless some are discarded.
const Rounds = 12

// Looks are the numbers of rounds after which a comparison is judged and may end: from twelve rounds
// on, after each third.
func Looks(rounds int) []int {
	if rounds < Rounds {
		return []int{rounds}
	}
	return []int{rounds / 3, 2 * rounds / 3, rounds}
}

// spent is the share of alpha of each of three looks. The shares add up to 1, so that the looks
// together err no more often than alpha. The first look has the fewest rounds and the least share.
var spent = []float64{0.07, 0.33, 0.60}

// MostDiscarded is how many rounds of a comparison may be repeated.
func MostDiscarded(rounds int) int { return (rounds + 1) / 2 }

// look is the last look that so many rounds have reached, with its alpha; ok is false before the
// first.
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
