package compare

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// Limits of the scenario's load. The servers of the tree use up to 42 % of two cores in steady, and a stream of theirs
// takes about 40 ms at level 200.
const (
	mostPacedPct  = 60 // of the machine; rounds above 80 are discarded, and some rounds have more than the first
	mostVUDivisor = 8
	mostOthersPct = 10
	// mostSlice bounds the time of a round. A target has one slice of a level then, and its last requests are waited for
	// once. Longer ones would make a round of minutes for the slowest servers.
	mostSlice = 5 * time.Second
)

// suited returns the load that suits servers, from the records of the last round, and the reason for a change from
// l. It keeps the load after an undisturbed round, because that round counts.
func suited(l raw.LoadChange, records []record.Record) (raw.LoadChange, []string) {
	last := 0
	for _, r := range records {
		if workload.Named(r.Workload).Scripted {
			return l, nil // nothing changes the load of a script
		}
		last = max(last, r.Round)
	}
	disturbed := map[int]bool{}
	for _, r := range records {
		disturbed[r.Round] = disturbed[r.Round] || len(r.Conditions.Disturbed) > 0
	}
	for round, so := range disturbed {
		if round < last && !so {
			return l, nil
		}
	}
	next, busy, late, p95 := l, record.Record{}, record.Record{}, 0.0
	for _, r := range records {
		_, level := record.Level(r.Scenario)
		if r.Round < last {
			continue
		}
		if level == "" && value(r, "machine_cpu_pct") > value(busy, "machine_cpu_pct") {
			busy = r
		}
		if level == "" || r.Server.Side == "" {
			continue
		}
		if alone(r) > alone(late) {
			late = r
		}
		p95 = max(p95, took(r, "p95"))
	}
	var why []string
	if used, declares := useOf(records, last); declares {
		next, why = paced(l, used)
	} else if pct := value(busy, "machine_cpu_pct"); pct > mostPacedPct && l.VUDivisor < mostVUDivisor {
		next.VUDivisor = 2 * max(1, l.VUDivisor)
		why = append(why, fmt.Sprintf("%s: the targets, k6 and the stub used %.0f %% of the machine; want at most %d %%", busy.Scenario, pct, mostPacedPct))
	}
	if l.SliceMS == 0 && alone(late) > record.MostRequestMS {
		ms := took(late, "p50")
		next.SliceMS = min(mostSlice, record.SuitedSlice(p95)).Milliseconds()
		unit := workload.Named(late.Workload).Unit
		why = append(why, fmt.Sprintf("%s: a %s of %s took %.0f ms; want at most %d ms, since a slice ends with its last %[2]s", late.Scenario, unit, late.Target(), ms, record.MostRequestMS))
	}
	return next, why
}

// alone is about how long a stream or request would take without other programs. They make answers slow, too: they leave
// a part of the machine, and the answers take as many times longer. Only a slow server is slow without them.
func alone(r record.Record) float64 {
	ms := took(r, "p50")
	if pct := r.Conditions.OthersPct; pct != nil && *pct > mostOthersPct {
		ms *= max(0, 1-*pct/100)
	}
	return ms
}

// took is a percentile of the time of a stream or request; p is p50 or p95.
func took(r record.Record, p string) float64 {
	return value(r, workload.Named(r.Workload).Unit+"_"+p+"_ms")
}

func value(r record.Record, metric string) float64 {
	v, _ := r.Metrics.Get(metric)
	return v
}

// recorded is the load of the comparison that dir continues; without one it is l.
func recorded(l raw.LoadChange, dir string) raw.LoadChange {
	var run raw.Run
	if raw.ReadJSON(filepath.Join(dir, raw.RunFile), &run) != nil {
		return l // the load reports the fault itself
	}
	return run.LoadChange
}

// sameServers returns an error if dir holds a comparison of other servers. Its verdicts would answer another question.
func sameServers(dir string, servers []workload.Server) error {
	var run raw.Run
	if raw.ReadJSON(filepath.Join(dir, raw.RunFile), &run) != nil {
		return nil // the load reports the fault itself
	}
	var there, asked []string
	for _, s := range run.Servers {
		if id := (workload.Server{Workload: run.Workload, Name: s.Name}).String(); s.Side != "" && !slices.Contains(there, id) {
			there = append(there, id)
		}
	}
	for _, s := range servers {
		asked = append(asked, s.String())
	}
	slices.Sort(there)
	slices.Sort(asked)
	if len(there) > 0 && !slices.Equal(there, asked) {
		return cli.Usagef("comparison: %s has the comparison of %s; name another directory with -o", dir, strings.Join(there, ", "))
	}
	return nil
}

// setAside moves the rounds of a load, so that they do not count. It moves the plan last: a command that is
// interrupted in between tries that load again.
func setAside(dir string, l raw.LoadChange) error {
	tried := filepath.Join(dir, fmt.Sprintf("%s%d-%d-%d", session.TriedPrefix, max(1, l.VUDivisor), l.SliceMS, l.RatePerS))
	err := errors.Join(os.RemoveAll(tried), os.MkdirAll(tried, 0o755))
	rounds, unread := filepath.Glob(filepath.Join(dir, "[1-9]*"))
	err = errors.Join(err, unread)
	for _, name := range append(rounds, session.RecordsFile, session.DetailsFile, session.PageFile, raw.RunFile) {
		name = filepath.Base(name)
		if moved := os.Rename(filepath.Join(dir, name), filepath.Join(tried, name)); !errors.Is(moved, fs.ErrNotExist) {
			err = errors.Join(err, moved)
		}
	}
	return err
}

// announce prints that the comparison begins again, and its load.
func announce(l raw.LoadChange, why []string) {
	fmt.Fprintf(os.Stderr, "comparison: %s; this round does not count, and the comparison starts again with %s\n", strings.Join(why, "; "), l.Text())
}
