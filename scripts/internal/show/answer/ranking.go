package answer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
)

// A Place is the answer to one question about the servers of a run: which is cheapest, fastest or smallest.
type Place struct {
	Question string // "cheapest"
	Figure   string // what decides, and where: "CPU us/stream in steady"
	Winners  string // "rust-http", "bun-http or bun-hono", "a tie of 5"
	Sure     string // "Sure.", "They tie.", "They are a, b and c."; "" without ranks
	Next     string // the first server that is certainly behind, or why there is none
	Ranking  rank.Ranking
}

// questions are those of the rankings of a run, in their order.
var questions = []struct {
	of             func([]record.Record) rank.Ranking
	question       string
	before, figure string
}{
	{rank.Cost, "cheapest", "takes", "as much CPU"},
	{rank.Throughput, "fastest", "serves", "as many"},
	{rank.Memory, "smallest", "holds", "as much memory"},
}

// mostNamed is how many servers of a tie are named.
const mostNamed = 4

// Places answers the questions that the records of a run can answer.
func Places(records []record.Record) (all []Place) {
	for _, q := range questions {
		r := q.of(records)
		if !r.HasRanks() && r.Why == "" {
			continue
		}
		p := Place{Question: q.question, Ranking: r, Figure: figureName(r)}
		tied := tiedWithFirst(r)
		switch {
		case !r.HasRanks():
			p.Winners, p.Next = "unknown", "Nothing is ranked: "+r.Why+"."
		case records[0].Run.Quick:
			p.Winners, p.Next = "unknown", "Nothing is ranked: the load of a quick run is too short."
		case r.Rounds < rank.LeastRounds:
			p.Winners, p.Next = r.Ranked[0].Target, "It has the best figure. Fewer than three rounds show no ranks."
		case len(tied) == len(r.Ranked):
			p.Winners, p.Sure = fmt.Sprintf("a tie of %d", len(tied)), "All servers are tied."
		default:
			next := r.Ranked[len(tied)]
			for _, s := range r.Ranked {
				if s.Best > 1 {
					next = s
					break
				}
			}
			p.Winners, p.Sure = strings.Join(tied, " or "), "Sure."
			switch n := len(tied); {
			case n == 2:
				p.Sure = "They tie."
			case n <= mostNamed && n > 2:
				p.Winners, p.Sure = fmt.Sprintf("a tie of %d", n), fmt.Sprintf("They are %s and %s.", strings.Join(tied[:n-1], ", "), tied[n-1])
			case n > mostNamed:
				p.Winners, p.Sure = fmt.Sprintf("a tie of %d", n), fmt.Sprintf("That is %d of %d servers.", n, len(r.Ranked))
			}
			p.Next = fmt.Sprintf("The next, %s, %s %s times %s (%s to %s).", next.Target, q.before,
				times(next.Ratio), q.figure, times(next.Low), times(next.High))
		}
		all = append(all, p)
	}
	return all
}

// Sentence is all of an answer in one line.
func (p Place) Sentence() string {
	return strings.Join(strings.Fields(Capital(p.Question)+": "+p.Winners+". "+p.Sure+" "+p.Next), " ")
}

// Answers is one sentence with all answers; "" without ranks. It says a name once: "a is cheapest and fastest, b smallest."
func Answers(places []Place) string {
	type clause struct {
		subject   string // with its verb
		winners   string // "": more than two, which other answers have not in common
		questions []string
	}
	var clauses []clause
	for _, p := range places {
		tied := len(tiedWithFirst(p.Ranking))
		if p.Sure == "" {
			continue
		}
		c := clause{p.Winners + " is", p.Winners, []string{p.Question}}
		switch {
		case tied > 2:
			c.subject, c.winners = small(tied)+" servers tie as", ""
		case tied == 1 && clauses != nil:
			c.subject = p.Winners
		}
		if i := slices.IndexFunc(clauses, func(o clause) bool { return c.winners != "" && o.winners == c.winners }); i >= 0 {
			clauses[i].questions = append(clauses[i].questions, p.Question)
			continue
		}
		clauses = append(clauses, c)
	}
	if clauses == nil {
		return ""
	}
	var texts []string
	for _, c := range clauses {
		last := len(c.questions) - 1
		text := c.questions[last]
		if last > 0 {
			text = strings.Join(c.questions[:last], ", ") + " and " + text
		}
		texts = append(texts, c.subject+" "+text)
	}
	text := strings.Join(texts, ", ") + "."
	if clauses[0].winners == "" {
		return Capital(text)
	}
	return text
}

// tiedWithFirst are the servers that may be the first, with the first.
func tiedWithFirst(r rank.Ranking) (names []string) {
	for _, s := range r.Ranked {
		if s.Best == 1 {
			names = append(names, s.Target)
		}
	}
	return names
}

// figureName is the label of a ranking's figure, and where it was measured.
func figureName(r rank.Ranking) string {
	m, _ := record.FindIn(r.Workload.Name, r.Column.Metric)
	return m.Label + " in " + r.Scenario
}

// small is a small number in words.
func small(n int) string {
	words := []string{"two", "three", "four", "five", "six", "seven", "eight", "nine"}
	if n >= 2 && n-2 < len(words) {
		return words[n-2]
	}
	return fmt.Sprint(n)
}

// times is a ratio as text.
func times(v float64) string { return fmt.Sprintf("%.2f", v) }

// Unranked says which servers have no rank, and why; "" where all have one.
func Unranked(r rank.Ranking) string {
	var names []string
	for _, s := range r.Unranked {
		names = append(names, s.Target)
	}
	if names == nil || !r.HasRanks() {
		return ""
	}
	return fmt.Sprintf("No rank in %s, because %ss failed or rounds are missing: %s.", r.Scenario, r.Workload.Unit, strings.Join(names, ", "))
}

// Tie explains in a few sentences which servers of a ranking are tied, or why there are no ranks.
func Tie(r rank.Ranking) string {
	if r.Rounds < rank.LeastRounds {
		return "Fewer than three rounds: no ranks, since nothing shows how much of the order is chance."
	}
	text := fmt.Sprintf("Tied servers share a range of ranks. In the median pair these are servers less than %.1f %% apart.", r.ApartPct)
	if len(r.Open()) > 0 {
		text += fmt.Sprintf(" Twice as many rounds would make it about %.1f %%.", r.ApartPct/math.Sqrt2)
	}
	if r.StartsPct >= 50 {
		text += fmt.Sprintf(" Starts of servers cause %.0f %% of the noise, so longer rounds would help less.", r.StartsPct)
	}
	return text
}

// TieRule explains Tie in detail.
const TieRule = "Two servers are tied when noise between the rounds explains their difference. The noise of a server is what remains after its mean and those of the rounds. It counts together with the usual noise of all servers. The test is Tukey's, for all pairs of servers at once. " +
	"The risk that any two equal servers get different ranks is 5 %. A round does not count where others disturbed it more than the rest."

// Capital begins a text with a capital letter.
func Capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
