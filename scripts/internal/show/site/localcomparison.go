package site

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// ownComparisons are those on somebody's own machine. It writes their records and details. A comparison has no point in the
// history, and its run makes the servers known to the page of a run.
func ownComparisons(w workload.Workload, locals []Local, out Out) (all []compared, runs []*run, err error) {
	for _, of := range locals {
		if len(of.Answers) == 0 || of.Records[0].Workload != w.Name {
			continue
		}
		id := of.Records[0].Run.ID
		hash := fmt.Sprintf("%x", sha256.Sum256([]byte("run "+id)))
		r := &run{workload: w.Name, path: "local/" + hash[:10], names: epochNames{}, served: map[string]*served{}, details: of.Details != nil, trendRuns: true}
		for _, one := range of.Records {
			r.add(one)
			if one.OfServer() {
				r.served[one.Server.Name] = servedBy(one.Workload, one.Server)
			}
		}
		if err := writeRecords("runs/"+r.path+".jsonl.gz", of.Records, countingIn(of.Records, of.Answers), out); err != nil {
			return nil, nil, err
		}
		if of.Details != nil {
			if err := r.writeDetails(*of.Details, out); err != nil {
				return nil, nil, err
			}
		}
		says, class := saysOf(of.Answers)
		all = append(all, compared{
			dir: "comparisons/" + r.path + "/", run: r.path, text: cut(comparedText(of.Records), mostSubject), begin: r.begin, says: says, class: class, own: true,
			view: comparisonOf(of.Records, of.Answers),
		})
		runs = append(runs, r)
	}
	return all, runs, nil
}

// comparedText says what was compared.
func comparedText(records []record.Record) string {
	short := func(side string) string {
		for _, r := range records {
			if r.Server.Side == side && r.Server.Commit != nil {
				return fmt.Sprintf("%.10s", *r.Server.Commit)
			}
		}
		return side
	}
	var names []string
	for _, c := range verdict.Comparisons(records) {
		names = append(names, c.Server)
	}
	return fmt.Sprintf("%s, %s against %s", strings.Join(names, ", "), short("head"), short("base"))
}
