// Package load knows k6: which scenarios there are, the command lines to run
// one, and what the files say that k6 writes. It runs nothing.
package load

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Env is the environment of every k6 process: no usage report, and no call to
// a build service when a script imports a module that is not built in.
var Env = []string{"K6_NO_USAGE_REPORT=true", "K6_AUTO_EXTENSION_RESOLUTION=false"}

// Scenarios lists the load shapes, ordered by name: one script each in the k6
// directory.
func Scenarios(k6 string) ([]string, error) {
	scripts, err := fs.Glob(os.DirFS(k6), "*.js") // the directory's name is no pattern
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range scripts {
		names = append(names, strings.TrimSuffix(s, ".js"))
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no scenario; want one script per scenario, such as baseline.js", k6)
	}
	slices.Sort(names)
	return names, nil
}

// A Job is one scenario against one URL.
type Job struct {
	K6       string // the k6 directory
	Scenario string
	URL      string // of the server's /chat
	Summary  string // file to write
	Quick    bool   // shortened
	WarmUp   bool   // the warm-up in place of the scenario's load
}

// Bin is the k6 binary in the k6 directory.
func Bin(k6 string) string { return filepath.Join(k6, "bin", "k6") }

// RunArgs is the command line that does a job.
func (j Job) RunArgs() []string {
	args := []string{Bin(j.K6), "run", "--quiet", "--no-color", "--address", "", // no REST API: two k6 at once would clash
		"-e", "TARGET_URL=" + j.URL, "-e", "SUMMARY=" + j.Summary}
	return append(args, j.script()...)
}

// InspectArgs is the command line that prints a job's plan.
func (j Job) InspectArgs() []string {
	return append([]string{Bin(j.K6), "inspect", "--execution-requirements"}, j.script()...)
}

func (j Job) script() []string {
	var args []string
	if j.Quick {
		args = append(args, "-e", "QUICK=1")
	}
	if j.WarmUp {
		args = append(args, "-e", "WARMUP=1")
	}
	return append(args, filepath.Join(j.K6, j.Scenario+".js"))
}

// A Plan is what a scenario asks for.
type Plan struct {
	Duration time.Duration // of the load, without the streams that end after it
	VUs      int           // at most
}

// ParsePlan reads what k6 printed for InspectArgs.
func ParsePlan(data []byte) (Plan, error) {
	var inspected struct {
		Scenarios map[string]struct {
			Duration string
			Stages   []struct{ Duration string }
		}
		MaxVUs int
	}
	if err := json.Unmarshal(data, &inspected); err != nil {
		return Plan{}, fmt.Errorf("k6 inspect: %w", err)
	}
	s, ok := inspected.Scenarios["load"]
	if !ok {
		return Plan{}, errors.New("k6 inspect: no k6 scenario called load; a script makes its options with load() of lib/stream.js")
	}
	durations := []string{s.Duration}
	if s.Duration == "" {
		durations = nil
		for _, stage := range s.Stages {
			durations = append(durations, stage.Duration)
		}
	}
	plan := Plan{VUs: inspected.MaxVUs}
	for _, text := range durations {
		d, err := time.ParseDuration(text)
		if err != nil {
			return Plan{}, fmt.Errorf("k6 inspect: %w", err)
		}
		plan.Duration += d
	}
	return plan, nil
}
