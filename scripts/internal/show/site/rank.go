package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
)

// mostRanks are written. Of eight servers one takes 23 KB, 7 KB of them over the wire.
const mostRanks = 50

// newestLeaderboards are the newest runs of all servers together. Somebody's own come first: they are what was
// asked for; then those that were not shortened.
func newestLeaderboards(h history, renamed map[string]string) (newest []*Leaderboard, err error) {
	type found struct {
		*run
		at int
	}
	var all []found
	for i, p := range h.places {
		for _, r := range p.runs {
			if r.leaderboard {
				all = append(all, found{r, i})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y found) int {
		return cmp.Or(noBeforeYes(x.local == nil, y.local == nil), noBeforeYes(x.quick, y.quick), y.end.Compare(x.end))
	})
	for _, r := range all[:min(len(all), mostRanks)] {
		records, err := r.leaderboardRecords()
		if err != nil {
			return nil, fmt.Errorf("site: %s: it was read before, and now: %w", r.file(".leaderboard"), err)
		}
		records = slices.Clone(records)
		for i := range records {
			records[i].Server.Name = current(records[i].Server.Name, renamed)
		}
		k := leaderboardOf(r.run, h.epochs.find(r.epoch.ID), records)
		k.Commit = &r.at
		newest = append(newest, k)
	}
	return newest, nil
}

// writeLeaderboards writes each, and the list of them; newest is null when there is none.
func writeLeaderboards(all []*Leaderboard, out Out) (newest *string, names string, err error) {
	list := Leaderboards{Schema: Schema, Leaderboards: []LeaderboardName{}}
	for i, k := range all {
		name, err := out.hashed("data/leaderboard", k)
		if err != nil {
			return nil, "", err
		}
		if i == 0 {
			newest = &name
		}
		list.Leaderboards = append(list.Leaderboards, LeaderboardName{k.Run, k.Time, k.Quick, name})
	}
	names, err = out.hashed("data/leaderboards", list)
	return newest, names, err
}

func leaderboardOf(r *run, epoch int, records []record.Record) *Leaderboard {
	w := rank.WorkloadOf(records)
	records, left := rank.Calm(records)
	k := &Leaderboard{
		Schema: Schema, Run: r.path, Time: r.begin, Epoch: epoch, Quick: r.quick, Solo: records[0].Run.Solo,
		Conditions: answer.Conditions(records), Columns: w.Leaderboard, Tables: []Table{}, Rankings: []Ranking{},
	}
	of := map[string]map[string][]record.Record{} // by scenario and target
	for _, one := range records {
		k.Rounds = max(k.Rounds, one.Round)
		if of[one.Scenario] == nil {
			of[one.Scenario] = map[string][]record.Record{}
		}
		of[one.Scenario][one.Server.Name] = append(of[one.Scenario][one.Server.Name], one)
	}
	for _, scenario := range sortedKeys(of, byLoad(w)) {
		t := Table{Scenario: scenario}
		for _, target := range sortedKeys(of[scenario], directLast) {
			t.Rows = append(t.Rows, rankRow(target, of[scenario][target], of[scenario][raw.Direct], k.Columns))
		}
		k.Tables = append(k.Tables, t)
	}
	if k.Quick {
		return k // too short to rank servers
	}
	for _, l := range left {
		k.Conditions = l.String() + ". " + k.Conditions
	}
	for _, p := range answer.Places(records) {
		k.Rankings = append(k.Rankings, rankingForm(p))
	}
	return k
}

// directLast puts what servers are held to below them.
func directLast(a, b string) int {
	return cmp.Or(noBeforeYes(a == raw.Direct, b == raw.Direct), strings.Compare(a, b))
}

// rankRow is the row of a target. ITL is unknown where tokens come in lumps.
func rankRow(target string, records, direct []record.Record, columns []string) Row {
	last := records[len(records)-1].Server
	c := cellOf(records)
	row := Row{
		Target: target, Language: cut(last.Language, 60), Framework: cut(last.Framework, 60), Versions: map[string]string{},
		Status: string(c.status), Why: append([]string{}, c.why...),
	}
	for component, version := range last.Versions {
		row.Versions[cut(component, 60)] = cut(version, 100)
	}
	_, _, lumps := rank.SendsLumps(records, direct)
	for _, metric := range columns {
		f := rank.NewFigure(records, metric)
		if lumps && strings.HasPrefix(metric, "itl_") {
			f = rank.Figure{}
		}
		row.Cells = append(row.Cells, figureForm(f))
	}
	return row
}

// figureForm is a figure's mean, least and greatest; nil: unknown.
func figureForm(f rank.Figure) *[3]float64 {
	if f.Rounds == 0 {
		return nil
	}
	return &[3]float64{record.LimitDigits(f.Mid, 7), record.LimitDigits(f.Low, 7), record.LimitDigits(f.High, 7)}
}

func rankingForm(p answer.Place) Ranking {
	r := p.Ranking
	k := Ranking{
		Scenario: r.Scenario, Metric: r.Column.Metric, Rounds: r.Rounds, Why: r.Why, Sentence: p.Sentence(),
		Ranked: []Ranked{}, Unranked: []string{},
	}
	for _, s := range r.Unranked {
		k.Unranked = append(k.Unranked, s.Target)
	}
	if !r.HasRanks() {
		return k // one alone is in no order
	}
	k.ApartPct, k.Tie = short(r.ApartPct), answer.Tie(r)
	for _, s := range r.Ranked {
		one := Ranked{s.Target, s.Best, s.Worst, record.LimitDigits(s.Ratio, 5), short(s.Low), short(s.High)}
		if k.ApartPct == nil {
			one.Best, one.Worst = 0, 0
		}
		k.Ranked = append(k.Ranked, one)
	}
	return k
}
