// Package raw is the form of a run's raw files: the only place where the
// package that writes them, run, and the one that reads them, record, meet.
//
//	DIR/run.json                              what was planned, and where
//	DIR/ROUND/TARGET/SCENARIO/facts.json      what happened; written last, so its presence means "whole"
//	DIR/ROUND/TARGET/SCENARIO/k6.json         k6's summary
//	DIR/ROUND/TARGET/SCENARIO/pidstat.txt     pidstat's samples
//	DIR/ROUND/TARGET/SCENARIO/warm-up.json    k6's summary of the warm-up
//	DIR/ROUND/TARGET/SCENARIO/*.log           output of server, stub, k6 and its warm-up
package raw

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Names of the files in a directory of raw files.
const (
	RunFile     = "run.json"
	FactsFile   = "facts.json"
	SummaryFile = "k6.json"
	WarmUpFile  = "warm-up.json"
	PidstatFile = "pidstat.txt"
)

// A Run is what one invocation set out to do, and on what.
type Run struct {
	ID        string            `json:"id"`
	Started   time.Time         `json:"started"`
	Commit    *string           `json:"commit"` // null outside a git checkout
	Dirty     *bool             `json:"dirty"`  // true when the checkout differed from the commit
	Quick     bool              `json:"quick"`
	Rounds    int               `json:"rounds"`
	Seed      uint64            `json:"seed"`
	Scenarios []string          `json:"scenarios"`
	Servers   []Server          `json:"servers"`
	Host      Host              `json:"host"`
	Tools     map[string]string `json:"tools"` // versions, as the tools told them
}

// A Server is one server of a run, or one side of it in a pair.
type Server struct {
	Name      string            `json:"name"`
	Language  string            `json:"language"`
	Framework string            `json:"framework"`
	Side      string            `json:"side"`   // base or head in a pair; else ""
	Commit    *string           `json:"commit"` // that its code is of; null when it is not committed as it is
	Tree      *string           `json:"tree"`   // git's hash of the directory; null likewise
	Versions  map[string]string `json:"versions"`
}

// A Host is the machine: what stays the same between runs. Null is unknown.
type Host struct {
	CPU         *string `json:"cpu"`
	Cores       int     `json:"cores"`
	MemoryBytes *int64  `json:"memory_bytes"`
	OS          *string `json:"os"`
	Kernel      *string `json:"kernel"`
}

// Facts is what happened to one server in one round and scenario.
type Facts struct {
	Round    int       `json:"round"`    // from 1
	Position int       `json:"position"` // of the target within its round, from 1
	Target   string    `json:"target"`   // as the function of that name has it
	Scenario string    `json:"scenario"`
	Started  time.Time `json:"started"`
	// Error says why there is nothing to measure. The rest is then absent.
	Error string `json:"error,omitempty"`
	// Doubts are what was seen that makes the figures suspect.
	Doubts []string `json:"doubts,omitempty"`
	// StubStreams is how many streams the stub sent whole, StubStreamSeconds
	// the time its streams were open, summed.
	StubStreams       int64   `json:"stub_streams"`
	StubStreamSeconds float64 `json:"stub_stream_seconds"`
	// PIDs by role: server, stub, k6.
	PIDs map[string][]int `json:"pids,omitempty"`
	// CPUSeconds by role, over the load: warm-up excluded; k6's start included.
	CPUSeconds map[string]float64 `json:"cpu_seconds,omitempty"`
	// PeakRSSBytes by role, over the load.
	PeakRSSBytes map[string]int64 `json:"peak_rss_bytes,omitempty"`
}

// Target is how a server is called where both sides of a pair may be:
// go-http, go-http@base.
func Target(server, side string) string {
	if side == "" {
		return server
	}
	return server + "@" + side
}

// Dir is the directory of one target in one round and scenario.
func Dir(root string, round int, target, scenario string) string {
	return filepath.Join(root, strconv.Itoa(round), target, scenario)
}

// WriteJSON writes v to a file.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	// Whole or not at all, also when we are killed here.
	if err := os.WriteFile(path+".part", append(data, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// ReadJSON reads v from a file and is strict about its keys.
func ReadJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
