package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"io/fs"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/judge/where"
	"fairstream/scripts/internal/show/page"
)

// reportPage is, among the built pages, that of one run alone.
const reportPage = "report.html"

// Marks are where the parts of that page are to stand.
const (
	titleMark  = "<!--title-->"
	answerMark = "<!--answer-->"
	dataMark   = "<!--data-->"
)

// runData is what the page's script reads (gh-pages/src/pages/report.tsx).
type runData struct {
	Manifest Manifest        `json:"manifest"`
	Records  string          `json:"records"` // as a run's file has them
	Details  json.RawMessage `json:"details"` // null: there are none
}

// WriteRunPage writes a run as one HTML file that needs no other and asks for nothing
// over the network. The records are of one run; details may be nil. The records of a comparison
// need the answers to them, others have none. Functions are those that perf sampled after the load.
func WriteRunPage(w io.Writer, pages fs.FS, records []record.Record, of *record.Details, answers []verdict.Answer, functions ...where.File) error {
	text, err := fs.ReadFile(pages, reportPage)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	for _, mark := range []string{titleMark, answerMark, dataMark} {
		if !bytes.Contains(text, []byte(mark)) {
			return fmt.Errorf("report: %s has no %s", reportPage, mark)
		}
	}
	if len(records) == 0 {
		return errors.New("report: no records")
	}
	if isComparison(records) && len(answers) == 0 {
		return errors.New("report: records of a comparison without its verdicts")
	}
	title, body, err := runAnswer(records, answers, functions)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	data, err := runDataOf(records, of, answers)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	// Marshal escapes <, > and &, so that no text of a record ends the script that it is in.
	script, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = strings.NewReplacer(titleMark, html.EscapeString(title), answerMark, string(body), dataMark, string(script)).WriteString(w, string(text))
	return err
}

// runAnswer is what the page says without its script.
func runAnswer(records []record.Record, answers []verdict.Answer, functions []where.File) (title string, body template.HTML, err error) {
	if len(answers) == 0 {
		v := resultsOf(records)
		for _, f := range functions {
			v.Functions = append(v.Functions, functionsOf(f, f.Server))
		}
		body, err = page.Body("results", v)
		return v.Title, body, err
	}
	v := comparisonOf(records, answers, functions...)
	v.Title = "Comparison of " + comparedText(records)
	body, err = page.Body("comparison", v)
	return v.Title, body, err
}

func runDataOf(records []record.Record, of *record.Details, answers []verdict.Answer) (data runData, err error) {
	counts := everyRecord
	if len(answers) > 0 {
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
	w := rank.WorkloadOf(records)
	data.Manifest = Manifest{
		Schema: Schema, Workload: w.Name, Workloads: []WorkloadForm{workloadForm(w, nil)}, Servers: []Server{}, Metrics: metricForms(w), Columns: columnForms(w),
		Epochs: []Epoch{}, Broken: []Broken{},
	}
	servers := map[string]Server{}
	for _, one := range records {
		if s := one.Server; s.Name != raw.Direct {
			servers[s.Name] = Server{Workload: one.Workload, Name: s.Name, Language: cut(s.Language, 60), Framework: cut(s.Framework, 60), Was: []string{}, First: -1, Last: -1}
		}
	}
	for _, name := range sortedKeys(servers, strings.Compare) {
		data.Manifest.Servers = append(data.Manifest.Servers, servers[name])
	}
	return data, nil
}
