package load

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/process"
)

// A Script is a k6 script of somebody's own, and the server that it loads.
type Script struct {
	K6      string            // the k6 directory
	Path    string            // of the script
	BaseURL string            // of the server
	Env     map[string]string // of its server.json
}

// thresholdsCrossed is k6's exit status when a threshold was crossed. The run was complete, unless the threshold aborts it.
const thresholdsCrossed = 99

func (s Script) command(args ...string) process.Command {
	c := process.Command{Args: append([]string{K6Bin(s.K6)}, append(args, s.Path)...), Dir: filepath.Dir(s.Path), Bare: true}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		c.Env = append(c.Env, name+"="+s.Env[name])
	}
	c.Env = append(c.Env, K6Env...)                                                  // the last of a name counts
	c.Env = append(c.Env, "BASE_URL="+s.BaseURL, "K6_INSECURE_SKIP_TLS_VERIFY=true") // servers on loopback sign their certificates themselves
	return c
}

// Plan asks k6 how long the script runs. The error is the script's.
func (s Script) Plan(ctx context.Context) (K6Plan, error) {
	out, err := process.Output(ctx, s.command("inspect", "--execution-requirements", "--include-system-env-vars"))
	if err != nil && strings.Contains(err.Error(), "couldn't be retrieved from the resolved url") {
		return K6Plan{}, fmt.Errorf("script: k6 cannot download a module that it imports by URL; let this machine reach that host, or import a copy in the repository: %w", err)
	}
	if err != nil {
		return K6Plan{}, fmt.Errorf("script: %w", err)
	}
	var inspected struct {
		Total string `json:"totalDuration"`
	}
	if err := json.Unmarshal([]byte(out), &inspected); err != nil {
		return K6Plan{}, fmt.Errorf("script: k6 inspect: %w", err)
	}
	total, err := time.ParseDuration(inspected.Total)
	if err != nil || total <= 0 || total > mostScript {
		return K6Plan{}, fmt.Errorf("script: k6 plans %s for it; want at most %v, since each of 4 rounds or more lasts as long", inspected.Total, mostScript)
	}
	return K6Plan{Duration: total, Levels: []string{ScriptLevel}}, nil
}

// ScriptLevel is the level of the load in the output of k6.
const ScriptLevel = "script"

// mostScript is how long a script may run.
const mostScript = 15 * time.Minute

// A scriptRun is a k6 that runs a script. Its files are in a temporary directory that only our user can read: see WriteTargets.
type scriptRun struct {
	*process.Process
	target *raw.TargetFacts
	dir    string
	remove func() error
}

func (r scriptRun) summary() string { return filepath.Join(r.dir, raw.SummaryFile) }

// A scriptJob is what our output of k6 reads.
type scriptJob struct {
	Target     string           `json:"target"`
	BaseURL    string           `json:"base_url"`
	FirstSlice int              `json:"first_slice"`
	Summary    string           `json:"summary"`
	Watched    map[string][]int `json:"watched"`
	Cores      []int            `json:"cores"`
}

// start begins the script. Its log goes to a file.
func (s Script) start(job scriptJob, cpus, log string) (r scriptRun, err error) {
	if r.dir, r.remove, err = files.MkdirTemp("", "fairstream-script-"); err != nil {
		return r, err
	}
	job.BaseURL, job.Summary = s.BaseURL, r.summary()
	text, err := json.Marshal(job)
	file := filepath.Join(r.dir, "job.json")
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err == nil {
		c := s.command("run", "--quiet", "--no-color", "--address", "", "--out", "fairstream="+file)
		c.CPUs = cpus
		r.Process, err = process.Start(c, log)
	}
	if err != nil {
		return r, errors.Join(err, r.remove())
	}
	return r, nil
}

// end stops k6 and removes its files.
func (r scriptRun) end() {
	r.Stop()
	_ = r.remove() // best effort: a temporary directory
}

// script is that of a target at an address.
func (l k6Run) script(t Target, url string) Script {
	return Script{K6: filepath.Join(l.Root, "k6"), Path: t.Script, BaseURL: url, Env: t.ScriptEnv}
}

// planScripts is the plan of the longest script.
func (o Options) planScripts(ctx context.Context, targets []Target) (plan K6Plan, err error) {
	for _, t := range targets {
		if t.Script == "" {
			continue // it is broken
		}
		one, err := k6Run{Options: o}.script(t, t.Server.Declared.URL(1)).Plan(ctx)
		if err != nil {
			return plan, fmt.Errorf("%s: %w", t.Name(), err)
		}
		plan.Duration = max(plan.Duration, one.Duration)
	}
	plan.Levels = []string{ScriptLevel}
	return plan, nil
}

// startScripts begins the scripts of all subjects at the same time. Each k6 reads the clocks of all servers.
func (l k6Run) startScripts(job K6Command, dir string, ready []subject) (all k6s, err error) {
	for i, s := range ready {
		run, err := l.script(l.target(s.facts.Name), s.url).start(scriptJob{
			Target: s.facts.Name, FirstSlice: 2 * i, Watched: job.Watched, Cores: job.Cores,
		}, l.Placement.rig(), filepath.Join(dir, "k6."+s.facts.Name+".log"))
		if err != nil {
			all.end()
			return all, err
		}
		run.target = s.facts
		s.facts.K6PID = run.Pid
		all.scripts = append(all.scripts, run)
		all.processes = append(all.processes, run.Process)
	}
	return all, nil
}

// conclude joins what all k6 wrote. A script that fails is a fault of its target: the same script may work on the other.
func (all k6s) conclude(ctx context.Context, summary string) error {
	if all.machine != nil {
		return all.fetch(ctx, summary)
	}
	if all.scripts == nil {
		return nil
	}
	var written []string
	for _, r := range all.scripts {
		if status := r.ExitStatus(); status != 0 && status != thresholdsCrossed {
			r.target.Error = cmp.Or(r.target.Error, fmt.Sprintf("the script failed: k6 %v", r.Gone()))
			continue
		}
		written = append(written, r.summary())
	}
	return raw.JoinScripts(summary, written...)
}
