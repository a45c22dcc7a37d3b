package load

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairstream/k6/shared/request"
	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/server"
)

// K6Env is the environment of every k6 process. It turns off usage reports. It also turns off the build
// service, which k6 would call for a script with an unknown module.
var K6Env = []string{"K6_NO_USAGE_REPORT=true", "K6_AUTO_EXTENSION_RESOLUTION=false"}

// A K6Command is one script and its targets.
type K6Command struct {
	K6       string // the k6 directory
	Workload string
	Scenario string   // ranking, compare or soak: the script
	Only     []string // scenarios of a ranking; nil: all
	Targets  []K6Target
	Watched  map[string][]int // pids by name; k6 notes their CPU time and memory
	Cores    []int            // cores whose time k6 notes; empty means all
	Seed     uint32           // decides the order of slices
	Summary  string           // output file
	// Of several k6 that share the load: the number of this one from 1 on, how many there are, and the address of its REST API.
	Part, Parts int
	API         string
	Quick       bool  // shortens the load
	LoadMS      int64 // of each level side by side; 0: from the scenario
	raw.LoadChange
	// Loads are the requests that servers declare, by server. Both sides of a server get the same. Other workloads
	// have none.
	Loads map[string]server.Traffic
}

// A K6Target is a name and an address for k6 to load.
type K6Target struct {
	Name string `json:"name"`
	URL  string `json:"url"` // of the server or the stub, with the workload's path
}

// K6Bin is the k6 binary in the k6 directory.
func K6Bin(k6 string) string { return filepath.Join(k6, "bin", "k6") }

// WriteTargets writes the targets and the watched pids to a temporary file for k6. The caller removes it.
// Only our user can read it. Everybody on the machine can read a command line. Knowing which port is base,
// they could load it alone and so cause a verdict.
func (j K6Command) WriteTargets() (file string, remove func() error, err error) {
	text, err := json.Marshal(j.given())
	if err != nil {
		return "", nil, err
	}
	dir, remove, err := files.MkdirTemp("", "fairstream-targets-")
	if err != nil {
		return "", nil, err
	}
	file = filepath.Join(dir, "targets.json")
	if err := os.WriteFile(file, append(text, '\n'), 0o600); err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return file, remove, nil
}

// A given is the content of the file of targets.
type given struct {
	Targets []K6Target              `json:"targets"`
	Watched map[string][]int        `json:"watched"`
	Rings   map[string]request.Ring `json:"rings,omitempty"`   // by target, in the form of k6/x/plain
	Answers []request.Answer        `json:"answers,omitempty"` // of the stub to direct, in the form of its POST /answers
}

func (j K6Command) given() given {
	g := given{Targets: j.Targets, Watched: j.Watched}
	if j.Loads == nil {
		return g
	}
	g.Rings = map[string]request.Ring{}
	var all []server.Traffic
	var names []string
	for _, t := range j.Targets {
		name, _, _ := strings.Cut(t.Name, "@")
		l, ok := j.Loads[name]
		if !ok {
			continue // direct
		}
		g.Rings[t.Name] = l.ToServer(uint64(j.Seed))
		if !slices.Contains(names, name) {
			all, names = append(all, l), append(names, name)
		}
	}
	if all == nil { // direct alone, in a solo run
		for _, name := range slices.Sorted(maps.Keys(j.Loads)) {
			all = append(all, j.Loads[name])
		}
	}
	g.Rings[raw.Direct], g.Answers = server.ToDirect(all, uint64(j.Seed))
	return g
}

// RunArgs is the command line that runs a job with the file of WriteTargets.
func (j K6Command) RunArgs(targets string) []string {
	cores, err := json.Marshal(append([]int{}, j.Cores...))
	if err != nil {
		panic(err) // numbers always encode
	}
	args := []string{K6Bin(j.K6), "run", "--quiet", "--no-color", "--address", j.API, // without a REST API, since two k6 at once would want the same port
		"-e", "CORES=" + string(cores), "-e", "SUMMARY=" + j.Summary}
	if j.Parts > 1 {
		points := []string{"0"}
		for n := 1; n < j.Parts; n++ {
			points = append(points, fmt.Sprintf("%d/%d", n, j.Parts))
		}
		points = append(points, "1")
		args = append(args, "--paused", "--execution-segment", points[j.Part-1]+":"+points[j.Part], "--execution-segment-sequence", strings.Join(points, ","), "-e", fmt.Sprint("INSTANCES=", j.Parts))
	}
	return append(args, j.script(targets)...)
}

// InspectArgs is the command line that prints a job's plan with the file of WriteTargets.
func (j K6Command) InspectArgs(targets string) []string {
	return append([]string{K6Bin(j.K6), "inspect", "--execution-requirements"}, j.script(targets)...)
}

func (j K6Command) script(targets string) []string {
	args := []string{"-e", "TARGETS_FILE=" + targets, "-e", fmt.Sprint("SEED=", j.Seed)}
	if len(j.Only) > 0 {
		args = append(args, "-e", "SCENARIOS="+strings.Join(j.Only, ","))
	}
	if j.Quick {
		args = append(args, "-e", "QUICK=1")
	}
	if j.LoadMS > 0 {
		args = append(args, "-e", fmt.Sprint("LOAD_MS=", j.LoadMS))
	}
	if j.SliceMS > 0 {
		args = append(args, "-e", fmt.Sprint("SLICE_MS=", j.SliceMS))
	}
	if j.VUDivisor > 1 {
		args = append(args, "-e", fmt.Sprint("VU_DIVISOR=", j.VUDivisor))
	}
	if j.RatePerS > 0 {
		args = append(args, "-e", fmt.Sprint("RATE_PER_S=", j.RatePerS))
	}
	return append(args, filepath.Join(j.K6, j.Workload, j.Scenario+".js"))
}

// A K6Plan is what a scenario asks for.
type K6Plan struct {
	Duration time.Duration // duration of the load, without warm-up and last requests
	Levels   []string      // in order; one level without a name if the scenario has none
}

// ParseK6Plan reads the output of k6 for InspectArgs.
func ParseK6Plan(data []byte) (K6Plan, error) {
	var inspected struct {
		Scenarios map[string]struct {
			Env struct {
				PlannedMS string `json:"PLANNED_MS"`
				Levels    string `json:"LEVELS"`
			}
		}
	}
	if err := json.Unmarshal(data, &inspected); err != nil {
		return K6Plan{}, fmt.Errorf("k6 inspect: %w", err)
	}
	s, ok := inspected.Scenarios["load"]
	if !ok {
		return K6Plan{}, errors.New("k6 inspect: no k6 scenario called load; a script makes its options with plan() of lib/slices.js")
	}
	ms, err := strconv.ParseInt(s.Env.PlannedMS, 10, 64)
	if err != nil || ms < 1 || ms > int64(24*time.Hour/time.Millisecond) {
		return K6Plan{}, fmt.Errorf("k6 inspect: PLANNED_MS is %q; want milliseconds, at most a day", s.Env.PlannedMS)
	}
	plan := K6Plan{Duration: time.Duration(ms) * time.Millisecond}
	if err := json.Unmarshal([]byte(s.Env.Levels), &plan.Levels); err != nil || len(plan.Levels) == 0 {
		return K6Plan{}, fmt.Errorf("k6 inspect: LEVELS is %q; want a list of names, as JSON", s.Env.Levels)
	}
	return plan, nil
}
