package site

import (
	"encoding/json"
	"slices"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
)

// A Figures is the first line of a run's file, before the records: what the rounds say
// together. Pages show these and work none out.
type Figures struct {
	Schema  int         `json:"figures"` // the version of this line
	Metrics []string    `json:"metrics"`
	Rows    []FigureRow `json:"rows"`
}

// A FigureRow is a target in a scenario.
type FigureRow struct {
	Target   string `json:"target"` // with its side in a comparison: go-http@base
	Scenario string `json:"scenario"`
	// For each metric the mean (record.Mean), the least and the greatest of the rounds that count, in
	// the metric's unit, and the number of rounds; null: unknown.
	Cells []*[4]float64 `json:"cells"`
}

// spelled is a run's file, of one workload: its figures, and behind them the trend runs as pages read them.
func spelled(trendRuns []*archive.TrendRun) ([]byte, error) {
	return spelledFiltered(trendRuns, func(record.Record) bool { return true })
}

// spelledFiltered is spelled with the figures of the records that count.
func spelledFiltered(trendRuns []*archive.TrendRun, counts func(record.Record) bool) ([]byte, error) {
	text, err := archive.Spell(trendRuns)
	if err != nil {
		return nil, err
	}
	var records []record.Record
	for _, l := range trendRuns {
		records = append(records, l.Records()...)
	}
	f := Figures{Schema: Schema, Metrics: []string{}, Rows: []FigureRow{}}
	if len(trendRuns) > 0 {
		for _, m := range record.Table(trendRuns[0].Workload) {
			f.Metrics = append(f.Metrics, m.Name)
		}
	}
	for _, scenario := range record.Scenarios(records) {
		of := record.OfScenario(records, scenario)
		for _, target := range record.Distinct(of, record.Record.Target) {
			its := record.Filter(record.OfTarget(of, target), counts)
			row := FigureRow{Target: target, Scenario: scenario}
			for _, metric := range f.Metrics {
				over := rank.NewFigure(its, metric)
				if c := figureForm(over); c != nil {
					row.Cells = append(row.Cells, &[4]float64{c[0], c[1], c[2], float64(over.Rounds)})
				} else {
					row.Cells = append(row.Cells, nil)
				}
			}
			f.Rows = append(f.Rows, row)
		}
	}
	line, err := json.Marshal(f)
	return slices.Concat(line, []byte("\n"), text), err
}
