package answer

import (
	"testing"

	"fairstream/scripts/internal/judge/rank"
)

// The title of a run says each name once.
func TestOneSentenceWithAllAnswers(t *testing.T) {
	place := func(question, winners string, tied int) Place {
		return Place{Question: question, Winners: winners, Sure: "Sure.", Ranking: rank.Ranking{Ranked: make([]rank.Ranked, tied)}}
	}
	unranked := Place{Question: "smallest", Winners: "c"}
	for want, places := range map[string][]Place{
		"":              {unranked},
		"a is fastest.": {place("fastest", "a", 1), unranked},
		"a is cheapest, b fastest, c or d is smallest.":                            {place("cheapest", "a", 1), place("fastest", "b", 1), place("smallest", "c or d", 2)},
		"a is cheapest and smallest, b fastest.":                                   {place("cheapest", "a", 1), place("fastest", "b", 1), place("smallest", "a", 1)},
		"a or b is cheapest, fastest and smallest.":                                {place("cheapest", "a or b", 2), place("fastest", "a or b", 2), place("smallest", "a or b", 2)},
		"Three servers tie as cheapest, three servers tie as fastest, a smallest.": {place("cheapest", "a tie of 3", 3), place("fastest", "a tie of 3", 3), place("smallest", "a", 1)},
	} {
		for _, p := range places {
			for i := range p.Ranking.Ranked {
				p.Ranking.Ranked[i].Best = 1
			}
		}
		if got := Answers(places); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}
