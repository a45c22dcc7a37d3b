package site

import (
	"bytes"
	"encoding/json"
	"slices"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
)

// A recordFile has the records of one workload in a file of the branch, and their lines.
type recordFile struct {
	records []record.Record
	lines   []byte
}

// byWorkload reads a file of records and splits it by workload.
func byWorkload(text []byte) (map[string]*recordFile, error) {
	records, err := record.Read(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, errEmpty
	}
	of, i := map[string]*recordFile{}, 0
	for line := range bytes.Lines(text) {
		r := records[i]
		if of[r.Workload] == nil {
			of[r.Workload] = &recordFile{}
		}
		f := of[r.Workload]
		f.records, f.lines = append(f.records, r), append(f.lines, line...)
		i++
	}
	return of, nil
}

// linesOf is a file of these records.
func linesOf(records []record.Record) (recordFile, error) {
	var lines bytes.Buffer
	err := record.Write(&lines, records)
	return recordFile{records, lines.Bytes()}, err
}

// writeRecords writes a file of records for pages, with figures of those that count.
func writeRecords(path string, records []record.Record, counts func(record.Record) bool, out Out) error {
	f, err := linesOf(records)
	if err != nil {
		return err
	}
	text, err := f.forPages(counts)
	if err != nil {
		return err
	}
	return out(path, zipped(text))
}

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

// everyRecord counts all of them.
func everyRecord(record.Record) bool { return true }

// forPages is the file with figures of the records that count before its lines.
func (f recordFile) forPages(counts func(record.Record) bool) ([]byte, error) {
	figures := Figures{Schema: Schema, Metrics: []string{}, Rows: []FigureRow{}}
	if len(f.records) > 0 {
		for _, m := range record.Table(f.records[0].Workload) {
			figures.Metrics = append(figures.Metrics, m.Name)
		}
	}
	for _, scenario := range record.Scenarios(f.records) {
		of := record.OfScenario(f.records, scenario)
		for _, target := range record.Distinct(of, record.Record.Target) {
			its := record.Filter(record.OfTarget(of, target), counts)
			row := FigureRow{Target: target, Scenario: scenario}
			for _, metric := range figures.Metrics {
				over := rank.NewFigure(its, metric)
				if c := figureForm(over); c != nil {
					row.Cells = append(row.Cells, &[4]float64{c[0], c[1], c[2], float64(over.Rounds)})
				} else {
					row.Cells = append(row.Cells, nil)
				}
			}
			figures.Rows = append(figures.Rows, row)
		}
	}
	line, err := json.Marshal(figures)
	return slices.Concat(line, []byte("\n"), f.lines), err
}

// figureForm is a figure's mean, least and greatest; nil: unknown.
func figureForm(f rank.Figure) *[3]float64 {
	if f.Rounds == 0 {
		return nil
	}
	return &[3]float64{record.LimitDigits(f.Mid, 7), record.LimitDigits(f.Low, 7), record.LimitDigits(f.High, 7)}
}
