package site

import (
	"time"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/verdict"
)

// Schema is the version of all files here. A site that reads another says so.
const Schema = 1

// A Manifest names everything else. Its file is the only one that changes under its name.
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
	Own        []OwnRun       `json:"own"` // a row each, newest first; of a published site none
	// Comparisons on somebody's own machine, newest first; of a published site none. They have no
	// points and no ranks.
	Comparisons []ComparisonRow `json:"comparisons"`
	Servers     []Server        `json:"servers"` // by name
	Scenarios   []string        `json:"scenarios"`
	Metrics     []Metric        `json:"metrics"`
	// Columns are the metrics of the table of a scenario, by its name without a level.
	Columns      map[string][]string `json:"columns"`
	Epochs       []Epoch             `json:"epochs"`
	Cuts         [][2]int            `json:"cuts"`   // where the epoch changes: a commit, and its epoch's place; the first is commit 0
	Series       map[string]string   `json:"series"` // "SCENARIO/METRIC": its file
	Headlines    []Headline          `json:"headlines"`
	Health       string              `json:"health"`      // files
	Leaderboard  *string             `json:"leaderboard"` // the first of Leaderboards
	Leaderboards string              `json:"leaderboards"`
	Events       string              `json:"events"`
	Runs         string              `json:"runs"`
	Proven       *string             `json:"proven"`
	Broken       []Broken            `json:"broken"`
	TieRule      string              `json:"tie_rule"` // when servers are tied, in sentences
}

// A WorkloadForm is a workload with data, in the list of them.
type WorkloadForm struct {
	Name      string     `json:"name"`
	Unit      string     `json:"unit"`     // "stream" or "request"
	Upstream  bool       `json:"upstream"` // its servers ask the stub; without, direct is a lower bound
	CostOf    string     `json:"cost_of"`  // what its cost is the cost of: "stream", "megabyte"
	Scenarios []string   `json:"scenarios"`
	Curves    []string   `json:"curves"` // names of its distributions
	Headlines []Headline `json:"headlines"`
	File      *string    `json:"file"` // its manifest; null: data/manifest.json

	Does        string          `json:"does"`        // what its servers do
	Checks      int             `json:"checks"`      // of its contract; 0: unknown
	Shapes      []Shape         `json:"shapes"`      // its scenarios in words
	Comparisons []ComparisonRow `json:"comparisons"` // as in its manifest: every page shows all
}

// A Shape is a scenario in words.
type Shape struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
	Load   string   `json:"load"`
	Shows  string   `json:"shows"`
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
	Over   *string `json:"over"` // the same over, or added to, direct or the rig
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
}

// A Headline is a series that stands for the rest.
type Headline struct {
	Scenario string `json:"scenario"`
	Metric   string `json:"metric"`
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

// Health is what the newest run of main says; where all are somebody's own, the newest of them.
type Health struct {
	Schema    int              `json:"schema"`
	Commit    *int             `json:"commit"` // place of the newest with points; null: none
	Run       *string          `json:"run"`
	Headlines []HeadlineHealth `json:"headlines"`
	Open      []string         `json:"open"`    // ids of events that regressed, were confirmed and not accepted
	Missing   []string         `json:"missing"` // servers that the commit before had and the newest has not
	Failed    []Failure        `json:"failed"`
	Warning   []Failure        `json:"warning"`
}

// An OwnRun is one of somebody's own machine, in place of a commit's.
type OwnRun struct {
	Run    string    `json:"run"`
	Text   string    `json:"text"` // commands of the run
	Time   time.Time `json:"time"` // its begin
	Quick  bool      `json:"quick"`
	Failed []string  `json:"failed"` // servers that have no figures in some scenario
}

// A Failure is a server whose newest records are invalid, or have a warning, in a
// scenario. Why comes from the records: text from outside.
type Failure struct {
	Server   string   `json:"server"`
	Scenario string   `json:"scenario"`
	Why      []string `json:"why"`
}

// A HeadlineHealth is a headline's newest point of each server.
type HeadlineHealth struct {
	Scenario string           `json:"scenario"`
	Metric   string           `json:"metric"`
	Servers  map[string]Pulse `json:"servers"`
}

// A Pulse is a server's newest point and what came before.
type Pulse struct {
	At     int        `json:"at"` // commit
	Mid    float64    `json:"m"`  // Low and High as in a Column
	Low    float64    `json:"l"`
	High   float64    `json:"h"`
	Status int        `json:"s"`
	Change *float64   `json:"change"` // to the median of up to 20 earlier points of the epoch, per cent; null: there are none
	Of     int        `json:"of"`     // how many
	Noise  *float64   `json:"noise"`  // of this epoch, as in a Series
	Inside *bool      `json:"inside"` // the change is within the noise; null: one of them is not known
	Spark  []*float64 `json:"spark"`  // Mid of the newest 50 commits; null, too, in another epoch than At's
}

// Runs has all runs, the newest first.
type Runs struct {
	Schema int      `json:"schema"`
	Runs   []RunRow `json:"runs"`
}

// A RunRow says what there is of a run.
type RunRow struct {
	Run         string    `json:"run"` // YYYY/MM/SHA10-RUNID-ATTEMPT, or local/ID
	Commit      int       `json:"commit"`
	Time        time.Time `json:"time"`        // its begin
	Servers     []string  `json:"servers"`     // of its trend runs
	TrendRuns   bool      `json:"trend_runs"`  // runs/RUN.jsonl.gz is there
	Leaderboard bool      `json:"leaderboard"` // runs/RUN.leaderboard.jsonl.gz
	Events      bool      `json:"events"`      // events/RUN.json
	Details     bool      `json:"details"`     // details/RUN.json.gz
	Quick       bool      `json:"quick"`
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

// Leaderboards are the newest runs of all servers together, at most 50: first those of
// somebody's own machine, last those that were shortened.
type Leaderboards struct {
	Schema       int               `json:"schema"`
	Leaderboards []LeaderboardName `json:"leaderboards"`
}

// A LeaderboardName says where a Leaderboard is.
type LeaderboardName struct {
	Run   string    `json:"run"`
	Time  time.Time `json:"time"` // its begin
	Quick bool      `json:"quick"`
	File  string    `json:"file"`
}

// A Leaderboard is a run in which all servers were loaded in the same minutes.
type Leaderboard struct {
	Schema     int       `json:"schema"`
	Commit     *int      `json:"commit"`
	Run        string    `json:"run"`
	Time       time.Time `json:"time"`
	Epoch      int       `json:"epoch"` // place; -1: no commit of that epoch has points
	Rounds     int       `json:"rounds"`
	Quick      bool      `json:"quick"`      // it was shortened, and measures little
	Solo       bool      `json:"solo"`       // each target was loaded alone, minutes from the others
	Conditions string    `json:"conditions"` // the machine's conditions in words
	Columns    []string  `json:"columns"`    // metrics
	Tables     []Table   `json:"tables"`     // a scenario each
	Rankings   []Ranking `json:"rankings"`
}

// A Table has a row for each target, direct last.
type Table struct {
	Scenario string `json:"scenario"`
	Rows     []Row  `json:"rows"`
}

// A Row is a target in a scenario.
type Row struct {
	Target    string            `json:"target"`
	Language  string            `json:"language"`
	Framework string            `json:"framework"`
	Versions  map[string]string `json:"versions"`
	Status    string            `json:"status"` // the worst of its records: ok, warning, invalid
	Why       []string          `json:"why"`    // text from outside
	Cells     []*[3]float64     `json:"cells"`  // a column each: mean, least and greatest of the rounds; null: unknown
}

// A Ranking orders the servers of one scenario by one metric; Why says why there is none.
type Ranking struct {
	Scenario string   `json:"scenario"`
	Metric   string   `json:"metric"`
	Rounds   int      `json:"rounds"`
	ApartPct *float64 `json:"apart_pct"` // in the median pair, two that differ by less are tied; null: too few rounds for ranks
	Why      string   `json:"why"`
	Sentence string   `json:"sentence"`
	Tie      string   `json:"tie"` // which servers are tied, as a sentence
	Ranked   []Ranked `json:"ranked"`
	Unranked []string `json:"unranked"` // servers that miss a round or have failed streams
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

// Proven is what trials of known truth say of this machine's verdicts.
type Proven struct {
	Schema int           `json:"schema"`
	Tables []prove.Table `json:"tables"`
}
