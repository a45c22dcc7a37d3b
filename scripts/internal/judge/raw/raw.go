// Package raw is the form of a run's raw files: the only place where the
// package that writes them, run, and the one that reads them, record, meet.
//
//	DIR/run.json                       what was planned, and where
//	DIR/ROUND/K6_RUN/facts.json       what happened; written last, so its presence means "whole"
//	DIR/ROUND/K6_RUN/k6.json          what k6 saw: slices and histograms
//	DIR/ROUND/K6_RUN/pidstat.txt      pidstat's samples
//	DIR/ROUND/K6_RUN/*.log            output of k6, of the stub and of each target
//
// A k6 run is one run of k6: a scenario with all targets, or, for a solo run,
// with one of them.
package raw

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"fairstream/scripts/internal/files/jsonl"
)

// Names of the files in a directory of raw files.
const (
	RunFile     = "run.json"
	FactsFile   = "facts.json"
	SummaryFile = "k6.json"
	PidstatFile = "pidstat.txt"
)

// Direct is the name of the target that is the stub itself, without a server
// between: what the rig costs and adds.
const Direct = "direct"

// A Run is what one invocation set out to do, and on what.
type Run struct {
	ID        string            `json:"id"`
	Started   time.Time         `json:"started"`
	Commit    *string           `json:"commit"` // null outside a git checkout
	Dirty     *bool             `json:"dirty"`  // true when the checkout differed from the commit
	Quick     bool              `json:"quick"`
	Solo      bool              `json:"solo"`           // each target alone, one after the other
	Same      bool              `json:"same,omitempty"` // of a comparison: also what is the same program on both sides
	LoadMS    int64             `json:"load_ms"`        // of each level side by side; 0 is as the scenario says
	SliceMS   int64             `json:"slice_ms"`       // of each slice where targets take slices; likewise
	Rounds    int               `json:"rounds"`
	Ended     int               `json:"ended,omitempty"` // the last round, when all was done; 0: it was not finished
	Seed      uint64            `json:"seed"`
	Workload  string            `json:"workload"` // of all its servers
	Scenarios []Scenario        `json:"scenarios"`
	Servers   []Server          `json:"servers"`
	Host      Host              `json:"host"`
	Placement string            `json:"placement"` // who may use which cores: shared or split
	Rig       string            `json:"rig"`       // hash of the sources of k6, its scripts and the stub
	Tools     map[string]string `json:"tools"`     // versions, as the tools told them
}

// A Scenario is a load shape and its levels, in their order; one that has
// none has the level "".
type Scenario struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
}

// A Server is one server of a run, or one side of it in a comparison.
type Server struct {
	Name          string            `json:"name"`
	Language      string            `json:"language"`
	Framework     string            `json:"framework"`
	Side          string            `json:"side"`     // base or head in a comparison; else ""
	Commit        *string           `json:"commit"`   // that its code is of; null when it is not committed as it is
	Tree          *string           `json:"tree"`     // git's hash of the directory; null likewise
	Artefact      *string           `json:"artefact"` // hash of what was built; null: it was not
	Versions      map[string]string `json:"versions"`
	MissingChecks []string          `json:"missing_checks"` // checks of what the contract says that it should do, which it failed: "C4 nodelay"
}

// A Host is the machine: what stays the same between runs. Null is unknown.
type Host struct {
	CPU         *string `json:"cpu"`
	Cores       int     `json:"cores"`
	MemoryBytes *int64  `json:"memory_bytes"`
	OS          *string `json:"os"`
	Kernel      *string `json:"kernel"`
}

// Facts is what happened in one k6 run.
type Facts struct {
	Round    int           `json:"round"` // from 1
	Scenario string        `json:"scenario"`
	Started  time.Time     `json:"started"`
	Targets  []TargetFacts `json:"targets"`
	// The rest is 0 when no target could be loaded.
	StubPID int `json:"stub_pid"`
	K6PID   int `json:"k6_pid"`
	// StubStreams is how many streams the stub sent whole, StubStreamSeconds
	// the time its streams were open, summed; warm-up included.
	StubStreams       int64   `json:"stub_streams"`
	StubStreamSeconds float64 `json:"stub_stream_seconds"`
	// StubTokens is how many tokens the stub has written for each target, warm-up
	// included; null: it was of a time when the stub did not count them.
	StubTokens map[string]int64 `json:"stub_tokens"`
	// ThrottledSeconds is how long CPU quotas stopped our processes, on all cores
	// together, while k6 ran; null: unknown.
	ThrottledSeconds *float64 `json:"throttled_seconds"`
	// How long k6 ran, and the CPU time of pidstat meanwhile.
	Seconds           float64  `json:"seconds"`
	PidstatCPUSeconds float64  `json:"pidstat_cpu_seconds"`
	LoadBefore        *float64 `json:"load_before"`       // load average of the minute before; null: unknown
	Pidstat           string   `json:"pidstat,omitempty"` // what went wrong with pidstat
}

// TargetFacts is what happened to one target.
type TargetFacts struct {
	Name string `json:"name"` // as the function Target has it
	// Error says why there is nothing to measure.
	Error     string   `json:"error,omitempty"`
	Disturbed bool     `json:"disturbed,omitempty"` // the machine is to blame for that, not the target
	Warnings  []string `json:"warnings,omitempty"`  // processes of the server that came or went under load
	PIDs      []int    `json:"pids,omitempty"`      // none for direct
}

// Target is how a server is called where both sides of a comparison may be:
// go-http, go-http@base.
func Target(server, side string) string {
	if side == "" {
		return server
	}
	return server + "@" + side
}

// Target is the server's name in the run, with its side in a comparison.
func (s Server) Target() string { return Target(s.Name, s.Side) }

// Dir is the directory of a k6 run; target is "" unless it is loaded alone.
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

// WriteFile writes a file whole or not at all, also when we are killed or the disk is
// full: until it is whole, and on the disk, the one that was there stays. Its mode is kept.
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
		return errors.Join(err, os.Remove(part)) // it may be what fills the disk
	}
	return os.Rename(part, path)
}

// ReadJSON reads v from a file. It is strict about keys: one that is unknown is an
// error, and so is one that is missing, unless it may be null: it would be read as 0.
func ReadJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err = jsonl.Strict(data, v); err == nil {
		err = complete(data, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; want what this version of scripts/bench wrote", path, err)
	}
	return nil
}

// complete compares the keys of JSON with those that v, which was read from it, is
// written with.
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

// findMissingKey is an error that names a key of want that seen has not.
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
		of, _ := seen.([]any) // null is none
		for i := range min(len(of), len(want)) {
			if err := findMissingKey(of[i], want[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
