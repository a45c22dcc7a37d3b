package comment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/workload"
)

// Benchstat is the output of benchstat about the metrics that have verdicts. Each workload has tables of its
// own, since two workloads may have a server of one name.
func Benchstat(ctx context.Context, root string, records []record.Record) (string, error) {
	if len(records) == 0 {
		return "", errors.New("no records")
	}
	var names []string
	of := map[string][]record.Record{}
	for _, r := range records {
		if of[r.Workload] == nil {
			names = append(names, r.Workload)
		}
		of[r.Workload] = append(of[r.Workload], r)
	}
	alpha := verdict.Alpha / float64(max(1, cells(records)))
	var all strings.Builder
	for _, name := range names {
		text, err := tables(ctx, root, of[name], alpha)
		if err != nil {
			return "", err
		}
		if len(names) > 1 {
			fmt.Fprintf(&all, "workload %s\n\n", name)
		}
		fmt.Fprintf(&all, "%s\n", text)
	}
	return all.String(), nil
}

// tables is the output of benchstat about the records of one workload.
func tables(ctx context.Context, root string, records []record.Record, alpha float64) (string, error) {
	var lines bytes.Buffer
	if err := report.Write(&lines, "benchfmt", records); err != nil {
		return "", err
	}
	dir, remove, err := files.MkdirTemp("", "fairstream-benchstat-")
	if err != nil {
		return "", err
	}
	defer remove() // a leftover in TMPDIR is harmless
	file := filepath.Join(dir, "comparison.txt")
	if err := os.WriteFile(file, lines.Bytes(), 0o644); err != nil {
		return "", err
	}
	return process.Output(ctx, process.Command{Dir: filepath.Join(root, "scripts"), Args: []string{
		"go", "tool", "benchstat", "-col", "side@(base head)", "-alpha", fmt.Sprint(alpha), "-row", "/server,/scenario",
		"-filter", judged(records), file,
	}})
}

// cells counts the cells that benchstat tests. benchstat tests each alone, so each gets its share
// of the risk that the headline promises for all.
func cells(records []record.Record) int {
	seen := map[string]bool{}
	for _, r := range records {
		for _, metric := range workload.Named(r.Workload).Judged(r.Scenario) {
			if _, known := r.Metrics.Get(metric); known && r.Server.Side != "" {
				seen[r.ID().String()+" "+r.Scenario+" "+metric] = true
			}
		}
	}
	return len(seen)
}

// judged is benchstat's filter for the metrics that have verdicts, for each scenario.
func judged(records []record.Record) string {
	var parts []string
	for _, r := range records {
		names := workload.Named(r.Workload).Judged(r.Scenario)
		if len(names) == 0 {
			continue
		}
		part := fmt.Sprintf("(/scenario:%q AND .unit:(%s))", r.Scenario, strings.Join(names, " OR "))
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " OR ")
}
