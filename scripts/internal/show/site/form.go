package site

import (
	"time"

	"fairstream/scripts/internal/judge/verdict"
)

// Schema is the version of all files here. A site that reads another says so.
const Schema = 1

// A Manifest names what the page of a run reads. Its file is the only one that changes under its name.
type Manifest struct {
	Schema int `json:"schema"`
	// Workload is the one that the rest is about. Each has a manifest: commits, runs and epochs of
	// its own. That of the first with data is the file data/manifest.json, which lists all.
	Workload   string         `json:"workload"`
	Workloads  []WorkloadForm `json:"workloads"`  // in the file data/manifest.json alone
	Newest     *time.Time     `json:"newest"`     // begin of the newest record; null: no history
	Repository *string        `json:"repository"` // https://github.com/OWNER/NAME
	History    *string        `json:"history"`    // commit of the branch with the facts
	Commits    CommitFile     `json:"commits"`
	Servers    []Server       `json:"servers"` // by name
	Metrics    []Metric       `json:"metrics"`
	// Columns are the metrics of the table of a scenario, by its name without a level.
	Columns map[string][]string `json:"columns"`
	Epochs  []Epoch             `json:"epochs"`
	Events  string              `json:"events"` // a file, as Runs
	Runs    string              `json:"runs"`
	Broken  []Broken            `json:"broken"`
}

// A WorkloadForm is a workload with data, in the list of them.
type WorkloadForm struct {
	Name string  `json:"name"`
	Unit string  `json:"unit"` // "stream" or "request"
	File *string `json:"file"` // its manifest; null: data/manifest.json
}

// A CommitFile is that of Commits.
type CommitFile struct {
	Count int    `json:"count"` // commits
	File  string `json:"file"`
}

// A Server is one that was ever measured.
type Server struct {
	Workload  string   `json:"workload"`
	Name      string   `json:"name"`
	Language  string   `json:"language"`
	Framework string   `json:"framework"`
	Was       []string `json:"was"`   // older names
	First     int      `json:"first"` // commits in which it has points; -1: in none
	Last      int      `json:"last"`
}

// A Metric is one of record.Table, of the workload. Scale is by what a value is multiplied to be shown.
type Metric struct {
	Name   string  `json:"name"`
	Label  string  `json:"label"`
	Unit   string  `json:"unit"`
	Better string  `json:"better"` // higher, lower or ""
	Means  string  `json:"means"`
	Scale  float64 `json:"scale"`
	// Absolute metrics may be 0 or less: their changes and noise are in their unit, not per cent.
	Absolute bool `json:"absolute,omitempty"`
}

// An Epoch is what records share that may be compared: machine, rig, placement,
// schema. First and Last are commits; another epoch may lie between.
type Epoch struct {
	ID        string `json:"id"`
	Text      string `json:"text"`
	Rig       string `json:"rig"`
	Placement string `json:"placement"`
	First     int    `json:"first"`
	Last      int    `json:"last"`

	machine, system, kernel string // the parts of Text
}

// A Broken is an unreadable file of the history or of gh-pages/accepted. The site
// leaves it out.
type Broken struct {
	File string `json:"file"`
	Why  string `json:"why"`

	older bool // it is whole, and of an older schema
}

// Commits has all of them, in columns. Null is unknown.
type Commits struct {
	Schema  int       `json:"schema"`
	SHA     []string  `json:"sha"`  // 10 hex; of a local run, of its id
	Run     []*string `json:"run"`  // newest that is not quick: its files are runs/RUN.jsonl.gz, details/RUN.json.gz, events/RUN.json
	Time    []*int64  `json:"time"` // unix seconds
	Subject []*string `json:"subject"`
	Author  []*string `json:"author"`
	Epoch   []int     `json:"epoch"` // places in Manifest.Epochs
	Quick   []int     `json:"quick"` // 1: it has shortened runs only
}

// A Series is a metric in a scenario. A server without a point in it is left out.
type Series struct {
	Schema  int               `json:"schema"`
	Series  string            `json:"series"` // SCENARIO/METRIC
	Servers map[string]Column `json:"servers"`
	// Noise, by server: an epoch's place; 1.96 sd of a run's figure for unchanged code;
	// the number of differences of consecutive points. The noise is in per cent, or in the
	// unit of an absolute metric.
	Noise map[string][][3]float64 `json:"noise"`
}

// A Column is a server's points, a place a commit, in the metric's unit.
type Column struct {
	Mid    []*float64 `json:"m"` // null: not measured
	Low    []*float64 `json:"l"` // the least round
	High   []*float64 `json:"h"` // the greatest round
	Status []int      `json:"s"` // Good, Warning or Absent
}

// Statuses of a point. Absent goes with null; why is in the run's records.
const (
	Good = iota
	Warning
	Absent
)

// Runs has all runs, the newest first.
type Runs struct {
	Schema int      `json:"schema"`
	Runs   []RunRow `json:"runs"`
}

// A RunRow says what there is of a run.
type RunRow struct {
	Run         string    `json:"run"`         // YYYY/MM/SHA10-RUNID-ATTEMPT, or local/ID
	Commit      int       `json:"commit"`      // place; -1: of a comparison
	Time        time.Time `json:"time"`        // its begin
	Servers     []string  `json:"servers"`     // of its trend runs
	TrendRuns   bool      `json:"trend_runs"`  // runs/RUN.jsonl.gz is there
	Leaderboard bool      `json:"leaderboard"` // runs/RUN.leaderboard.jsonl.gz
	Events      bool      `json:"events"`      // events/RUN.json
	Details     bool      `json:"details"`     // details/RUN.json.gz
	Quick       bool      `json:"quick"`
	Comparison  bool      `json:"comparison"` // of base and head, on somebody's own machine
}

// Events are the verdicts that say of something that it changed, newest first.
type Events struct {
	Schema int            `json:"schema"`
	Events []Event        `json:"events"`
	Others map[string]int `json:"others"` // how many events with other verdicts there are; they are in events/
}

// An Event is an entry in main's history. Its id stays when it is found again.
type Event struct {
	ID        string              `json:"id"`
	Workload  string              `json:"workload"`
	Server    string              `json:"server"`
	Base      string              `json:"base"` // 40 hex
	Head      string              `json:"head"`
	From      *int                `json:"from"` // their places; null: not in the history
	At        *int                `json:"at"`
	Gradual   bool                `json:"gradual"`
	Run       string              `json:"run"`  // of the workflow: 123-1
	Path      string              `json:"path"` // events/PATH.json has all cells
	Verdict   string              `json:"verdict"`
	Confirmed bool                `json:"confirmed"`
	Rounds    int                 `json:"rounds"`
	Discarded int                 `json:"discarded"`
	Time      *time.Time          `json:"time"`  // the begin of its run, else of the head commit
	Cells     []verdict.EventCell `json:"cells"` // that changed
	Accepted  *Accepted           `json:"accepted"`
	Now       *Now                `json:"now"`   // null: cannot be said
	Fixed     *string             `json:"fixed"` // 40 hex: the commit that regained the last loss
}

// Accepted is the acceptance of an event's regressions: of all of them, or of some
// cells.
type Accepted struct {
	By    string  `json:"by"`
	Why   string  `json:"why"`
	Until *string `json:"until"`
	Since string  `json:"since"` // 40 hex
	File  string  `json:"file"`
	Cells int     `json:"cells"` // regressed cells that it covers
	All   bool    `json:"all"`   // it covers every regressed cell
}

// Latest is the newest run of all servers, for other programs: latest.json.
type Latest struct {
	Schema    int            `json:"schema"`
	Workload  string         `json:"workload"`
	Run       string         `json:"run"`
	Commit    *string        `json:"commit"` // null: of somebody's own machine
	Time      time.Time      `json:"time"`   // its begin
	Machine   string         `json:"machine"`
	Rounds    int            `json:"rounds"`
	Discarded int            `json:"discarded"` // rounds that do not count
	Quick     bool           `json:"quick"`     // it was shortened, and measures little
	Answers   []string       `json:"answers"`   // a sentence each
	Rankings  []Ranking      `json:"rankings"`
	Figures   []LatestFigure `json:"figures"`
}

// A LatestFigure is a metric of a target in a scenario: the mean, the least and the greatest of the rounds. Unknown ones are
// left out.
type LatestFigure struct {
	Scenario string  `json:"scenario"`
	Target   string  `json:"target"`
	Metric   string  `json:"metric"`
	Unit     string  `json:"unit"`
	Mean     float64 `json:"mean"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// A Ranking orders the servers of one scenario by one metric.
type Ranking struct {
	Scenario string   `json:"scenario"`
	Metric   string   `json:"metric"`
	ApartPct *float64 `json:"apart_pct"` // in the median pair, two that differ by less are tied; null: too few rounds for ranks
	Ranked   []Ranked `json:"ranked"`
}

// A Ranked server is somewhere between its best and its worst rank.
type Ranked struct {
	Server string   `json:"server"`
	Best   int      `json:"best"` // 0: too few rounds for ranks
	Worst  int      `json:"worst"`
	Ratio  float64  `json:"ratio"` // to the first
	Low    *float64 `json:"low"`   // interval of the ratio
	High   *float64 `json:"high"`
}
