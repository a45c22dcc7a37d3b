package pipeline

import (
	"archive/zip"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"fairstream/scripts/raw"
	"fairstream/scripts/record"
)

// leg stands in for "scripts/bench run" and "pair": no load, but records with
// the figures that servers/NAME/speed has at the commit in question. That file
// holds words: rate=1000 p95=50 rss=20, and of faults: fail (the server does), crash
// (the harness does, without records), forge and garble (what is uploaded).
func leg() error {
	flags := flag.NewFlagSet("leg", flag.ContinueOnError)
	at := flags.String("at", "", "")
	base := flags.String("base", "", "")
	head := flags.String("head", "", "")
	scenarios := flags.String("scenario", "", "")
	rounds := flags.Int("rounds", 1, "")
	quick := flags.Bool("quick", false, "")
	out := flags.String("o", "", "")
	command := os.Getenv("PIPELINE_COMMAND")
	if err := flags.Parse(os.Args[1:]); err != nil {
		return err
	}
	if flags.NArg() != 1 || *out == "" || (command == "run") != (*at != "" && *base == "" && *head == "") || (command == "pair") != (*at == "" && *base != "" && *head != "") {
		return fmt.Errorf("%s %q: not how the workflow is to call it", command, os.Args[1:])
	}
	name := flags.Arg(0)
	type side struct{ name, commit string }
	sides := []side{{"", *at}}
	if command == "pair" {
		sides = []side{{"base", *base}, {"head", *head}}
	}
	harness, err := git("rev-parse", "HEAD")
	if err != nil {
		return err
	}
	clean := false
	started := time.Now().UTC().Truncate(time.Second)
	run := record.Run{ID: started.Format("2006-01-02T150405Z"), Commit: &harness, Dirty: &clean, Quick: *quick, Rounds: *rounds, Seed: 1}
	var records []record.Record
	var words string
	failed := false
	for round := 1; round <= *rounds; round++ {
		for i, s := range sides {
			// A real run fetches a commit that the clone does not have; so does this.
			if _, err := git("cat-file", "-e", s.commit); err != nil {
				if _, err := git("fetch", "--quiet", "origin", s.commit); err != nil {
					return err
				}
			}
			if words, err = git("show", s.commit+":servers/"+name+"/speed"); err != nil {
				return err
			}
			if strings.Contains(words, "crash") {
				return errors.New("the harness broke")
			}
			tree, err := git("rev-parse", s.commit+":servers/"+name)
			if err != nil {
				return err
			}
			for _, scenario := range strings.Split(*scenarios, ",") {
				r := figures(words, scenario, round)
				r.Run, r.Round, r.Position, r.Started = run, round, i+1, started
				r.Host, r.Tools = machineOfLegs(), map[string]string{"k6": "1.8.1", "sysstat": "12.6.1", "go": "1.26.8"}
				r.Server = raw.Server{Name: name, Language: "go", Framework: "net/http", Side: s.name, Commit: &s.commit, Tree: &tree, Versions: map[string]string{"go": "1.26.8"}}
				failed = failed || r.Status == record.Invalid
				records = append(records, r)
			}
		}
	}
	if err := os.MkdirAll(filepath.Join(*out, "1", name), 0o755); err != nil {
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
	if strings.Contains(words, "garble") {
		_, err = f.WriteString(`{"schema":3,"run":"<img src=x onerror=alert(1)> @everyone"}` + "\n")
	}
	if strings.Contains(words, "forge") {
		err = forge(filepath.Join(*out, forgedZip))
	}
	if err == nil && failed {
		err = errors.New("a server failed")
	}
	return err
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

func machineOfLegs() raw.Host {
	cpu, memory, system, kernel := "A CPU", int64(8<<30), "Debian GNU/Linux 12 (bookworm)", "6.1.0"
	return raw.Host{CPU: &cpu, Cores: 4, MemoryBytes: &memory, OS: &system, Kernel: &kernel}
}

// figures are a record's status and metrics. Rounds differ by a little, as
// real ones do; what comes from it agrees with itself.
func figures(words, scenario string, round int) record.Record {
	speed := map[string]float64{"rate": 1000, "p95": 50, "rss": 20}
	fails := false
	for _, word := range strings.Fields(words) {
		key, text, ok := strings.Cut(word, "=")
		var value float64
		if _, err := fmt.Sscan(text, &value); ok && err == nil {
			speed[key] = value
		}
		fails = fails || word == "fail"
	}
	little := 1 + 0.001*float64(round)
	rate, p95 := speed["rate"]*little, speed["p95"]/little
	values := map[string]float64{
		"streams": rate * 70, "failed_pct": 0, "rate_per_s": rate,
		"stream_mean_ms": p95 * 0.8, "stream_p50_ms": p95 * 0.8, "stream_p95_ms": p95, "stream_p99_ms": p95 * 1.2, "stream_max_ms": p95 * 2,
		"in_flight_mean": rate * p95 * 0.8 / 1000, "server_cpu_mean_pct": 40, "server_cpu_us_per_stream": 40e4 / rate,
		"server_rss_peak_bytes": speed["rss"] * 1e6 * little, "server_rss_mean_bytes": speed["rss"] * 9e5,
		"k6_cpu_mean_pct": 45, "stub_cpu_mean_pct": 25, "samples": 70,
	}
	r := record.Record{Schema: record.Schema, Scenario: scenario, Status: record.OK, Why: []string{}, Metrics: record.Metrics{}}
	if fails {
		r.Status, r.Why = record.Invalid, []string{"the server did not start"}
		values = map[string]float64{"failed_pct": 100}
	}
	for _, m := range record.Table {
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
		fmt.Fprintln(w, "#!/bin/sh\ntouch forged")
	}
	return z.Close()
}
