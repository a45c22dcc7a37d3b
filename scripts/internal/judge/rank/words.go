package rank

import "fmt"

// None stands in text where no value is possible, such as the rank of a server without one.
const None = "-"

// Place is a server's rank, or its range of ranks, as text.
func (r Ranking) Place(s Ranked) string {
	switch {
	case s.Best == 0:
		return None
	case r.Rounds < LeastRounds:
		return Unknown
	case s.Best == s.Worst:
		return fmt.Sprint(s.Best)
	}
	return fmt.Sprintf("%d-%d", s.Best, s.Worst)
}
