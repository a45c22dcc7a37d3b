// Package raw defines the raw files of a run. Package load writes them, and package record reads them. It does
// not interpret them.
//
//	DIR/run.json                       what was planned, and where
//	DIR/ROUND/K6_RUN/facts.json       what happened; written last, so its presence means "whole"
//	DIR/ROUND/K6_RUN/k6.json          what k6 saw: slices and histograms
//	DIR/ROUND/K6_RUN/pidstat.txt      pidstat's samples
//	DIR/ROUND/K6_RUN/*.log            output of k6, of the stub and of each target
//
// A k6 run is one process of k6, such as the ranking of a round. It loads all targets, or one target in a solo run.
package raw

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"fairstream/k6/shared/hist"
	"fairstream/k6/shared/strict"
)

// Names of raw files.
const (
	RunFile     = "run.json"
	FactsFile   = "facts.json"
	SummaryFile = "k6.json"
	PidstatFile = "pidstat.txt"
	ProfileFile = "profile.json" // of rounds that perf sampled
)

// Direct is the target without a server: k6 loads the stub itself. It shows what the rig costs and adds.
const Direct = "direct"

// NoToolchain is in the reason of a server that was not built, since the Go that it wants is missing.
const NoToolchain = "is not on this machine and could not be downloaded"

// A Run holds the settings and the machine of one invocation.
type Run struct {
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Commit  *string   `json:"commit"` // null outside a git checkout
	Dirty   *bool     `json:"dirty"`  // true when the checkout differs from the commit
	Asked
	Same      bool              `json:"same,omitempty"`      // a comparison also measures identical programs
	WithinMS  int64             `json:"within_ms,omitempty"` // limit of the load of a comparison, which sets rounds after the first one; 0: none
	Ended     int               `json:"ended,omitempty"`     // last round of a finished run; 0: unfinished
	Workload  string            `json:"workload"`            // servers of the run
	Scenarios []Scenario        `json:"scenarios"`
	Servers   []Server          `json:"servers"`
	Host      Host              `json:"host"`
	Placement string            `json:"placement"` // shared or split: which programs may use which cores
	Rig       string            `json:"rig"`       // hash of the sources of k6, its scripts and the stub
	Tools     map[string]string `json:"tools"`     // versions, from the tools themselves
}

// Asked is what a run shall do. Commands fill it in, the load obeys it, and records keep it.
type Asked struct {
	Quick  bool  `json:"quick"`   // scenarios are shortened
	Solo   bool  `json:"solo"`    // each target is loaded alone, one after the other
	LoadMS int64 `json:"load_ms"` // of each level side by side; 0: from the scenario
	LoadChange
	Rounds   int    `json:"rounds"`
	Once     bool   `json:"once,omitempty"`      // a comparison is judged once, after all rounds
	SharedBy int    `json:"shared_by,omitempty"` // servers that share the false-alarm rate of a comparison; 0: one
	Seed     uint64 `json:"seed"`
}

// A LoadChange says how a load differs from the usual one. All targets of a run get the same.
type LoadChange struct {
	SliceMS   int64 `json:"slice_ms"`             // of each slice; 0: from the scenario
	VUDivisor int   `json:"vu_divisor,omitempty"` // divides the VUs of levels side by side; 0 leaves all
	RatePerS  int   `json:"rate_per_s,omitempty"` // requests to each target where load is paced; 0: from the scenario
}

// Text is "" for the usual load.
func (c LoadChange) Text() string {
	var parts []string
	if c.VUDivisor > 1 {
		parts = append(parts, fmt.Sprintf("1/%d of the usual VUs where load is paced", c.VUDivisor))
	}
	if c.RatePerS > 0 {
		parts = append(parts, fmt.Sprintf("%d requests/s where load is paced", c.RatePerS))
	}
	if c.SliceMS > 0 {
		parts = append(parts, fmt.Sprintf("slices of %g s", float64(c.SliceMS)/1000))
	}
	return strings.Join(parts, " and ")
}

// A Scenario is a script with its levels in order. One without levels has the level "".
type Scenario struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
}

// A Server is a server of a run, or one side of it in a comparison.
type Server struct {
	Name          string            `json:"name"`
	Language      string            `json:"language"`
	Framework     string            `json:"framework"`
	Side          string            `json:"side"`     // base or head in a comparison, else ""
	Commit        *string           `json:"commit"`   // null: its code is not committed in this state
	Tree          *string           `json:"tree"`     // git's hash of the directory; null as above
	Artefact      *string           `json:"artefact"` // hash of the built program; null: not built
	Versions      map[string]string `json:"versions"`
	FailedChecks  []string          `json:"failed_checks,omitempty"` // required checks that it failed: "C7 crowd"
	MissingChecks []string          `json:"missing_checks"`          // optional checks that it failed: "C4 nodelay"
	Reference     bool              `json:"reference,omitempty"`     // it has no rank, as direct has none
	// Margins are the server's own, by the names of its server.json, in per cent. LeftOut are the requests of head
	// that base does not answer as head wants; neither side got them.
	Margins map[string]float64 `json:"margins,omitempty"`
	// Limits are the server's own, by the names of its server.json and in their units.
	Limits  map[string]float64 `json:"limits,omitempty"`
	LeftOut []string           `json:"left_out,omitempty"`
	// Dropped, Added and Changed are of head: how its requests differ from those of base's server.json. A request
	// with another weight is changed.
	Dropped []string `json:"requests_dropped,omitempty"`
	Added   []string `json:"requests_added,omitempty"`
	Changed []string `json:"requests_changed,omitempty"`
	// Packages are of head: how the versions of its packages differ from base's, such as "hono 4.11.9 to 4.12.0". Bump
	// says that only the first was changed, and its code is that of base. The others moved with it.
	Packages []string `json:"packages_changed,omitempty"`
	Bump     bool     `json:"bump,omitempty"`
}

// VersionsForm is that of an entry of Server.Packages. A lock file of a pull request may have any text.
var VersionsForm = regexp.MustCompile(`^([\w@./~+-]{1,100} [\w.,+!-]{1,60} to [\w.,+!-]{1,60}|and \d{1,6} more)$`)

// MostNamed is how many texts a list of a record has at most, such as the requests that were left out.
const MostNamed = 16

// A Host is the machine, as far as it stays the same between runs. Null is unknown.
type Host struct {
	CPU         *string `json:"cpu"`
	Cores       int     `json:"cores"`
	MemoryBytes *int64  `json:"memory_bytes"`
	OS          *string `json:"os"`
	Kernel      *string `json:"kernel"`
	// Load is the machine of k6 and the stub; nil: it is this one.
	Load *LoadHost `json:"load,omitempty"`
}

// A LoadHost is a second machine, which loads the servers of a Host. Null is unknown.
type LoadHost struct {
	CPU         *string `json:"cpu"`
	Cores       int     `json:"cores"`
	MemoryBytes *int64  `json:"memory_bytes"`
	OS          *string `json:"os"`
	Kernel      *string `json:"kernel"`
	K6          int     `json:"k6"`        // how many share the load
	LinkMbit    *int64  `json:"link_mbit"` // speed of the network card here, per second
}

// AllCores counts the cores of the servers' machine and those of the load's.
func (h Host) AllCores() int {
	if h.Load == nil {
		return h.Cores
	}
	return h.Cores + h.Load.Cores
}

// Facts describes one k6 run.
type Facts struct {
	Round    int           `json:"round"` // from 1
	Scenario string        `json:"scenario"`
	Started  time.Time     `json:"started"`
	Targets  []TargetFacts `json:"targets"`
	// The rest is 0 when no target could be loaded.
	StubPID int `json:"stub_pid"` // 0: it ran on another machine
	K6PID   int `json:"k6_pid"`
	// StubStreams counts the streams or requests that the stub answered completely. StubStreamSeconds sums
	// the time in which they were open. Both include the warm-up. Without an upstream they are those of
	// direct alone.
	StubStreams       int64   `json:"stub_streams"`
	StubStreamSeconds float64 `json:"stub_stream_seconds"`
	// StubTokens counts the tokens that the stub sent to each target, with the warm-up. Null means that an
	// older stub did not count them.
	StubTokens map[string]int64 `json:"stub_tokens"`
	// TurnGaps are servers' own times between two turns of a run, by the stub's clock, by Gaps.
	TurnGaps map[string]hist.Counts `json:"turn_gaps,omitempty"`
	// ThrottledSeconds sums over all cores how long CPU quotas stopped our processes while k6 ran; null:
	// unknown.
	ThrottledSeconds *float64 `json:"throttled_seconds"`
	// Time that k6 ran, and pidstat's CPU time meanwhile.
	Seconds           float64  `json:"seconds"`
	PidstatCPUSeconds float64  `json:"pidstat_cpu_seconds"`
	LoadBefore        *float64 `json:"load_before"`       // load average of the minute before; null: unknown
	Pidstat           string   `json:"pidstat,omitempty"` // fault of pidstat
	// Unsampled says that this machine has no pidstat. Samples are then unknown, and nobody is to blame.
	Unsampled bool `json:"unsampled,omitempty"`
}

// TargetFacts describes one target of a k6 run.
type TargetFacts struct {
	Name string `json:"name"` // as the function Target returns it
	// Error is the reason why there is nothing to measure.
	Error     string   `json:"error,omitempty"`
	Disturbed bool     `json:"disturbed,omitempty"` // the machine caused Error, and the target did not
	Warnings  []string `json:"warnings,omitempty"`  // processes of the server that started or ended under load
	PIDs      []int    `json:"pids,omitempty"`      // empty for direct
	K6PID     int      `json:"k6_pid,omitempty"`    // of the k6 that runs its script; 0: it shares that of the run
	// FirstAnswerMS is the time from the start of the server to its first healthy answer. DeployedBytes is the
	// size of its program, by build.Deployed. Null is direct, or unknown.
	FirstAnswerMS *float64 `json:"first_answer_ms"`
	DeployedBytes *int64   `json:"deployed_bytes"`
	// Database is what the server did to its database; absent without one.
	Database *Database `json:"database,omitempty"`
}

// A Database is what a server did to its database in a k6 run, with the warm-up.
type Database struct {
	Queries int64 `json:"queries"` // statements
	Before  int64 `json:"before"`  // messages
	After   int64 `json:"after"`
}

// Profiles are what perf sampled of the targets of a k6 run, by target.
type Profiles map[string]Profile

// A Profile counts stacks: functions from the outermost on, with ";" between. PeriodUS is the CPU time of one sample.
type Profile struct {
	PeriodUS float64          `json:"period_us"`
	Stacks   map[string]int64 `json:"stacks"`
}

// Services and Backends name watched processes: those of all databases together, and those that serve one target.
const Services = "services"

func Backends(target string) string { return target + " database" }

// Gaps names the gaps of a target on a level, as scripts do in @tally.
func Gaps(target, level string) string { return target + "_" + level }

// Target names a server where both sides of a comparison may occur: go-http, go-http@base.
func Target(server, side string) string {
	if side == "" {
		return server
	}
	return server + "@" + side
}

// Compared reports whether a target is a side of a comparison.
func Compared(target string) bool { return strings.Contains(target, "@") }

// Target is the server's name, with its side in a comparison.
func (s Server) Target() string { return Target(s.Name, s.Side) }

// Dir is the directory of a k6 run. target is "" unless it is loaded alone.
func Dir(root string, round int, scenario, target string) string {
	if target != "" {
		scenario += "." + target
	}
	return filepath.Join(root, strconv.Itoa(round), scenario)
}

// WriteJSON writes v to a file.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
}

// WriteFile replaces a file in one step. After a crash or on a full disk, the old file stays. The file keeps
// its mode.
func WriteFile(path string, write func(io.Writer) error) error {
	part := path + ".part"
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	if info, statErr := os.Stat(path); statErr == nil {
		err = f.Chmod(info.Mode())
	}
	if err := errors.Join(err, write(f), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(part)) // the temporary file may fill the disk
	}
	return os.Rename(part, path)
}

// ReadJSON reads v from a file. Unknown keys are errors. So are missing keys, which would read as 0, unless
// their value may be null.
func ReadJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err = strict.Decode(data, v); err == nil {
		err = complete(data, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; want what this version of scripts/bench wrote", path, err)
	}
	return nil
}

// complete compares the keys of data with the keys of v, which was read from it.
func complete(data []byte, v any) error {
	again, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var seen, want any
	if err := errors.Join(json.Unmarshal(data, &seen), json.Unmarshal(again, &want)); err != nil {
		return err
	}
	return findMissingKey(seen, want)
}

// findMissingKey returns an error that names a key of want that seen does not have.
func findMissingKey(seen, want any) error {
	switch want := want.(type) {
	case map[string]any:
		of, ok := seen.(map[string]any)
		for key, value := range want {
			at, has := of[key]
			if ok && !has && value != nil {
				return fmt.Errorf("no key %q", key)
			}
			if err := findMissingKey(at, value); err != nil {
				return err
			}
		}
	case []any:
		of, _ := seen.([]any) // null has no elements
		for i := range min(len(of), len(want)) {
			if err := findMissingKey(of[i], want[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
