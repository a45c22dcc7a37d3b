package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/svg"
)

// cardWidth lets three cards stand side by side in a README, and one on a phone.
const cardWidth = 274

// Cards are the answers of a run as pictures, with the figures of all servers. There are none where nothing is ranked.
func Cards(records []record.Record) (cards []svg.Card) {
	hues := map[string]string{}
	for _, r := range records {
		hues[r.Target()] = svg.Hue(r.Server.Language)
	}
	for _, p := range answer.Places(records) {
		if !p.Ranking.HasRanks() {
			continue
		}
		card := svg.Card{Question: answer.Capital(p.Question) + " · " + strings.Replace(p.Figure, "us/", "µs/", 1), Answer: p.Winners, Sentence: p.Sure + " " + p.Next}
		for i, s := range p.Ranking.Ranked {
			dot := svg.Dot{Name: marked(s.Target, s.Warning), Figure: s.Figure.Text(p.Ranking.Column), Hue: hues[s.Target], Low: s.Ratio, Mid: s.Ratio, High: s.Ratio}
			if p.Sure != "" {
				dot.Place, dot.Tied = p.Ranking.Place(s), s.Best == 1
				if i > 0 {
					dot.Low, dot.High = s.Low, s.High
				}
			}
			card.Dots = append(card.Dots, dot)
		}
		for _, s := range p.Ranking.References {
			card.Marks = append(card.Marks, svg.Mark{Name: marked(s.Target, s.Warning), Figure: s.Figure.Text(p.Ranking.Column), Ratio: s.Ratio})
		}
		cards = append(cards, card)
	}
	return cards
}

// DotsMean explains the dots of cards.
func DotsMean(cards []svg.Card) string {
	text := "A dot is a multiple of the first. Its line is the interval that decides ties. A band marks servers that are tied with the first."
	if slices.ContainsFunc(cards, func(c svg.Card) bool { return len(c.Marks) > 0 }) {
		text += " A dashed line is a reference, which has no rank."
	}
	return text
}

// Picture is the answers of a run side by side.
func Picture(records []record.Record) (svg.Picture, error) {
	records, left := rank.Calm(records)
	cards := Cards(records)
	if len(cards) == 0 {
		return svg.Picture{}, InputError{errors.New("report: svg: nothing is ranked; load two servers or more in the same minutes, in one run")}
	}
	r := records[0]
	text := DotsMean(cards) + " "
	if rank.HasWarning(records) {
		text += mark + " has records with a warning. "
	}
	if len(left) > 0 {
		text += fmt.Sprintf("%d disturbed rounds do not count. ", len(left))
	}
	return svg.Cards(cardWidth, text+fmt.Sprintf("Fairstream, run %s, %s.", r.Run.ID, answer.Machine(r)), cards...), nil
}

func writeSVG(w io.Writer, records []record.Record) error {
	p, err := Picture(records)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, p.Alone(svg.Auto))
	return err
}
