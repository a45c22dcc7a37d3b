// Command cmd writes a simulated history for tests of the site: runs/ and events/ as on
// the branch, with -details also details/. Beside them it writes main.json, which has the
// facts that git would know. With -site it also writes the site of that history. Only it
// can: scripts/bench site asks git, and git does not know these commits.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
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
	facts := site.Facts{
		Files: os.DirFS(dir), Repository: "https://github.com/acme/fairstream", Main: h.Main, Renamed: h.Renamed, Acceptances: h.Acceptances,
		IsAncestor: func(commit, of string) (bool, error) { return place[commit] <= place[of], nil },
	}
	built, err := site.Build(facts, under(to), func(string) {})
	if err != nil {
		return err
	}
	return site.Pages(os.DirFS(pages), built, under(to))
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
