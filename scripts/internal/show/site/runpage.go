package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"time"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/workload"
)

// reportPage is, among the built pages, that of one run alone; dataMark is where its data
// is to stand.
const (
	reportPage = "report.html"
	dataMark   = "<!--data-->"
)

// runData is what that page reads (gh-pages/src/pages/report.tsx).
type runData struct {
	Title       string          `json:"title"`
	Manifest    Manifest        `json:"manifest"`
	Records     string          `json:"records"`     // as a run's file has them
	Leaderboard *Leaderboard    `json:"leaderboard"` // null: of a comparison
	Comparison  *Comparison     `json:"comparison"`  // null: of a run
	Details     json.RawMessage `json:"details"`     // null: there are none
}

// WriteRunPage writes a run as one HTML file that needs no other and asks for nothing
// over the network. The records are of one run; details may be nil. The records of a comparison
// need the answers to them, others have none.
func WriteRunPage(w io.Writer, pages fs.FS, records []record.Record, of *record.Details, answers []verdict.Answer) error {
	page, err := fs.ReadFile(pages, reportPage)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	before, after, ok := bytes.Cut(page, []byte(dataMark))
	if !ok {
		return fmt.Errorf("report: %s has no %s, where the data is to stand", reportPage, dataMark)
	}
	if len(records) == 0 {
		return errors.New("report: no records")
	}
	if isComparison(records) && len(answers) == 0 {
		return errors.New("report: records of a comparison without its verdicts")
	}
	data, err := runDataOf(records, of, answers)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	// Marshal escapes <, > and &, so that no text of a record ends the script that it is in.
	text, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	for _, part := range [][]byte{before, text, after} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func runDataOf(records []record.Record, of *record.Details, answers []verdict.Answer) (data runData, err error) {
	id := records[0].Run.ID
	data.Title = "Run " + id
	counts := everyRecord
	if len(answers) > 0 {
		data.Title = "Comparison " + id
		comparison := newComparison(records, answers)
		data.Comparison = &comparison
		counts = countingIn(records, answers)
	}
	file, err := linesOf(records)
	if err != nil {
		return data, err
	}
	text, err := file.forPages(counts)
	if err != nil {
		return data, err
	}
	data.Records = string(text)
	if of != nil {
		var text bytes.Buffer
		if err := record.WriteDetails(&text, *of); err != nil {
			return data, err
		}
		data.Details = text.Bytes()
	}
	r := &run{path: "local/" + id, names: epochNames{}}
	servers := map[string]Server{}
	for _, one := range records {
		r.add(one)
		if s := one.Server; s.Name != raw.Direct {
			servers[s.Name] = Server{Workload: one.Workload, Name: s.Name, Language: cut(s.Language, 60), Framework: cut(s.Framework, 60), Was: []string{}, First: -1, Last: -1}
		}
	}
	if data.Comparison == nil { // it has two records where others have one
		data.Leaderboard = leaderboardOf(r, -1, records)
	}
	data.Manifest = alone(rank.WorkloadOf(records), r.end)
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		data.Manifest.Servers = append(data.Manifest.Servers, servers[name])
	}
	return data, nil
}

// alone is the manifest of a page without files.
func alone(w workload.Workload, newest time.Time) Manifest {
	return Manifest{
		Schema: Schema, Workload: w.Name, Workloads: []WorkloadForm{workloadForm(w, nil)}, Newest: &newest, Commits: CommitFile{}, Own: []OwnRun{}, Comparisons: []ComparisonRow{}, Servers: []Server{}, Scenarios: []string{},
		Metrics: metricForms(w), Columns: columnForms(w), Epochs: []Epoch{}, Cuts: [][2]int{}, Series: map[string]string{}, Headlines: []Headline{}, Broken: []Broken{}, TieRule: answer.TieRule,
	}
}
