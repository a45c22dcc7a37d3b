package prove

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// A Patch is a regression in the sources of a server. Nothing measures how large it is.
type Patch struct {
	Name   string  `json:"name"`   // of its file
	Server string  `json:"server"` // WORKLOAD/NAME
	What   string  `json:"what"`
	Cell   string  `json:"cell"` // the deciding cell that should find it
	Pct    float64 `json:"pct"`  // intended change of that cell
}

// Check reports what is wrong with a patch. Its cell must decide, since other cells need not be found.
func (p Patch) Check() error {
	server, err := workload.Parse(p.Server)
	if err != nil {
		return fmt.Errorf("patch %s: %w", p.Name, err)
	}
	var deciding []string
	for _, c := range workload.Named(server.Workload).Criteria {
		if c.Decides != "" {
			deciding = append(deciding, c.Name())
		}
	}
	switch {
	case p.Name == "" || p.What == "":
		return fmt.Errorf("patch %q of %s injects %q: want a name and a sentence", p.Name, p.Server, p.What)
	case !slices.Contains(deciding, p.Cell):
		return fmt.Errorf("patch %s: %q does not decide on %s; want one of %s", p.Name, p.Cell, p.Server, strings.Join(deciding, ", "))
	case p.Pct == 0 || p.Pct < -100 || p.Pct > 1000:
		return fmt.Errorf("patch %s: a change of %g %%; want one of -100 to 1000, below 0 where less is worse", p.Name, p.Pct)
	}
	return nil
}

// A PatchTask is a comparison that is planned. Head has a patch, or without one it is the same as base.
type PatchTask struct {
	ID     string `json:"id"` // also the name of its directory
	Server string `json:"server"`
	Patch  *Patch `json:"patch,omitempty"`
	Seed   uint64 `json:"seed"`
}

// A PatchTrial is a finished comparison, on one line of a file. It keeps no verdict: the rules of the day give that again.
type PatchTrial struct {
	PatchTask
	Started     time.Time          `json:"started"`
	Comparison  verdict.Comparison `json:"comparison"` // until it was decided
	WallSeconds float64            `json:"wall_seconds"`
}

// PlanPatches lists a trial of each patch, and some trials without a change of each server that is patched. The order is
// random, so that no kind has the quiet hours. It leaves out finished trials. A greater number only adds trials.
func PlanPatches(seed uint64, same int, patches []Patch, done []PatchTrial) []PatchTask {
	var tasks []PatchTask
	var servers []string
	for i, p := range patches {
		tasks = append(tasks, PatchTask{ID: "patch-" + p.Name, Server: p.Server, Patch: &patches[i]})
		if slices.Contains(servers, p.Server) {
			continue
		}
		servers = append(servers, p.Server)
		for n := range same {
			tasks = append(tasks, PatchTask{ID: fmt.Sprintf("%s-%s-%d", Same, strings.ReplaceAll(p.Server, "/", "."), n+1), Server: p.Server})
		}
	}
	for i := range tasks {
		tasks[i].Seed = hash(seed, tasks[i].ID)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
	return slices.DeleteFunc(tasks, func(t PatchTask) bool {
		return slices.ContainsFunc(done, func(d PatchTrial) bool { return d.ID == t.ID })
	})
}

// WritePatchTrial writes a line.
func WritePatchTrial(w io.Writer, t PatchTrial) error {
	t.WallSeconds, t.Comparison = Round(t.WallSeconds), rounded(t.Comparison)
	return writeLine(w, t)
}

// AddPatchTrial writes a line behind the whole ones of a file.
func AddPatchTrial(path string, t PatchTrial) error { return addLine(path, t, WritePatchTrial) }

// ReadPatchTrials reads such lines strictly.
func ReadPatchTrials(r io.Reader) ([]PatchTrial, error) {
	return readLines(r, func(t PatchTrial) string { return t.ID }, PatchTrial.check)
}

func (t PatchTrial) check() error {
	at := workload.Server{Workload: t.Comparison.Workload, Name: t.Comparison.Server}
	switch {
	case t.ID == "":
		return fmt.Errorf("a trial without id")
	case at.String() != t.Server || workload.Check(at.Workload) != nil:
		return fmt.Errorf("trial %s: of server %q, with a comparison of %q", t.ID, t.Server, at)
	case t.Patch != nil && t.Patch.Server != t.Server:
		return fmt.Errorf("trial %s: of server %q, with a patch of %q", t.ID, t.Server, t.Patch.Server)
	case t.Comparison.Planned < 1 || !(t.WallSeconds >= 0):
		return fmt.Errorf("trial %s: %d rounds planned, %g s", t.ID, t.Comparison.Planned, t.WallSeconds)
	case t.Patch != nil:
		return t.Patch.Check()
	}
	return nil
}

// judgePatches judges trials.
func judgePatches(trials []PatchTrial) []result {
	all := make([]Trial, len(trials))
	for i, t := range trials {
		all[i] = Trial{Task: Task{ID: t.ID, Kind: Same}, Started: t.Started, Comparison: t.Comparison}
	}
	return judgeAll(all)
}
