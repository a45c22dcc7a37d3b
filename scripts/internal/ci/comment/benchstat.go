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

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/workload"
)

// Benchstat is the output of benchstat about the metrics that have verdicts.
func Benchstat(ctx context.Context, root string, records []record.Record) (string, error) {
	if len(records) == 0 {
		return "", errors.New("no records")
	}
	var lines bytes.Buffer
	if err := report.Write(&lines, "benchfmt", records); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "fairstream-benchstat-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir) // a leftover in TMPDIR is harmless
	file := filepath.Join(dir, "comparison.txt")
	if err := os.WriteFile(file, lines.Bytes(), 0o644); err != nil {
		return "", err
	}
	return process.Output(ctx, process.Command{Dir: filepath.Join(root, "scripts"), Args: []string{
		"go", "tool", "benchstat", "-col", "side@(base head)", "-alpha", fmt.Sprint(verdict.Alpha / float64(max(1, cells(records)))), "-row", "/server,/scenario",
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
				seen[r.Server.Name+" "+r.Scenario+" "+metric] = true
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
		part := fmt.Sprintf("(/scenario:%q AND .unit:(%s))", r.Scenario, strings.Join(names, " OR "))
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " OR ")
}
