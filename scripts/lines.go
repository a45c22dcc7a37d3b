package main

import (
	"fmt"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// A recordFile is a file with a record on each line.
type recordFile struct {
	name    string
	records []record.Record
}

// again is what helps against records that are not as they were written.
const again = "scripts/bench record DIR makes them again from the raw files"

// twice refuses two records of one target, scenario and round of a run: nobody can
// say which of them counts.
func twice(files ...recordFile) error {
	type place struct {
		run, target, scenario string
		round                 int
	}
	seen := map[place]string{}
	for _, f := range files {
		for i, r := range f.records {
			at, line := place{r.Run.ID, r.Target(), r.Scenario, r.Round}, fmt.Sprintf("%s: line %d", f.name, i+1)
			if before, ok := seen[at]; ok {
				return fmt.Errorf("%s and %s are both of %s, %s, round %d; want one: %s", before, line, at.target, at.scenario, at.round, again)
			}
			seen[at] = line
		}
	}
	return nil
}

// cutShort refuses records of a pair of which a loading has not every target, on both
// sides: all are written together.
func cutShort(files ...recordFile) error {
	type loading struct {
		scenario string
		round    int
	}
	have, targets, file := map[loading]map[string]bool{}, map[string]bool{}, map[loading]string{}
	var order []loading
	var names []string
	for _, f := range files {
		for _, r := range f.records {
			at := loading{r.Scenario, r.Round}
			if have[at] == nil {
				have[at], order = map[string]bool{}, append(order, at)
			}
			file[at] = f.name
			of := []string{r.Target()}
			if r.Server.Side != "" {
				of = []string{raw.Target(r.Server.Name, "base"), raw.Target(r.Server.Name, "head")}
			}
			for _, name := range of {
				if !targets[name] {
					targets[name], names = true, append(names, name)
				}
			}
			have[at][r.Target()] = true
		}
	}
	for _, at := range order {
		for _, name := range names {
			if !have[at][name] {
				return fmt.Errorf("%s: no record of %s, %s, round %d, though of others there; was it cut short? %s", file[at], name, at.scenario, at.round, again)
			}
		}
	}
	return nil
}

// rounds is in how many rounds there are records.
func rounds(records []record.Record) int {
	seen := map[int]bool{}
	for _, r := range records {
		seen[r.Round] = true
	}
	return len(seen)
}
