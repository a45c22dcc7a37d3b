package archive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"time"

	"fairstream/scripts/internal/files/jsonl"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// A Leg is one line of a run's file: the records of one leg, with what they
// share said once. Records as such would take three times as much of a branch that
// every run fetches. Nothing is averaged and no record is left out, but those of
// direct beside a single server: what they are for is in the server's ratios and
// differences.
type Leg struct {
	Schema   int               `json:"schema"`
	Run      record.Run        `json:"run"`
	Host     raw.Host          `json:"host"`
	Tools    map[string]string `json:"tools"`
	Servers  []raw.Server      `json:"servers"`
	Metrics  []string          `json:"metrics"` // names of the figures below, in their order
	Loadings []Loading         `json:"loadings"`
}

// A Loading is the records of one round, scenario and plateau under the same
// conditions: side by side those of all targets, by turns each target's own.
type Loading struct {
	Scenario   string            `json:"scenario"`
	Round      int               `json:"round"`
	Started    time.Time         `json:"started"`
	Conditions record.Conditions `json:"conditions"`
	Targets    []Target          `json:"targets"`
}

// A Target is what one record has beside all that.
type Target struct {
	Server  int           `json:"server"` // index in Servers
	Status  record.Status `json:"status"`
	Why     []string      `json:"why,omitempty"`
	Figures []*float64    `json:"figures"` // null is unknown
}

// keptDigits of a figure are kept: 0.05 % off at most, where the figures of two
// rounds differ by 1 % and more.
const keptDigits = 4

// OfServers are the records without direct's, which legs of one server leave out.
func OfServers(records []record.Record) []record.Record {
	return slices.DeleteFunc(slices.Clone(records), func(r record.Record) bool { return r.Server.Name == raw.Direct })
}

// Pack writes records as legs, a line each.
func Pack(records []record.Record) ([]byte, error) {
	var legs []*Leg
	for _, r := range records {
		var of *Leg
		for _, l := range legs {
			if l.Schema == r.Schema && reflect.DeepEqual(l.Run, r.Run) && reflect.DeepEqual(l.Host, r.Host) && reflect.DeepEqual(l.Tools, r.Tools) {
				of = l
			}
		}
		if of == nil {
			of = &Leg{Schema: r.Schema, Run: r.Run, Host: r.Host, Tools: r.Tools, Loadings: []Loading{}}
			for _, m := range record.Table {
				of.Metrics = append(of.Metrics, m.Name)
			}
			legs = append(legs, of)
		}
		of.add(r)
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	for _, l := range legs {
		if err := enc.Encode(l); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}

func (l *Leg) add(r record.Record) {
	t := Target{Server: -1, Status: r.Status, Why: r.Why}
	for i, s := range l.Servers {
		if reflect.DeepEqual(s, r.Server) {
			t.Server = i
		}
	}
	if t.Server < 0 {
		t.Server, l.Servers = len(l.Servers), append(l.Servers, r.Server)
	}
	for _, name := range l.Metrics {
		t.Figures = append(t.Figures, shortened(r.Metrics[name]))
	}
	for i, of := range l.Loadings {
		if of.Scenario == r.Scenario && of.Round == r.Round && of.Started.Equal(r.Started) && reflect.DeepEqual(of.Conditions, r.Conditions) {
			l.Loadings[i].Targets = append(of.Targets, t)
			return
		}
	}
	l.Loadings = append(l.Loadings, Loading{r.Scenario, r.Round, r.Started, r.Conditions, []Target{t}})
}

func shortened(v *float64) *float64 {
	if v == nil {
		return nil
	}
	short := record.Short(*v, keptDigits)
	return &short
}

// Records reads legs back into records: as they were, but for the digits.
func Records(r io.Reader) (records []record.Record, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 4<<20)
	for number := 1; lines.Scan(); number++ {
		var l Leg
		if err := jsonl.Strict(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, Unread(lines.Bytes(), record.Schema, err))
		}
		of, err := l.records()
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		records = append(records, of...)
	}
	return records, lines.Err()
}

func (l Leg) records() (records []record.Record, err error) {
	if l.Schema != record.Schema {
		return nil, SchemaError{l.Schema, record.Schema}
	}
	for _, of := range l.Loadings {
		for _, t := range of.Targets {
			if t.Server < 0 || t.Server >= len(l.Servers) || len(t.Figures) != len(l.Metrics) {
				return nil, fmt.Errorf("%s round %d: server %d of %d, %d figures of %d metrics", of.Scenario, of.Round, t.Server, len(l.Servers), len(t.Figures), len(l.Metrics))
			}
			r := record.Record{
				Schema: l.Schema, Run: l.Run, Host: l.Host, Conditions: of.Conditions, Tools: l.Tools, Server: l.Servers[t.Server],
				Scenario: of.Scenario, Round: of.Round, Started: of.Started, Status: t.Status, Why: t.Why, Metrics: record.Metrics{},
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
	return records, nil
}
