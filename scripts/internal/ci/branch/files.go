package branch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// clear removes the files of an earlier collect, since a missing file has a meaning.
func (j Job) clear() error {
	err := os.MkdirAll(j.Out, 0o755)
	names := []string{recordsFile, leaderboardFile, biggerFile, smallerFile, ChartsFile, summaryFile, eventsFile, trialsFile}
	for _, of := range workload.Names() {
		names = append(names, drawnFile(of))
	}
	for _, name := range names {
		if e := os.Remove(filepath.Join(j.Out, name)); e != nil && !os.IsNotExist(e) {
			err = errors.Join(err, e)
		}
	}
	return err
}

func (j Job) write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(j.Out, name), data, 0o644)
}

// records writes the records of the trend runs and of the leaderboard runs.
func (j Job) records(trendRuns, leaderboard []record.Record) error {
	for name, records := range map[string][]record.Record{recordsFile: trendRuns, leaderboardFile: leaderboard} {
		var lines bytes.Buffer
		if err := record.Write(&lines, records); err != nil {
			return err
		}
		if err := j.write(name, lines.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// trials writes the trials, if there are any.
func (j Job) trials(all []prove.Trial) error {
	if len(all) == 0 {
		return nil
	}
	var lines bytes.Buffer
	for _, t := range all {
		if err := prove.WriteTrial(&lines, t); err != nil {
			return err
		}
	}
	return j.write(trialsFile, lines.Bytes())
}

// points writes the chart points of the trend runs, and the earlier chart to compare them with. suites says
// which suites have points.
func (j Job) points(ctx context.Context, trendRuns []record.Record) (note string, suites map[string]bool, err error) {
	suites = map[string]bool{}
	bigger, smaller := Points(trendRuns)
	for name, points := range map[string][]Bench{biggerFile: bigger, smallerFile: smaller} {
		if len(points) == 0 {
			continue // the action reports an empty list as an error
		}
		suites[name] = true
		data, err := json.MarshalIndent(Alert(points), "", " ")
		if err != nil {
			return "", nil, err
		}
		if err := j.write(name, append(data, '\n')); err != nil {
			return "", nil, err
		}
	}
	if len(suites) == 0 {
		return "No figure that is charted is known, so the charts get no point.", suites, nil
	}
	before, err := j.before(ctx)
	if ctx.Err() != nil {
		return "", nil, ctx.Err()
	}
	switch {
	case err != nil:
		// Points can be compared later; a repeated measurement takes longer.
		j.Say(fmt.Sprint("nothing is compared with the history: ", err))
		return "The history could not be read, so nothing is compared with it.", suites, nil
	case len(before.Entries) == 0:
		return "The history has no figures of older commits to compare with.", suites, nil
	}
	data, err := AlertChart(before).JSON()
	if err != nil {
		return "", nil, err
	}
	return "", suites, j.write(ChartsFile, data)
}

// before returns the chart as it was before the plan's revision.
func (j Job) before(ctx context.Context) (Chart, error) {
	from, err := j.Remote(ctx)
	if err != nil {
		return Chart{}, err
	}
	chart, err := from.Chart(ctx)
	if err != nil {
		return Chart{}, err
	}
	at, err := from.Time(ctx, j.Code, j.Plan.Revision)
	if err != nil {
		return Chart{}, err
	}
	return chart.Before(j.Plan.Revision, at), nil
}

// verdicts writes the events for the history. One that cannot be written costs no other.
func (j Job) verdicts(verdicts []Verdict) error {
	var events []verdict.Event
	for _, v := range verdicts {
		if err := verdict.WriteEvents(io.Discard, []verdict.Event{v.Event}); err != nil {
			j.Say(fmt.Sprintf("the verdict on %s is not kept: %v", v.Server, err))
			continue
		}
		events = append(events, v.Event)
	}
	var text bytes.Buffer
	if err := verdict.WriteEvents(&text, events); err != nil {
		return err
	}
	return j.write(eventsFile, text.Bytes())
}

// serversAt reads the plan's servers at its revision, which may differ from the checkout.
func serversAt(ctx context.Context, code string, p plan.Plan) ([]server.Server, error) {
	if p.Directory != "" {
		return elsewhereAt(ctx, code, p)
	}
	dir, remove, err := files.MkdirTemp("", "fairstream-manifests-")
	if err != nil {
		return nil, err
	}
	defer remove() // best effort: a temporary directory
	var servers []server.Server
	for _, server := range p.Servers {
		s, err := revision.Extract(ctx, code, p.Revision, server, dir)
		if err != nil {
			return nil, err
		}
		servers = append(servers, s.Server)
	}
	return servers, nil
}

// elsewhereAt reads the one server of a plan for another repository.
func elsewhereAt(ctx context.Context, clone string, p plan.Plan) ([]server.Server, error) {
	var servers []server.Server
	for _, id := range p.Servers {
		text, err := revision.Clone(clone).File(ctx, p.Revision, path.Join(p.Directory, server.File))
		if err != nil {
			return nil, err
		}
		s, err := server.Parse(text, path.Join("/", id.Name))
		if err != nil {
			return nil, fmt.Errorf("check: revision %.10s: %w", p.Revision, err)
		}
		servers = append(servers, s)
	}
	return servers, nil
}
