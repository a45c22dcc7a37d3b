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
)

// Benchstat is what benchstat prints about the metrics that have verdicts.
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
	defer os.RemoveAll(dir) // else the system removes it some day
	file := filepath.Join(dir, "comparison.txt")
	if err := os.WriteFile(file, lines.Bytes(), 0o644); err != nil {
		return "", err
	}
	return process.Output(ctx, process.Command{Dir: filepath.Join(root, "scripts"), Args: []string{
		"go", "tool", "benchstat", "-col", "side@(base head)", "-alpha", fmt.Sprint(verdict.Alpha / float64(max(1, cells(records)))), "-row", "/server,/scenario",
		"-filter", judged(records), file,
	}})
}

// cells counts those that benchstat tests. It knows nothing of the others when it tests
// one, so each has its share of the risk that the headline promises for all.
func cells(records []record.Record) int {
	seen := map[string]bool{}
	for _, r := range records {
		for _, j := range verdict.Metrics(r.Scenario) {
			if _, known := r.Metrics.Get(j.Metric); known && r.Server.Side != "" {
				seen[r.Server.Name+" "+r.Scenario+" "+j.Metric] = true
			}
		}
	}
	return len(seen)
}

// judged is benchstat's filter for the metrics that have verdicts, scenario by
// scenario.
func judged(records []record.Record) string {
	var parts []string
	for _, r := range records {
		var names []string
		for _, j := range verdict.Metrics(r.Scenario) {
			names = append(names, j.Metric)
		}
		part := fmt.Sprintf("(/scenario:%q AND .unit:(%s))", r.Scenario, strings.Join(names, " OR "))
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " OR ")
}
