package site

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/show/svg"
)

// writeLatest writes the newest results for other programs, under names that never change: latest.json, latest.csv,
// picture.svg and badge.json.
func (p *part) writeLatest(out Out) error {
	if err := p.writeBadge(out); err != nil || len(p.results) == 0 {
		return err
	}
	r := p.results[0]
	latest := latestOf(r)
	data, err := json.Marshal(latest)
	if err != nil {
		return err
	}
	if err := out(p.dir+"latest.json", data); err != nil {
		return err
	}
	table, err := latest.csv()
	if err != nil {
		return err
	}
	if err := out(p.dir+"latest.csv", table); err != nil {
		return err
	}
	if len(report.Cards(r.records)) == 0 {
		return nil
	}
	picture, err := report.Picture(r.records)
	if err != nil {
		return err
	}
	return out(p.dir+"picture.svg", []byte(picture.Alone(svg.Auto)))
}

// writeBadge writes the state of main in the form of https://shields.io/badges/endpoint-badge, or the answer of a run.
func (p *part) writeBadge(out Out) error {
	message, colour := "no data", "lightgrey"
	switch {
	case p.hasMain():
		open := 0
		if message, open = p.open(); open == 0 {
			colour = "brightgreen"
		} else {
			colour = "red"
		}
	case len(p.results) > 0:
		message, colour = title(p.results[0].records), "blue"
	}
	data, err := json.Marshal(map[string]any{"schemaVersion": 1, "label": "fairstream " + p.workload.Name, "message": message, "color": colour})
	if err != nil {
		return err
	}
	return out(p.dir+"badge.json", data)
}

// latestOf is a run for other programs.
func latestOf(r result) Latest {
	records, left := rank.Calm(r.records)
	l := Latest{
		Schema: Schema, Run: r.path, Time: r.begin, Rounds: answer.Rounds(records), Discarded: len(left), Quick: r.quick,
		Workload: r.workload, Machine: answer.Machine(records[0]), Answers: []string{}, Figures: []LatestFigure{}, Rankings: []Ranking{},
	}
	if r.commit != "" && r.local == nil {
		l.Commit = &r.commit
	}
	for _, scenario := range record.Scenarios(records) {
		of := byTarget(record.OfScenario(records, scenario))
		referencesLast := func(a, b string) int {
			return cmp.Or(noBeforeYes(!of[a][0].OfServer(), !of[b][0].OfServer()), strings.Compare(a, b))
		}
		for _, target := range sortedKeys(of, referencesLast) {
			its := of[target]
			_, _, lumps := rank.SendsLumps(its, of[raw.Direct])
			for _, m := range record.Table(r.workload) {
				if c := figureForm(rank.NewFigure(its, m.Name)); c != nil && !(lumps && strings.HasPrefix(m.Name, "itl_")) { // ITL is unknown where tokens come in lumps
					l.Figures = append(l.Figures, LatestFigure{scenario, target, m.Name, m.Unit, c[0], c[1], c[2]})
				}
			}
		}
	}
	if r.quick {
		return l
	}
	for _, place := range answer.Places(records) {
		l.Answers = append(l.Answers, place.Sentence())
		if place.Ranking.HasRanks() {
			l.Rankings = append(l.Rankings, rankingForm(place.Ranking))
		}
	}
	return l
}

func byTarget(records []record.Record) map[string][]record.Record {
	all := map[string][]record.Record{}
	for _, r := range records {
		all[r.Target()] = append(all[r.Target()], r)
	}
	return all
}

func rankingForm(r rank.Ranking) Ranking {
	k := Ranking{Scenario: r.Scenario, Metric: r.Column.Metric, ApartPct: short(r.ApartPct), Ranked: []Ranked{}}
	for _, s := range r.Ranked {
		one := Ranked{s.Target, s.Best, s.Worst, record.LimitDigits(s.Ratio, 5), short(s.Low), short(s.High)}
		if k.ApartPct == nil {
			one.Best, one.Worst = 0, 0
		}
		k.Ranked = append(k.Ranked, one)
	}
	return k
}

// csv is a line for each figure.
func (l Latest) csv() ([]byte, error) {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	rows := [][]string{{"scenario", "target", "metric", "unit", "mean", "low", "high"}}
	spelt := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for _, f := range l.Figures {
		rows = append(rows, []string{f.Scenario, f.Target, f.Metric, f.Unit, spelt(f.Mean), spelt(f.Low), spelt(f.High)})
	}
	err := w.WriteAll(rows)
	return text.Bytes(), err
}
