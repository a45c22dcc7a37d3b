package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"time"

	"fairstream/k6/shared/strict"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A TrendRun is one line of a run's file: the records of one trend run or leaderboard run, with shared values
// once. Plain records would take ten times the space on a branch that every run fetches. Nothing is averaged.
// The only records left out are those of direct in a trend run, since ratios and differences hold them.
//
// In JSON it has a column of figures for each metric, and its targets have none.
type TrendRun struct {
	Schema   int               `json:"schema"`
	Workload string            `json:"workload"`
	Run      record.Run        `json:"run"`
	Host     raw.Host          `json:"host"`
	Tools    map[string]string `json:"tools"`
	Servers  []raw.Server      `json:"servers"`
	Metrics  []string          `json:"metrics"` // names of Figures, in order
	K6Runs   []K6Run           `json:"k6_runs"`
}

// A K6Run holds the records of one round, scenario and level with the same conditions: all targets side by
// side, or each target alone in its slices.
type K6Run struct {
	Scenario   string            `json:"scenario"`
	Round      int               `json:"round"`
	Started    time.Time         `json:"started"`
	Conditions record.Conditions `json:"conditions"`
	Targets    []Target          `json:"targets"`
}

// A Target has the rest of one record.
type Target struct {
	Server  int           `json:"server"`           // index in Servers
	Status  record.Status `json:"status,omitempty"` // left out of a file when it is ok
	Why     []string      `json:"why,omitempty"`
	Retried int64         `json:"retried,omitempty"`
	Figures []*float64    `json:"figures,omitempty"` // null is unknown
}

// Significant digits of figures in lists and of conditions. Figures of two rounds differ by 1 % or more.
const figureDigits, conditionDigits = 4, 2

// OfServers returns the records without those of direct, which a trend run leaves out.
func OfServers(records []record.Record) []record.Record {
	return slices.DeleteFunc(slices.Clone(records), func(r record.Record) bool { return r.Server.Name == raw.Direct })
}

// kept lists the metrics that the site shows of a leaderboard run. The workflow's artifacts have the others.
func kept(name string) (metrics []string) {
	w := workload.Named(name)
	metrics = slices.Clone(w.Leaderboard)
	for _, s := range append(w.Scenarios[:len(w.Scenarios):len(w.Scenarios)], w.Soak) {
		for _, c := range s.Columns {
			metrics = append(metrics, c.Metric)
		}
	}
	return metrics
}

// Pack encodes records as trend runs, a line each.
func Pack(records []record.Record) ([]byte, error) { return lines(TrendRuns(records)) }

// PackLeaderboard encodes the records of a leaderboard run, with the figures that the site shows.
func PackLeaderboard(records []record.Record) ([]byte, error) {
	trendRuns := TrendRuns(records)
	for _, l := range trendRuns {
		l.keep(kept(l.Workload))
	}
	return lines(trendRuns)
}

// keep removes the figures of other metrics.
func (l *TrendRun) keep(metrics []string) {
	all := l.Metrics
	kept := func(name string) bool { return slices.Contains(metrics, name) }
	l.Metrics = slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !kept(name) })
	for _, of := range l.K6Runs {
		for i, t := range of.Targets {
			of.Targets[i].Figures = nil
			for j, v := range t.Figures {
				if kept(all[j]) {
					of.Targets[i].Figures = append(of.Targets[i].Figures, v)
				}
			}
		}
	}
}

// Spell encodes trend runs for the site's pages, where each target has its own figures.
func Spell(trendRuns []*TrendRun) ([]byte, error) {
	var all []*plain
	for _, l := range trendRuns {
		all = append(all, (*plain)(l))
	}
	return lines(all)
}

func lines[T any](trendRuns []T) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	for _, l := range trendRuns {
		if err := enc.Encode(l); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}

// TrendRuns groups records by the values that they share.
func TrendRuns(records []record.Record) (trendRuns []*TrendRun) {
	for _, r := range records {
		var of *TrendRun
		for _, l := range trendRuns {
			if l.Schema == r.Schema && l.Workload == r.Workload && reflect.DeepEqual(l.Run, r.Run) && reflect.DeepEqual(l.Host, r.Host) && reflect.DeepEqual(l.Tools, r.Tools) {
				of = l
			}
		}
		if of == nil {
			of = &TrendRun{Schema: r.Schema, Workload: r.Workload, Run: r.Run, Host: r.Host, Tools: r.Tools, K6Runs: []K6Run{}}
			for _, m := range record.Table(r.Workload) {
				of.Metrics = append(of.Metrics, m.Name)
			}
			trendRuns = append(trendRuns, of)
		}
		of.add(r)
	}
	return trendRuns
}

func (l *TrendRun) add(r record.Record) {
	t := Target{Server: -1, Status: r.Status, Why: r.Why, Retried: r.Retried}
	for i, s := range l.Servers {
		if reflect.DeepEqual(s, r.Server) {
			t.Server = i
		}
	}
	if t.Server < 0 {
		t.Server, l.Servers = len(l.Servers), append(l.Servers, r.Server)
	}
	for _, name := range l.Metrics {
		t.Figures = append(t.Figures, r.Metrics[name])
	}
	for i, of := range l.K6Runs {
		if of.Scenario == r.Scenario && of.Round == r.Round && of.Started.Equal(r.Started) && reflect.DeepEqual(of.Conditions, r.Conditions) {
			l.K6Runs[i].Targets = append(of.Targets, t)
			return
		}
	}
	l.K6Runs = append(l.K6Runs, K6Run{r.Scenario, r.Round, r.Started, r.Conditions, []Target{t}})
}

// kinds returns the kind of each figure, in order.
func (l TrendRun) kinds() (all []kind) {
	for _, of := range l.K6Runs {
		for _, t := range of.Targets {
			all = append(all, kind{t.Server, of.Scenario})
		}
	}
	return all
}

// A plain is a TrendRun without its methods.
type plain TrendRun

// A packed is the JSON form of a TrendRun.
type packed struct {
	plain
	K6Runs     []bare            `json:"k6_runs"`
	Conditions [3][]*float64     `json:"conditions"` // load_before, steal_pct, others_pct: each a value for each k6 run
	Figures    []json.RawMessage `json:"figures"`    // a column for each of Metrics
}

// A bare is a K6Run without the values in columns.
type bare struct {
	Scenario  string    `json:"scenario"`
	Round     int       `json:"round"`
	Started   time.Time `json:"started"`
	Disturbed []string  `json:"disturbed,omitempty"`
	Targets   []Target  `json:"targets"`
}

func (l TrendRun) MarshalJSON() ([]byte, error) {
	p := packed{plain: plain(l), Figures: []json.RawMessage{}}
	of := l.kinds()
	for i := range l.Metrics {
		c := column{of: of}
		for _, k6Run := range l.K6Runs {
			for _, t := range k6Run.Targets {
				c.figures = append(c.figures, t.Figures[i])
			}
		}
		text, err := c.MarshalJSON()
		if err != nil {
			return nil, err
		}
		p.Figures = append(p.Figures, text)
	}
	for _, of := range l.K6Runs {
		for i, v := range []*float64{of.Conditions.LoadBefore, of.Conditions.StealPct, of.Conditions.OthersPct} {
			p.Conditions[i] = append(p.Conditions[i], rounded(v, conditionDigits))
		}
		b := bare{of.Scenario, of.Round, of.Started, of.Conditions.Disturbed, slices.Clone(of.Targets)}
		for i := range b.Targets {
			t := &b.Targets[i]
			if t.Figures = nil; t.Status == record.OK {
				t.Status = ""
			}
		}
		p.K6Runs = append(p.K6Runs, b)
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err := enc.Encode(p)
	return text.Bytes(), err
}

// read decodes the output of MarshalJSON strictly.
func (l *TrendRun) read(line []byte) error {
	var p packed
	if err := strict.Decode(line, &p); err != nil {
		return Unread(line, record.Schema, err)
	}
	if p.Schema != record.Schema {
		return SchemaError{p.Schema, record.Schema}
	}
	*l = TrendRun(p.plain)
	for i, of := range p.K6Runs {
		var c [3]*float64
		for k, column := range p.Conditions {
			if len(column) != len(p.K6Runs) {
				return fmt.Errorf("%d conditions of %d k6 runs", len(column), len(p.K6Runs))
			}
			c[k] = column[i]
		}
		if of.Disturbed == nil {
			of.Disturbed = []string{}
		}
		conditions := record.Conditions{LoadBefore: c[0], StealPct: c[1], OthersPct: c[2], Disturbed: of.Disturbed}
		l.K6Runs = append(l.K6Runs, K6Run{of.Scenario, of.Round, of.Started, conditions, of.Targets})
	}
	if len(p.Figures) != len(l.Metrics) {
		return fmt.Errorf("%d columns of figures of %d metrics", len(p.Figures), len(l.Metrics))
	}
	for _, of := range l.K6Runs {
		for i := range of.Targets {
			t := &of.Targets[i]
			if t.Server < 0 || t.Server >= len(l.Servers) || t.Figures != nil {
				return fmt.Errorf("%s round %d: server %d of %d", of.Scenario, of.Round, t.Server, len(l.Servers))
			}
			t.Status = cmp.Or(t.Status, record.OK)
		}
	}
	of := l.kinds()
	for i, data := range p.Figures {
		figures, err := readColumn(data, of)
		if err != nil {
			return fmt.Errorf("figures of %.40q: %w", l.Metrics[i], err)
		}
		at := 0
		for _, k6Run := range l.K6Runs {
			for j := range k6Run.Targets {
				k6Run.Targets[j].Figures = append(k6Run.Targets[j].Figures, figures[at])
				at++
			}
		}
	}
	return nil
}

// Read decodes trend runs strictly. An error names the line.
func Read(r io.Reader) (trendRuns []*TrendRun, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 4<<20)
	for number := 1; lines.Scan(); number++ {
		var l TrendRun
		if err := l.read(lines.Bytes()); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		trendRuns = append(trendRuns, &l)
	}
	return trendRuns, lines.Err()
}

// Records decodes trend runs into records. Only the digits differ from the originals.
func Records(r io.Reader) (records []record.Record, err error) {
	trendRuns, err := Read(r)
	for _, l := range trendRuns {
		records = append(records, l.Records()...)
	}
	return records, err
}

// Records returns the records of a decoded trend run.
func (l TrendRun) Records() (records []record.Record) {
	for _, of := range l.K6Runs {
		for _, t := range of.Targets {
			r := record.Record{
				Schema: l.Schema, Workload: l.Workload, Run: l.Run, Host: l.Host, Conditions: of.Conditions, Tools: l.Tools, Server: l.Servers[t.Server],
				Scenario: of.Scenario, Round: of.Round, Started: of.Started, Status: t.Status, Why: t.Why, Retried: t.Retried, Metrics: record.Metrics{},
			}
			if r.Why == nil {
				r.Why = []string{}
			}
			for i, name := range l.Metrics {
				r.Metrics[name] = t.Figures[i]
			}
			records = append(records, r)
		}
	}
	return records
}
