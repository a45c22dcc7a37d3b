// Command cmd writes the site of a simulated history for tests of the pages, with a comparison of an own server, and below
// reports/ the pages of a run and of the comparison. Only it can: scripts/bench site asks git, and git does not know these
// commits.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/judge/verdict/comparetest"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
)

func main() {
	o := simulate.Options{Servers: 8, Requests: 3, Seed: 1}
	flag.IntVar(&o.Commits, "commits", 300, "")
	flag.BoolVar(&o.Details, "details", false, "")
	to := flag.String("o", "", "`directory` for the site, not there yet")
	pages := flag.String("pages", "", "`directory` of the built pages")
	flag.Parse()
	history, err := os.MkdirTemp("", "fairstream-history-")
	if err == nil {
		err = errors.Join(build(o, history, *to, *pages), os.RemoveAll(history))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

// build writes a history to one directory, and its site to another.
func build(o simulate.Options, history, to, pages string) error {
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	newest := ""
	h, err := simulate.Write(o, func(path string, data []byte) error {
		if strings.HasSuffix(path, ".leaderboard.jsonl") {
			newest = path
		}
		return under(history)(path, data)
	})
	if err != nil {
		return err
	}
	place := map[string]int{}
	for i, c := range h.Main {
		place[c.Hash] = i
	}
	comparison := site.Local{Records: comparison()}
	comparison.Answers = verdict.Compare(comparison.Records)
	built, err := site.Build(site.Facts{
		Local: []site.Local{comparison},
		Files: os.DirFS(history), Repository: "https://github.com/acme/fairstream", Main: h.Main, Renamed: h.Renamed, Acceptances: h.Acceptances,
		IsAncestor: func(commit, of string) (bool, error) { return place[commit] <= place[of], nil },
	}, under(to), func(string) {})
	if err != nil {
		return err
	}
	if err := site.Pages(os.DirFS(pages), built, under(to)); err != nil {
		return err
	}
	run, err := cli.ReadFile(filepath.Join(history, newest), record.Read)
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
