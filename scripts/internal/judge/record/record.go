// Package record turns a run's raw files into records: one per target, round,
// scenario and level, never averaged. It is pure: it reads files and runs nothing,
// and the same raw files give the same bytes.
package record

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"fairstream/scripts/internal/files/jsonl"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// Schema is the version of a record's form. It changes when a key or a
// metric's meaning does.
const Schema = 6

// A Record is the facts of one target in one round and scenario.
type Record struct {
	Schema     int               `json:"schema"`
	Workload   string            `json:"workload"` // what the scenario and the metrics belong to
	Run        Run               `json:"run"`
	Host       raw.Host          `json:"host"`
	Conditions Conditions        `json:"conditions"`
	Tools      map[string]string `json:"tools"` // versions
	Server     raw.Server        `json:"server"`
	Scenario   string            `json:"scenario"` // with its level, where it has some: stress-100
	Round      int               `json:"round"`    // from 1
	Started    time.Time         `json:"started"`
	Status     Status            `json:"status"`
	Why        []string          `json:"why"` // reasons for a status that is not ok
	Metrics    Metrics           `json:"metrics"`
}

// Run is what all records of a run share.
type Run struct {
	ID        string  `json:"id"`
	Commit    *string `json:"commit"` // null: unknown
	Dirty     *bool   `json:"dirty"`  // the checkout differed from the commit
	Quick     bool    `json:"quick"`  // scenarios were shortened
	Solo      bool    `json:"solo"`   // each target alone, one after the other
	LoadMS    int64   `json:"load_ms"`
	SliceMS   int64   `json:"slice_ms"` // as raw.Run has both
	Rounds    int     `json:"rounds"`
	Seed      uint64  `json:"seed"`
	Placement string  `json:"placement"`
	Rig       string  `json:"rig"` // hash of the sources of k6, its scripts and the stub
}

// Conditions are what the machine and the rig were like in the record's slices,
// which side by side are those of all targets; null is unknown.
type Conditions struct {
	LoadBefore *float64 `json:"load_before"` // load average of the minute before the k6 run
	StealPct   *float64 `json:"steal_pct"`   // of all cores, that the host of a virtual machine kept for others
	OthersPct  *float64 `json:"others_pct"`  // of all cores, that programs used which are not part of the benchmark
	// Disturbed lists what the machine or the rig disturbed, apart from the server. Such
	// a round may be measured again. Each reason stands in Why too.
	Disturbed []string `json:"disturbed"`
}

// Status says how far the metrics can be believed.
type Status string

// A record with a warning has figures that may be wrong; an invalid one
// has none, but for the share of streams that failed.
const (
	OK      Status = "ok"
	Warning Status = "warning"
	Invalid Status = "invalid"
)

// Metrics holds one value for each row of Table; nil is unknown. In JSON the
// names are the rows' names, and unknown is null.
type Metrics map[string]*float64

// Get is a metric's value and whether it is known.
func (m Metrics) Get(name string) (float64, bool) {
	if v := m[name]; v != nil {
		return *v, true
	}
	return 0, false
}

// set stores a value, unless it is none.
func (m Metrics) set(name string, value float64) { m[name] = digits(value) }

// digits keeps seven: more than any clock here can carry, and short in a
// history of many records. What is no number is unknown.
func digits(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	v = LimitDigits(v, 7)
	return &v
}

// LimitDigits is a value to so many digits.
func LimitDigits(v float64, digits int) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64) // what was just written is a number
	return v
}

// ID says which server the record is of.
func (r Record) ID() workload.Server {
	return workload.Server{Workload: r.Workload, Name: r.Server.Name}
}

// Target is the server's name, with the side in a comparison: go-http@base.
func (r Record) Target() string { return raw.Target(r.Server.Name, r.Server.Side) }

// Write writes records as JSON Lines.
func Write(w io.Writer, records []Record) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range records {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// Read reads JSON Lines strictly: an unknown key, another schema, a metric
// that is unknown or missing are errors, which name the line.
func Read(r io.Reader) ([]Record, error) {
	return jsonl.Read(r, Record.validate)
}

// Reads is the schema that Read reads.
func (Record) Reads() int { return Schema }

func (r Record) validate() error {
	if r.Schema != Schema {
		return fmt.Errorf("schema %d; this tool reads schema %d", r.Schema, Schema)
	}
	if err := workload.Check(r.Workload); err != nil {
		return err
	}
	if r.Status != OK && r.Status != Warning && r.Status != Invalid {
		return fmt.Errorf("status %q; want ok, warning or invalid", r.Status)
	}
	if s := r.Server.Side; s != "" && s != "base" && s != "head" {
		return fmt.Errorf("side %q; want base, head or none", s)
	}
	if r.Round < 1 || r.Run.Rounds < 1 {
		return fmt.Errorf("round %d, of %d planned; want 1 or more of both", r.Round, r.Run.Rounds)
	}
	if (r.Status == OK) != (len(r.Why) == 0) {
		return fmt.Errorf("status %q with %d reasons; every status but ok has one", r.Status, len(r.Why))
	}
	for _, why := range r.Conditions.Disturbed {
		if !slices.Contains(r.Why, why) {
			return fmt.Errorf("conditions.disturbed has %q, which is not in why", why)
		}
	}
	for _, m := range Table {
		if _, ok := r.Metrics[m.Name]; !ok {
			return fmt.Errorf("metric %q is missing; unknown is null", m.Name)
		}
	}
	if len(r.Metrics) != len(Table) {
		for name := range r.Metrics {
			if _, ok := Find(name); !ok {
				return fmt.Errorf("metric %q: unknown", name)
			}
		}
	}
	return nil
}
