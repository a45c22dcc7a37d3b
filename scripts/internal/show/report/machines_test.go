package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
)

// cores is how many cores of servers the table computes the load for.
const cores = 8

// A rigShare is what k6 and the stub take of a full machine, beside a server.
type rigShare struct {
	server                  string
	perSecond, serverUS, us float64 // requests, and CPU time of the server and of the rig for one
	share                   float64 // of the server, 0 to 1
}

func (s rigShare) row(level string) string {
	return fmt.Sprintf("| %s | %s | %.0f | %.1f | %.1f | %.0f | %.1f | %.1f |\n",
		level, s.server, s.perSecond, s.serverUS, s.us, 100*(1-s.share), 1/s.share, cores*(1-s.share)/s.share)
}

// rigShares are those of all servers at a level, the least first.
func rigShares(records []record.Record, level string) (all []rigShare) {
	at := record.Filter(records, func(r record.Record) bool { return r.Scenario == level && r.OfServer() })
	for _, name := range record.Servers(at) {
		of := record.Filter(at, func(r record.Record) bool { return r.Target() == name })
		mean := func(names ...string) float64 {
			var values []float64
			for _, r := range of {
				for _, name := range names {
					if v, known := r.Metrics.Get(name); known {
						values = append(values, v)
					}
				}
			}
			if len(values) == 0 {
				return 0
			}
			return record.Mean(values, false)
		}
		s := rigShare{server: name, perSecond: mean("rate_per_s"), serverUS: mean("server_cpu_us_per_stream", "server_cpu_us_per_request"), share: mean("server_share_pct") / 100}
		if s.share > 0 {
			s.us = s.serverUS * (1 - s.share) / s.share
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b rigShare) int {
		return strings.Compare(fmt.Sprintf("%.4f", b.share), fmt.Sprintf("%.4f", a.share))
	})
	return all
}

// The page of machines says what the rig takes on one machine, from stored runs. -update writes it anew.
func TestThePageOfMachinesSaysWhatTheRigTakes(t *testing.T) {
	table := "| full machine | server | requests/s | server, us/request | k6 and stub, us/request | their share % | a second machine gives at most x | k6 and stub need cores, for 8 of the server |\n|---|---|--:|--:|--:|--:|--:|--:|\n"
	for _, of := range [][2]string{{"relay", "stress-200"}, {"web", "stress-500"}, {"files", "stress-8k-500"}, {"files", "stress-200k-500"}} {
		all := rigShares(testfile.Read(t, servers+"/"+of[0]+"/results.jsonl", record.Read), of[1])
		if len(all) < 2 {
			t.Fatalf("%s: %d servers with a share at %s; want several", of[0], len(all), of[1])
		}
		table += all[0].row(of[0]+" "+of[1]) + all[len(all)-1].row(of[0]+" "+of[1])
	}
	testfile.Region(t, "../../measure/machines/README.md", "table of the rig's share", "table", table)
}
