package answer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
)

// mostRequestRows is how many requests a table names, besides those that changed.
const mostRequestRows = 20

// A RequestRow is the latency of the requests of one name, as tables show it.
type RequestRow struct {
	Name     string `json:"name"`
	Share    string `json:"share"`  // of base's time
	Metric   string `json:"metric"` // its label
	Base     string `json:"base"`   // means of the rounds
	Head     string `json:"head"`
	Change   string `json:"change"`
	Interval string `json:"interval"` // 95 %
	Result   string `json:"result"`
}

// RequestRows are the rows of an answer, and how many more requests there are.
func RequestRows(a verdict.Answer) (rows []RequestRow, more int) {
	for i, q := range a.Requests {
		if i >= mostRequestRows && !Changed(q) { // those that Changed come first
			return rows, len(a.Requests) - i
		}
		r := NewRow(q.Cell)
		rows = append(rows, RequestRow{Plain(q.Name), fmt.Sprintf("%.0f %%", q.SharePct), r.Metric, r.Base, r.Head, r.Change, r.Interval, r.Result})
	}
	return rows, 0
}

// MoreRequests says how many requests a table leaves out; "" for none.
func MoreRequests(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d more requests took less of the time.", n)
}

func Changed(q verdict.RequestCell) bool {
	return q.Verdict == verdict.Regressed || q.Verdict == verdict.Improved
}

// mostRequests is how many requests a headline names.
const mostRequests = 3

// byRequest names the requests whose latency changed, and those that lean. Without any, and if a cell of the server
// changed, it names the one that moved most.
func byRequest(a verdict.Answer) []string {
	var names []string
	for _, q := range a.Requests { // those that Changed come first
		switch {
		case Changed(q):
			names = append(names, requestChange(q))
		case q.Leaning() != "":
			names = append(names, "probably "+requestChange(q))
		}
	}
	if n := len(names) - mostRequests; n > 0 {
		names = append(names[:mostRequests:mostRequests], fmt.Sprintf("%d more", n))
	}
	if names != nil {
		return []string{"by request: " + strings.Join(names, ", ")}
	}
	about := func(c verdict.Cell) bool {
		return (c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved) && c.Metric.Unit != "bytes"
	}
	moved := slices.DeleteFunc(slices.Clone(a.Requests), func(q verdict.RequestCell) bool { return !Probable(q.Cell) })
	if len(moved) == 0 || !slices.ContainsFunc(a.Cells, about) {
		return nil
	}
	size := func(q verdict.RequestCell) float64 { return math.Abs(math.Log1p(q.Change)) }
	most := slices.MaxFunc(moved, func(a, b verdict.RequestCell) int { return cmp.Compare(size(a), size(b)) })
	return []string{"by request: probably " + requestChange(most)}
}

// requestChange is "GET /search p95 +41 %".
func requestChange(q verdict.RequestCell) string {
	return fmt.Sprintf("%s %s %s", q.Name, strings.TrimSuffix(q.Metric.Label, " ms"), Change(q.Cell))
}
