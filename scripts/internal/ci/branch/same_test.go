package branch

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/show/site"
)

// threeRounds are a server and direct on levels of stress. In the second round some of
// the server's streams failed, and its figures are far from those of the others.
func threeRounds(t *testing.T) (records []record.Record) {
	for round, v := range []struct{ rate, over, rss, failed float64 }{{4000, 0.8, 30e6, 0}, {900, 5, 99e6, 2}, {5000, 0.9, 32e6, 0}} {
		for _, r := range mixed(t) {
			if r.Server.Name != "go-http" && r.Server.Name != "direct" || !strings.HasPrefix(r.Scenario, "stress-") {
				continue
			}
			r.Round, r.Run.Rounds, r.Run.Quick, r.Status, r.Why, r.Conditions.Disturbed = round+1, 3, false, record.OK, []string{}, nil
			if r.Server.Name == "go-http" {
				r.Metrics = maps.Clone(r.Metrics)
				for name, v := range map[string]float64{"rate_per_s": v.rate, "rate_x_direct": v.over, "server_rss_peak_bytes": v.rss, "failed_pct": v.failed} {
					r.Metrics[name] = &v
				}
			}
			records = append(records, r)
		}
	}
	return records
}

func readJSON[T any](t *testing.T, files map[string][]byte, path string) (v T) {
	t.Helper()
	if err := json.Unmarshal(files[path], &v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}

// Newest results, run page, history, chart points and text table say the same of the same
// records: the mean of the rounds in which no stream failed, the least and the greatest.
func TestOneFigureEverywhere(t *testing.T) {
	records := threeRounds(t)
	files := map[string][]byte{}
	var mutex sync.Mutex
	_, err := site.Build(site.Facts{Local: []site.Local{{Records: records}}}, func(path string, data []byte) error {
		mutex.Lock()
		defer mutex.Unlock()
		files[path] = data
		return nil
	}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	latest := readJSON[site.Latest](t, files, "latest.json")
	packed, err := gzip.NewReader(bytes.NewReader(files["runs/"+latest.Run+".leaderboard.jsonl.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := bytes.Cut(lines, []byte("\n"))
	var run site.Figures
	if err := json.Unmarshal(first, &run); err != nil {
		t.Fatal(err)
	}
	bigger, smaller := Points(records)
	points := slices.Concat(bigger, smaller)

	for _, c := range []struct {
		scenario, metric string
		want             [3]float64
		label, chart     string // of the chart: value and range
	}{
		{"stress-100", "rate_x_direct", [3]float64{0.8485281, 0.8, 0.9}, "x direct", "0.84853, 0.8 to 0.9"},
		{"stress-200", "server_rss_peak_bytes", [3]float64{30.98387e6, 30e6, 32e6}, "peak RSS", "30.984, 30 to 32"},
		{"stress-100", "rate_per_s", [3]float64{4472.136, 4000, 5000}, "", ""},
	} {
		at := slices.IndexFunc(latest.Figures, func(f site.LatestFigure) bool {
			return f.Scenario == c.scenario && f.Target == "go-http" && f.Metric == c.metric
		})
		if got := latest.Figures[at]; [3]float64{got.Mean, got.Low, got.High} != c.want {
			t.Errorf("latest: %s %s: %v, want %v", c.scenario, c.metric, got, c.want)
		}
		at = slices.IndexFunc(run.Rows, func(r site.FigureRow) bool { return r.Target == "go-http" && r.Scenario == c.scenario })
		if got := run.Rows[at].Cells[slices.Index(run.Metrics, c.metric)]; got == nil || *got != [4]float64{c.want[0], c.want[1], c.want[2], 2} {
			t.Errorf("run page: %s %s: %v, want %v of 2 rounds", c.scenario, c.metric, got, c.want)
		}
		column := readJSON[site.Series](t, files, "history/"+c.scenario+"/"+c.metric+".json").Servers["go-http"]
		if got := [3]float64{*column.Mid[0], *column.Low[0], *column.High[0]}; got != [3]float64{record.LimitDigits(c.want[0], 5), c.want[1], c.want[2]} {
			t.Errorf("trend: %s %s: %v, want %v", c.scenario, c.metric, got, c.want)
		}
		if c.chart == "" {
			continue // it is not charted
		}
		i := slices.IndexFunc(points, func(p Bench) bool { return strings.Contains(p.Name, "go-http "+c.scenario+" "+c.label) })
		if got := fmt.Sprintf("%g, %s", points[i].Value, points[i].Range); got != c.chart {
			t.Errorf("chart: %s: %s, want %s", points[i].Name, got, c.chart)
		}
	}
	var text strings.Builder
	if err := (report.Text{Full: true, Width: 100}).Write(&text, records); err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(text.String(), "\nstress-100\n")
	for _, line := range strings.Split(table, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "go-http") {
			if fields := strings.Fields(line); !slices.Equal(fields[1:4], []string{"4472", "(4000-5000)", "0.85"}) {
				t.Errorf("text: %s", line)
			}
			return
		}
	}
	t.Errorf("no table of stress-100 in:\n%s", text.String())
}
