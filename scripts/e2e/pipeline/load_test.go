package pipeline

import (
	"archive/zip"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// load stands in for "scripts/bench run" and "compare". It loads nothing, and makes records with the figures
// in servers/relay/NAME/speed at that commit, and those of direct. That file holds words such as rate=1000
// p95=50 rss=20. It may hold faults: fail is the server's. crash (no records), forge and garble (of the
// upload) are the harness's, in a job that loads this server alone.
func load() error {
	events := flag.NewFlagSet("load", flag.ContinueOnError)
	at := events.String("at", "", "")
	base := events.String("base", "", "")
	head := events.String("head", "", "")
	confirm := events.Bool("confirm", false, "")
	halves := events.Bool("bisect", false, "")
	scenarios := events.String("scenario", "", "")
	rounds := events.Int("rounds", 1, "")
	once := events.Bool("once", false, "")
	sharedBy := events.Int("shared-by", 1, "")
	quick := events.Bool("quick", false, "")
	events.Duration("within", 0, "") // no load takes time
	out := events.String("o", "", "")
	command := os.Getenv("PIPELINE_COMMAND")
	if err := events.Parse(os.Args[1:]); err != nil {
		return err
	}
	if events.NArg() == 0 || *out == "" || (command == "run") != (*at != "" && *base == "" && *head == "") || (command == "compare") != (*at == "" && *base != "" && *head != "" && *scenarios == "" && events.NArg() == 1 && *confirm == *halves && *once == *confirm) {
		return fmt.Errorf("%s %q: not how the workflow is to call it", command, os.Args[1:])
	}
	targets := []target{direct}
	for _, server := range events.Args() {
		name := strings.TrimPrefix(server, "relay/")
		for _, of := range [][2]string{{"", *at}, {"base", *base}, {"head", *head}} {
			side, commit := of[0], of[1]
			if commit == "" {
				continue
			}
			t, err := extracted(name, side, commit)
			if err != nil {
				return err
			}
			targets = append(targets, t)
		}
	}
	words := targets[len(targets)-1].words
	if events.NArg() > 1 {
		words = ""
	}
	if strings.Contains(words, "crash") {
		return errors.New("the harness broke")
	}
	harness, err := git("rev-parse", "HEAD")
	if err != nil {
		return err
	}
	clean := false
	started := time.Now().UTC().Truncate(time.Second)
	run := record.Run{
		ID: filepath.Base(*out), Commit: &harness, Dirty: &clean, Asked: raw.Asked{Quick: *quick, Rounds: *rounds, Once: *once, SharedBy: *sharedBy, Seed: rand.Uint64N(1 << 32)},
	}
	if run.SharedBy == 1 {
		run.SharedBy = 0
	}
	var records []record.Record
	failed, ended := false, false
	for round := 1; round <= *rounds && !ended; round++ {
		of := recordsOf(targets, run, round, started, loaded(command, *scenarios))
		failed = failed || slices.ContainsFunc(of, func(r record.Record) bool { return r.Status == record.Invalid })
		records = append(records, of...)
		if command == "compare" { // as in a comparison: until everything is decided, and without servers that cannot be loaded
			a := verdict.Compare(records)[0]
			ended = a.Done || failed
			failed = failed || ended && a.Verdict == verdict.Regressed
		}
	}
	if err := os.MkdirAll(filepath.Join(*out, "1"), 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(*out, "run.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := record.Write(f, records); err != nil {
		return err
	}
	if command == "run" && events.NArg() > 1 {
		if err := drawn(*out, records); err != nil {
			return err
		}
	}
	if *confirm && failed { // the same once more
		if err := confirmation(*out, records); err != nil {
			return err
		}
	}
	if strings.Contains(words, "garble") {
		_, err = f.WriteString(`{"schema":7,"run":"<img src=x onerror=alert(1)> @everyone"}` + "\n")
	}
	if strings.Contains(words, "forge") {
		err = forge(filepath.Join(*out, forgedZip))
	}
	if err == nil && failed {
		err = errors.New("a server failed, or regressed")
	}
	return err
}

// drawn writes the details of records: a slice of all targets, and what pidstat saw of k6.
func drawn(out string, records []record.Record) error {
	f, err := os.Create(filepath.Join(out, "details.json"))
	if err != nil {
		return err
	}
	defer f.Close()
	scenario, level := record.Level(records[0].Scenario)
	none := map[string]hist.Counts{} // no value of any curve
	for _, name := range record.Curves("relay") {
		none[name] = hist.Counts{}
	}
	d := record.K6Details{
		Workload: "relay", Run: records[0].Run.ID, Round: 1, Scenario: scenario,
		Slices:    []record.K6Slice{{Level: level, TookMS: 1000, Rates: map[string]float64{raw.Direct: 10}}},
		Timelines: []record.K6Timeline{{Process: "k6", Second: []int64{1}, CPUPct: []float64{7}, RSSBytes: []int64{1 << 20}}},
		Durations: []record.Durations{{Target: raw.Direct, Scenario: records[0].Scenario, Of: none}},
	}
	return record.WriteDetails(f, record.NewDetails([]record.K6Details{d}))
}

// confirmation writes what a second comparison leaves below the first.
func confirmation(out string, records []record.Record) error {
	dir := filepath.Join(out, filepath.Base(out)+"-confirm")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "run.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	for i := range records {
		records[i].Run.ID = filepath.Base(dir)
	}
	return record.Write(f, records)
}

// recordsOf makes the records of a round.
func recordsOf(targets []target, run record.Run, round int, started time.Time, scenarios []string) (records []record.Record) {
	for _, scenario := range scenarios {
		for _, t := range targets {
			r := t.figures(round)
			r.Run, r.Round, r.Started, r.Scenario, r.Server = run, round, started, scenario, t.Server
			r.Host, r.Run.Placement, r.Run.Rig = ofJobs.Host, ofJobs.Run.Placement, ofJobs.Run.Rig
			r.Tools = map[string]string{"k6": "1.8.1", "sysstat": "12.6.1", "go": "1.26.8"}
			records = append(records, r)
		}
	}
	return records
}

// loaded is what records of each round are called.
func loaded(command, scenarios string) (all []string) {
	if command == "compare" {
		return []string{"baseline", "steady", "stress-100", "stress-200"}
	}
	for scenario := range strings.SplitSeq(scenarios, ",") {
		if scenario != "stress" {
			all = append(all, scenario)
			continue
		}
		for _, level := range []string{"10", "100", "200"} {
			all = append(all, record.Scenario(scenario, level))
		}
	}
	return all
}

// A target is a server at a commit, or direct, and how fast it is.
type target struct {
	raw.Server
	words string
}

// directSpeed is how fast direct is.
const directSpeed = "rate=2000 p95=10"

// direct is loaded beside the servers of each job.
var direct = target{Server: raw.Server{Name: raw.Direct, Versions: map[string]string{}}, words: directSpeed}

func extracted(name, side, commit string) (t target, err error) {
	// A real run fetches a commit that the clone does not have; so does this.
	if _, err := git("cat-file", "-e", commit); err != nil {
		if _, err := git("fetch", "--quiet", "origin", commit); err != nil {
			return t, err
		}
	}
	if t.words, err = git("show", commit+":servers/relay/"+name+"/speed"); err != nil {
		return t, err
	}
	tree, err := git("rev-parse", commit+":servers/relay/"+name)
	artefact := tree + strings.Repeat("0", 24)
	t.Server = raw.Server{
		Name: name, Language: "go", Framework: "net/http", Side: side, Commit: &commit, Tree: &tree, Artefact: &artefact, Versions: map[string]string{"go": "1.26.8"},
	}
	return t, err
}

func git(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), err
}

func machineOfJobs() raw.Host {
	cpu, memory, system, kernel := "A CPU", int64(8<<30), "Debian GNU/Linux 12 (bookworm)", "6.1.0"
	return raw.Host{CPU: &cpu, Cores: 4, MemoryBytes: &memory, OS: &system, Kernel: &kernel}
}

// speed is a target's rate, p95 and rss in a round. Rounds differ by a little, as
// real ones do.
func speed(words string, round int) (rate, p95, rss float64) {
	speed := map[string]float64{"rate": 1000, "p95": 50, "rss": 20}
	for _, word := range strings.Fields(words) {
		key, text, ok := strings.Cut(word, "=")
		var value float64
		if _, err := fmt.Sscan(text, &value); ok && err == nil {
			speed[key] = value
		}
	}
	little := 1 + 0.001*float64(round)
	return speed["rate"] * little, speed["p95"] / little, speed["rss"] * little
}

// figures are a record's status and metrics; what comes from a round agrees
// with itself and with direct's.
func (t target) figures(round int) record.Record {
	rate, p95, rss := speed(t.words, round)
	directRate, directP95, _ := speed(directSpeed, 0) // direct is the same in each
	if t.Name == raw.Direct {
		rate, p95 = directRate, directP95
	}
	const rigUS = 400
	values := map[string]float64{
		"streams": rate * 70, "failed_pct": 0, "rate_per_s": rate, "rate_x_direct": rate / directRate,
		"stream_mean_ms": p95 * 0.8, "stream_p50_ms": p95 * 0.8, "stream_p95_ms": p95, "stream_p99_ms": p95 * 1.2, "stream_max_ms": p95 * 2,
		"ttft_p95_ms": p95 / 2, "itl_p99_ms": p95 / 5, "in_flight_mean": rate * p95 * 0.8 / 1000, "rig_cpu_us_per_stream": rigUS, "k6_cpu_mean_pct": 45, "stub_cpu_mean_pct": 25,
	}
	if t.Name != raw.Direct {
		maps.Copy(values, map[string]float64{
			"stream_p95_overhead_ms": p95 - directP95, "ttft_p95_overhead_ms": p95/2 - directP95/2, "itl_p99_overhead_ms": p95/5 - directP95/5,
			"server_cpu_mean_pct": 40, "server_cpu_us_per_stream": 40e4 / rate, "server_cpu_x_rig": 40e4 / rate / rigUS,
			"server_rss_peak_bytes": rss * 1e6, "server_rss_mean_bytes": rss * 9e5, "samples": 70,
		})
	}
	r := record.Record{Schema: record.Schema, Workload: "relay", Status: record.OK, Why: []string{}, Metrics: record.Metrics{}}
	if slices.Contains(strings.Fields(t.words), "fail") {
		r.Status, r.Why = record.Invalid, []string{"verify: C1 ready: the server did not start"}
		values = nil // it was never loaded
	}
	for _, m := range record.Table("relay") {
		r.Metrics[m.Name] = nil
		if v, ok := values[m.Name]; ok {
			r.Metrics[m.Name] = &v
		}
	}
	return r
}

// forge makes an artifact as an attacker would: names that lead out of the
// directory, and a second file beside the records.
func forge(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, name := range []string{"../../../../forged", filepath.Join(os.TempDir(), "forged"), "scripts/bench", "run.jsonl"} {
		w, err := z.Create(name)
		if err != nil {
			return err
		}
		fmt.Fprintln(w, "#!/bin/sh\ntouch forged") // the reader notices
	}
	return z.Close()
}
