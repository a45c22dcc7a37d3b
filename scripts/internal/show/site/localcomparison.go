package site

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// A compared is what the site has of the comparisons on somebody's own machine. They are beside
// the history: no trend and no leaderboard has them.
type compared struct {
	rows    []ComparisonRow // newest first
	servers []Server
	newest  *time.Time // the begin of the newest record; nil: there is none
}

// comparisons writes the records, details and verdicts of each comparison of a workload.
func comparisons(w workload.Workload, locals []Local, out Out) (all compared, err error) {
	all.rows = []ComparisonRow{}
	for _, of := range locals {
		if len(of.Answers) == 0 || of.Records[0].Workload != w.Name {
			continue
		}
		id := of.Records[0].Run.ID
		hash := fmt.Sprintf("%x", sha256.Sum256([]byte("run "+id)))
		r := &run{workload: w.Name, path: "local/" + hash[:10], names: epochNames{}}
		for _, one := range of.Records {
			r.add(one)
		}
		row := ComparisonRow{
			Run: r.path, Text: cut(comparedText(of.Records), mostSubject), Time: r.begin, Quick: r.quick, Details: of.Details != nil,
		}
		comparison := newComparison(of.Records, of.Answers)
		for _, v := range comparison.Verdicts {
			row.Verdicts = append(row.Verdicts, VerdictRow{v.Server, v.Verdict, v.Headline})
		}
		if row.File, err = out.hashed("data/comparison", comparison); err != nil {
			return all, err
		}
		if err := writeRecords("runs/"+r.path+".jsonl.gz", of.Records, countingIn(of.Records, of.Answers), out); err != nil {
			return all, err
		}
		if of.Details != nil {
			if err := r.writeDetails(*of.Details, out); err != nil {
				return all, err
			}
		}
		all.add(row, r.end, of.Records)
	}
	slices.SortFunc(all.rows, func(a, b ComparisonRow) int { return cmp.Or(b.Time.Compare(a.Time), strings.Compare(a.Run, b.Run)) })
	return all, nil
}

func (all *compared) add(row ComparisonRow, end time.Time, records []record.Record) {
	all.rows = append(all.rows, row)
	if all.newest == nil || end.After(*all.newest) {
		all.newest = &end
	}
	for _, r := range records {
		if s := r.Server; s.Name != raw.Direct {
			all.servers = append(all.servers, Server{
				Workload: r.Workload, Name: s.Name, Language: cut(s.Language, 60), Framework: cut(s.Framework, 60),
				Was: []string{}, First: -1, Last: -1,
			})
		}
	}
}

// withServers adds the servers that only comparisons have.
func (all compared) withServers(servers []Server) []Server {
	for _, s := range all.servers {
		if !slices.ContainsFunc(servers, func(known Server) bool { return known.Name == s.Name }) {
			servers = append(servers, s)
		}
	}
	slices.SortFunc(servers, func(a, b Server) int { return strings.Compare(a.Name, b.Name) })
	return servers
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
