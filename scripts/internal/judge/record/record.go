// Package record turns the raw files of a run into records: one for each target, round, scenario and level. It never
// averages. Beside them it reduces the details of a run for plots: the seconds of the first round, and the distributions
// of all rounds. It only reads files, and the same files give the same bytes.
package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// Schema is the version of a record's form. It changes with a key or with the meaning of a metric.
const Schema = 7

// A Record holds the figures of one target in one round and scenario.
type Record struct {
	Schema     int               `json:"schema"`
	Workload   string            `json:"workload"` // decides the scenarios and the metrics
	Run        Run               `json:"run"`
	Host       raw.Host          `json:"host"`
	Conditions Conditions        `json:"conditions"`
	Tools      map[string]string `json:"tools"` // versions
	Server     raw.Server        `json:"server"`
	Scenario   string            `json:"scenario"` // with its level: stress-100
	Round      int               `json:"round"`    // from 1
	Started    time.Time         `json:"started"`
	Status     Status            `json:"status"`
	Why        []string          `json:"why"`               // reasons of a status other than ok
	Retried    int64             `json:"retried,omitempty"` // requests that were sent twice, since the server had closed an idle connection
	Metrics    Metrics           `json:"metrics"`
	Requests   []Request         `json:"requests,omitempty"` // by name, in workloads that mix requests; older records have none
	Outcomes   []Outcome         `json:"outcomes,omitempty"` // of the server's own k6 script
}

// A Run holds what all records of a run share.
type Run struct {
	ID     string  `json:"id"`
	Commit *string `json:"commit"` // null: unknown
	Dirty  *bool   `json:"dirty"`  // the checkout differed from the commit
	raw.Asked
	Placement string `json:"placement"`
	Rig       string `json:"rig"` // hash of the sources of k6, its scripts and the stub
}

// Conditions describe the machine and the rig in the record's slices. Side by side, all targets have the
// same. null is unknown.
type Conditions struct {
	LoadBefore *float64 `json:"load_before"` // load average of the minute before the k6 run
	StealPct   *float64 `json:"steal_pct"`   // of all cores, taken by other virtual machines
	OthersPct  *float64 `json:"others_pct"`  // of all cores, used by other programs
	// Disturbed lists the reasons that are the machine's or the rig's fault. Such a round may be measured
	// again. Each reason stands in Why too.
	Disturbed []string `json:"disturbed"`
}

// Status says whether the figures of a record are usable.
type Status string

// Figures with a warning may be wrong. An invalid record has no figures except the share of failed requests.
const (
	OK      Status = "ok"
	Warning Status = "warning"
	Invalid Status = "invalid"
)

// Metrics holds one value for each row of the workload's Table, by the row's name. nil, and null in JSON, are unknown.
type Metrics map[string]*float64

// Get returns a metric's value. ok is false when it is unknown.
func (m Metrics) Get(name string) (float64, bool) {
	if v := m[name]; v != nil {
		return *v, true
	}
	return 0, false
}

// set stores a value; NaN and infinities become unknown.
func (m Metrics) set(name string, value float64) { m[name] = digits(value) }

// digits keeps seven digits: more than our clocks resolve, and short in a long history.
func digits(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	v = LimitDigits(v, 7)
	return &v
}

// LimitDigits rounds a value to a number of significant digits.
func LimitDigits(v float64, digits int) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64) // strconv just formatted this number
	return v
}

// ID is the server of the record.
func (r Record) ID() workload.Server {
	return workload.Server{Workload: r.Workload, Name: r.Server.Name}
}

// Target is the server's name, with the side in a comparison: go-http@base.
func (r Record) Target() string { return raw.Target(r.Server.Name, r.Server.Side) }

// Write encodes records as JSON Lines.
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

// Read decodes JSON Lines strictly. Unknown keys, another schema, and unknown or missing metrics are errors, but for later
// metrics.
// An error names the line.
func Read(r io.Reader) ([]Record, error) {
	return files.ReadLines(r, Record.validate)
}

// Reads is the schema of Read.
func (Record) Reads() int { return Schema }

func (r Record) validate() error {
	if r.Schema != Schema {
		return files.SchemaError{Seen: r.Schema, Read: Schema}
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
	for _, m := range Table(r.Workload) {
		if _, ok := r.Metrics[m.Name]; !ok && slices.Contains(later, m.Name) && r.Metrics != nil {
			r.Metrics[m.Name] = nil
		} else if !ok {
			return fmt.Errorf("metric %q is missing; unknown is null", m.Name)
		}
	}
	if len(r.Metrics) != len(Table(r.Workload)) {
		for name := range r.Metrics {
			if _, ok := FindIn(r.Workload, name); !ok {
				return fmt.Errorf("metric %q: unknown in workload %s", name, r.Workload)
			}
		}
	}
	return cmp.Or(r.checkRequests(), r.checkOutcomes(), r.checkLimits())
}

var commit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// IsCommit reports whether a text is a full commit hash. A short hash could match another commit later.
func IsCommit(s string) bool { return commit.MatchString(s) }
