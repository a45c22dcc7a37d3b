// Package load knows k6's command lines: it lists the scenarios, and writes and
// reads what k6 is asked. It runs nothing. Package raw reads what k6 writes.
package load

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairstream/scripts/internal/workload"
)

// Env is the environment of every k6 process: no usage report, and no call to
// a build service when a script imports a module that is not built in.
var Env = []string{"K6_NO_USAGE_REPORT=true", "K6_AUTO_EXTENSION_RESOLUTION=false"}

// Scenarios lists the load shapes, ordered by name: one script each in the
// workload's directory of the k6 directory.
func Scenarios(k6 string) ([]string, error) {
	dir := filepath.Join(k6, workload.Names[0])
	scripts, err := fs.Glob(os.DirFS(dir), "*.js") // the directory's name is no pattern
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range scripts {
		names = append(names, strings.TrimSuffix(s, ".js"))
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no scenario; want one script per scenario, such as baseline.js", dir)
	}
	slices.Sort(names)
	return names, nil
}

// A Job is one scenario and whom it loads.
type Job struct {
	K6       string // the k6 directory
	Scenario string
	Targets  []Target
	Watched  map[string][]int // pids by name, whose CPU time and memory k6 notes
	Cores    []int            // whose time k6 notes; none is all of the machine
	Seed     uint32           // of the order of slices
	Summary  string           // file to write
	Quick    bool             // shortened
	Load     time.Duration    // of each level side by side; 0 is as it says itself
	Slice    time.Duration    // of each slice where targets take slices; likewise
}

// A Target is what is loaded.
type Target struct {
	Name string `json:"name"`
	URL  string `json:"url"` // of the server's /chat, or of the stub's completions
}

// Bin is the k6 binary in the k6 directory.
func Bin(k6 string) string { return filepath.Join(k6, "bin", "k6") }

// RunArgs is the command line that does a job.
func (j Job) RunArgs() []string {
	watched, err := json.Marshal(j.Watched)
	if err != nil {
		panic(err) // names and numbers
	}
	cores, err := json.Marshal(append([]int{}, j.Cores...))
	if err != nil {
		panic(err) // numbers
	}
	args := []string{Bin(j.K6), "run", "--quiet", "--no-color", "--address", "", // no REST API: two k6 at once would clash
		"-e", "WATCHED=" + string(watched), "-e", "CORES=" + string(cores), "-e", "SUMMARY=" + j.Summary}
	return append(args, j.script()...)
}

// InspectArgs is the command line that prints a job's plan.
func (j Job) InspectArgs() []string {
	return append([]string{Bin(j.K6), "inspect", "--execution-requirements"}, j.script()...)
}

func (j Job) script() []string {
	targets, err := json.Marshal(j.Targets)
	if err != nil {
		panic(err) // names
	}
	args := []string{"-e", "TARGETS=" + string(targets), "-e", fmt.Sprint("SEED=", j.Seed)}
	if j.Quick {
		args = append(args, "-e", "QUICK=1")
	}
	if j.Load > 0 {
		args = append(args, "-e", fmt.Sprint("LOAD_MS=", j.Load.Milliseconds()))
	}
	if j.Slice > 0 {
		args = append(args, "-e", fmt.Sprint("SLICE_MS=", j.Slice.Milliseconds()))
	}
	return append(args, filepath.Join(j.K6, workload.Names[0], j.Scenario+".js"))
}

// A Plan is what a scenario asks for.
type Plan struct {
	Duration time.Duration // of the load, without warm-up and the streams that end after it
	Levels   []string      // in their order; one without a name for a scenario that has none
}

// ParsePlan reads what k6 printed for InspectArgs.
func ParsePlan(data []byte) (Plan, error) {
	var inspected struct {
		Scenarios map[string]struct {
			Env struct {
				PlannedMS string `json:"PLANNED_MS"`
				Levels    string `json:"LEVELS"`
			}
		}
	}
	if err := json.Unmarshal(data, &inspected); err != nil {
		return Plan{}, fmt.Errorf("k6 inspect: %w", err)
	}
	s, ok := inspected.Scenarios["load"]
	if !ok {
		return Plan{}, errors.New("k6 inspect: no k6 scenario called load; a script makes its options with plan() of lib/stream.js")
	}
	ms, err := strconv.ParseInt(s.Env.PlannedMS, 10, 64)
	if err != nil || ms < 1 || ms > int64(24*time.Hour/time.Millisecond) {
		return Plan{}, fmt.Errorf("k6 inspect: PLANNED_MS is %q; want milliseconds, at most a day", s.Env.PlannedMS)
	}
	plan := Plan{Duration: time.Duration(ms) * time.Millisecond}
	if err := json.Unmarshal([]byte(s.Env.Levels), &plan.Levels); err != nil || len(plan.Levels) == 0 {
		return Plan{}, fmt.Errorf("k6 inspect: LEVELS is %q; want a list of names, as JSON", s.Env.Levels)
	}
	return plan, nil
}
