// Command cmd writes a simulated history for tests of the site: runs/, flags/ and
// with -details details/ as on the branch, and beside them main.json, what git would know.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"fairstream/scripts/publish/simulate"
)

func main() {
	var o simulate.Options
	flag.IntVar(&o.Commits, "commits", 300, "")
	flag.IntVar(&o.Servers, "servers", 8, "")
	flag.Uint64Var(&o.Seed, "seed", 1, "")
	flag.BoolVar(&o.Details, "details", false, "")
	dir := flag.String("o", "", "`directory` that is not there yet")
	flag.Parse()
	if err := write(o, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

func write(o simulate.Options, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	h, err := simulate.Write(o, func(path string, data []byte) error {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o644)
	})
	if err != nil {
		return err
	}
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "main.json"), data, 0o644)
}
