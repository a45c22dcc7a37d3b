package prove

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// A Size is by how many per cent each of some Quantities is to be worse.
type Size map[string]float64

// Quantities that have a size, and the cell that is to find it. They act on
// cells of their own, so that one trial may carry several.
const (
	CPU  = "cpu"  // work for each token
	TTFT = "ttft" // a delay before the first token, for a share of streams
	Tail = "tail" // a delay before the end, likewise
	RSS  = "rss"  // memory for each stream that is open
	Lock = "lock" // CPU time of each stream under stress, as if it spun for a lock
)

// Quantities lists them.
var Quantities = []string{CPU, TTFT, Tail, RSS, Lock}

// Cells are the cells that each quantity is to be found in.
var Cells = map[string]string{
	CPU:  "steady server_cpu_us_per_stream",
	TTFT: "baseline ttft_p95_ms",
	Tail: "stress stream_p95_ms",
	RSS:  "stress-200 server_rss_peak_bytes",
	Lock: throughput,
}

// TailCells are the cells of the levels that the cell of Tail combines.
var TailCells = []string{"stress-100 stream_p95_ms", "stress-200 stream_p95_ms"}

// throughput is also lower where streams end later.
const throughput = "stress rate_per_s"

// criterion is the criterion of a cell.
func criterion(p verdict.Comparison, cell string) (c workload.Criterion, known bool) {
	all := workload.Named(p.Workload).Criteria
	i := slices.IndexFunc(all, func(c workload.Criterion) bool { return c.Name() == cell })
	if i < 0 {
		return c, false
	}
	return all[i], true
}

// parts are the cells of records that a cell combines, or the cell.
func parts(p verdict.Comparison, cell string) (names []string) {
	c, known := criterion(p, cell)
	if !known {
		return []string{cell}
	}
	for _, record := range c.Records() {
		names = append(names, record+" "+c.Metric)
	}
	return names
}

// Combinations are the sizes that are tried unless others are asked for. Each trial has one, since the first
// regression in a deciding cell ends a comparison.
var Combinations = []Size{{CPU: 3}, {CPU: 5}, {TTFT: 10}, {RSS: 5}, {Lock: 4}}

// ParseSize reads cpu=3,ttft=10,rss=5.
func ParseSize(text string) (Size, error) {
	d := Size{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		pct, err := strconv.ParseFloat(value, 64)
		if _, twice := d[name]; twice || err != nil || !(pct > 0 && pct <= 100) || !slices.Contains(Quantities, name) {
			return nil, fmt.Errorf("injected: %q: want NAME=PERCENT, over 0 and up to 100, names once each: %s", part, strings.Join(Quantities, ", "))
		}
		d[name] = pct
	}
	return d, nil
}

// String is what ParseSize reads, in a fixed order.
func (d Size) String() string {
	var parts []string
	for _, name := range Quantities {
		if pct := d[name]; pct > 0 {
			parts = append(parts, fmt.Sprintf("%s=%g", name, pct))
		}
	}
	return strings.Join(parts, ",")
}

// A Task is a trial that is planned: what its head is to be.
type Task struct {
	ID     string `json:"id"` // also the name of its directory
	Kind   Kind   `json:"kind"`
	Server string `json:"server"`          // WORKLOAD/NAME
	Size   Size   `json:"size,omitempty"`  // percent that were meant
	Patch  *Patch `json:"patch,omitempty"` // of head
	Seed   uint64 `json:"seed"`            // of the load, and of a change of the source
	// Neighbour is the share of the machine that a simulated program of somebody else takes meanwhile.
	Neighbour float64 `json:"neighbour,omitempty"`
}

func (t Task) check() error {
	switch _, err := workload.Parse(t.Server); {
	case t.ID == "":
		return errors.New("a trial without id")
	case err != nil:
		return fmt.Errorf("trial %s: %w", t.ID, err)
	case !slices.Contains(Kinds, t.Kind):
		return fmt.Errorf("trial %s: kind %q; want one of %q", t.ID, t.Kind, Kinds)
	case (t.Kind == Injected) != (len(t.Size) > 0):
		return fmt.Errorf("trial %s: kind %q with the size %q; want one where something is injected, and only there", t.ID, t.Kind, t.Size)
	case (t.Kind == Patched) != (t.Patch != nil):
		return fmt.Errorf("trial %s: kind %q, and a patch: %t; want one with kind %s, and only there", t.ID, t.Kind, t.Patch != nil, Patched)
	case t.Patch != nil && t.Patch.Server != t.Server:
		return fmt.Errorf("trial %s: of server %q, with a patch of %q", t.ID, t.Server, t.Patch.Server)
	case !(t.Neighbour >= 0 && t.Neighbour < 1):
		return fmt.Errorf("trial %s: neighbour %g: want a share of the machine, from 0 and below 1", t.ID, t.Neighbour)
	}
	if _, err := ParseSize(t.Size.String()); len(t.Size) > 0 && (err != nil || strings.Count(t.Size.String(), "=") != len(t.Size)) {
		return fmt.Errorf("trial %s: size %v: want some of %s, in per cent", t.ID, map[string]float64(t.Size), strings.Join(Quantities, ", "))
	}
	if t.Patch != nil {
		return t.Patch.Check()
	}
	return nil
}

// A Plan says which trials are wanted. Trials of a kind have the servers in turn.
type Plan struct {
	Seed        uint64
	Servers     []string // WORKLOAD/NAME
	Same, Edits int      // trials of a server against itself, and of edits
	Each        int      // trials of each size and of each patch
	Sizes       []Size
	Patches     []Patch // each is tried on its own server
	Neighbour   float64 // trials beside a neighbour are trials of their own, with other names
}

// Tasks lists the trials in a random order, so that no kind has the quiet hours. It leaves out finished trials. The same
// plan gives the same tasks, and a greater number only adds some.
func (p Plan) Tasks(done []Trial) []Task {
	var tasks []Task
	add := func(n int, servers []string, name string, task Task) {
		if p.Neighbour > 0 {
			name = fmt.Sprintf("%s,neighbour=%g", name, p.Neighbour)
		}
		for i := range n {
			task.Server, task.Neighbour = servers[i%len(servers)], p.Neighbour
			task.ID = fmt.Sprintf("%s-%s-%d", name, strings.ReplaceAll(task.Server, "/", "."), i/len(servers)+1)
			task.Seed = hash(p.Seed, task.ID)
			tasks = append(tasks, task)
		}
	}
	add(p.Same, p.Servers, string(Same), Task{Kind: Same})
	add(p.Edits, p.Servers, string(Edited), Task{Kind: Edited})
	for _, size := range p.Sizes {
		add(p.Each, p.Servers, size.String(), Task{Kind: Injected, Size: size})
	}
	for i, patch := range p.Patches {
		add(p.Each, []string{patch.Server}, patch.Name, Task{Kind: Patched, Patch: &p.Patches[i]})
	}
	random := rand.New(rand.NewPCG(p.Seed, 0))
	random.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
	return slices.DeleteFunc(tasks, func(t Task) bool {
		return slices.ContainsFunc(done, func(d Trial) bool { return d.ID == t.ID })
	})
}

// hash is a task's own seed, which does not depend on what else is planned. 53
// bits, which any reader of JSON keeps.
func hash(seed uint64, id string) uint64 {
	for _, b := range []byte(id) {
		seed = (seed ^ uint64(b)) * 0x9e3779b97f4a7c15
		seed ^= seed >> 32
	}
	return seed >> 11
}
