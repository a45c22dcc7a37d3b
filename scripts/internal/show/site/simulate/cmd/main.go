// Command cmd writes a simulated history for tests of the site: runs/ and events/ as on
// the branch, with -details also details/. Beside them it writes main.json, which has the
// facts that git would know. With -site it also writes the site of that history, with a comparison of an own server, and
// below reports/ the pages of a run and of the comparison. Only it can: scripts/bench site asks git, and git does not know these
// commits.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/judge/verdict/comparetest"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
	"fairstream/scripts/internal/workload"
)

func main() {
	var o simulate.Options
	flag.IntVar(&o.Commits, "commits", 300, "")
	flag.IntVar(&o.Servers, "servers", 8, "")
	flag.IntVar(&o.Requests, "requests", 3, "")
	flag.Uint64Var(&o.Seed, "seed", 1, "")
	flag.BoolVar(&o.Details, "details", false, "")
	dir := flag.String("o", "", "`directory` that is not there yet")
	to := flag.String("site", "", "`directory`, not there yet, for the site of this history")
	pages := flag.String("pages", "", "`directory` of the built pages, for -site")
	flag.Parse()
	h, err := write(o, *dir)
	if err == nil && *to != "" {
		err = build(h, *dir, *to, *pages)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

func write(o simulate.Options, dir string) (simulate.History, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return simulate.History{}, err
	}
	h, err := simulate.Write(o, under(dir))
	if err != nil {
		return h, err
	}
	data, err := json.Marshal(h)
	if err != nil {
		return h, err
	}
	return h, under(dir)("main.json", data)
}

// build writes the site of a history that lies in a directory.
func build(h simulate.History, dir, to, pages string) error {
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	place := map[string]int{}
	for i, c := range h.Main {
		place[c.Hash] = i
	}
	comparison := site.Local{Records: comparison()}
	comparison.Answers = verdict.Compare(comparison.Records)
	facts := site.Facts{
		Local: []site.Local{comparison},
		Files: os.DirFS(dir), Repository: "https://github.com/acme/fairstream", Main: h.Main, Renamed: h.Renamed, Acceptances: h.Acceptances,
		IsAncestor: func(commit, of string) (bool, error) { return place[commit] <= place[of], nil },
	}
	built, err := site.Build(facts, under(to), func(string) {})
	if err != nil {
		return err
	}
	if err := site.Pages(os.DirFS(pages), built, under(to)); err != nil {
		return err
	}
	run, err := newest(dir)
	if err != nil {
		return err
	}
	for name, of := range map[string]site.Local{"run": {Records: run}, "comparison": comparison} {
		var page bytes.Buffer
		if err := site.WriteRunPage(&page, os.DirFS(pages), of.Records, nil, of.Answers); err != nil {
			return err
		}
		if err := under(to)("reports/"+name+".html", page.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// comparison is one of an own server, which takes more CPU time at head. A round is disturbed.
func comparison() (records []record.Record) {
	const disturbed = 3
	slower := map[string]float64{"mixed server_cpu_us_per_request": 1.38, "stress-100 rate_per_s": 0.7, "stress-500 rate_per_s": 0.7}
	for round := range verdict.Rounds {
		records = append(records, comparetest.Requests(simulate.Second, "shop", 7, round+1, verdict.Rounds, slower)...)
	}
	for i := range records {
		if records[i].Round == disturbed {
			why := []string{"other programs used 40 % of the machine"}
			records[i].Status, records[i].Why, records[i].Conditions.Disturbed = record.Warning, why, why
		}
	}
	return records
}

// newest are the records of a run of all servers.
func newest(dir string) ([]record.Record, error) {
	all, err := filepath.Glob(filepath.Join(dir, "runs/*/*/*.leaderboard.jsonl"))
	if err != nil || len(all) == 0 {
		return nil, fmt.Errorf("%s: no run of all servers: %w", dir, err)
	}
	for _, name := range all {
		records, err := cli.ReadFile(name, record.Read)
		if err != nil || !records[0].Run.Quick && records[0].Workload == workload.Names()[0] {
			return records, err
		}
	}
	return nil, fmt.Errorf("%s: all runs of all servers were shortened", dir)
}

// under writes files below a directory.
func under(dir string) site.Out {
	return func(path string, data []byte) error {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o644)
	}
}
