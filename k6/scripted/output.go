// Package scripted is the k6 output "fairstream". It counts what a k6 script of somebody's own does, and reads CPU time and
// memory meanwhile. Its file has the form of the summaries of k6/x/plain, with two slices: the warm-up, and the load.
// It loads nothing itself.
package scripted

import (
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/lib"
	"go.k6.io/k6/metrics"
	"go.k6.io/k6/output"

	"fairstream/k6/common"
	"fairstream/k6/shared/hist"
	"fairstream/k6/shared/strict"
)

const (
	// warmUp is the first part of a load. It does not count.
	warmUp = 3 * time.Second
	// leastLoad is the shortest load whose figures mean something.
	leastLoad = 5 * time.Second
	// level is that of the load. The scenario of its records has the same name.
	level = "script"
	// noException is a check that each script has.
	noException = "iterations end without an exception"
	// flushEvery is how often samples are counted and clocks are read.
	flushEvery = 200 * time.Millisecond
)

func init() {
	output.RegisterExtension("fairstream", func(p output.Params) (output.Output, error) { return newOutput(p) })
}

// A job is the content of the file in --out fairstream=FILE.
type job struct {
	Target     string           `json:"target"`
	BaseURL    string           `json:"base_url"`    // of the target; names of requests leave it out
	FirstSlice int              `json:"first_slice"` // number of the warm-up; that of the load follows
	Summary    string           `json:"summary"`     // file to write
	Watched    map[string][]int `json:"watched"`     // pids by name
	Cores      []int            `json:"cores"`       // whose time is read; none: all
}

// An Output counts one run of k6.
type Output struct {
	output.SampleBuffer
	job        job
	vus        int           // at most
	planned    time.Duration // of the script, by its options
	flusher    *output.PeriodicFlusher
	thresholds map[string]metrics.Thresholds
	watch      *common.Watch
	warm, load hist.Slice
	began      time.Time // first sample; zero before
	started    time.Time // begin of the slice
	loading    bool      // the warm-up is over
	counts     counts
	exceptions exceptions
}

// exceptions counts the iterations that end with an exception. k6 has no metric of them: it logs each.
type exceptions struct{ n atomic.Int64 }

// Levels are those of exceptions.
func (*exceptions) Levels() []logrus.Level { return []logrus.Level{logrus.ErrorLevel} }

// Fire counts a line.
func (e *exceptions) Fire(line *logrus.Entry) error {
	if line.Data["source"] == "stacktrace" {
		e.n.Add(1)
	}
	return nil
}

var _ output.WithThresholds = (*Output)(nil)

func newOutput(p output.Params) (*Output, error) {
	o := &Output{vus: int(lib.GetMaxPossibleVUs(p.ExecutionPlan))} // k6 refuses numbers that no machine carries
	o.planned, _ = lib.GetEndOffset(p.ExecutionPlan)
	data, err := os.ReadFile(p.ConfigArgument)
	if err == nil {
		err = strict.Decode(data, &o.job)
	}
	if err != nil {
		return nil, fmt.Errorf("want --out fairstream=FILE, a job as scripts/bench writes it: %w", err)
	}
	o.counts = newCounts(o.job.BaseURL)
	if logger, ok := p.Logger.(*logrus.Logger); ok {
		logger.AddHook(&o.exceptions)
	}
	return o, nil
}

// Description is what k6 prints.
func (o *Output) Description() string { return "fairstream (" + o.job.Summary + ")" }

// SetThresholds takes the thresholds of the script. k6 sets their results before Stop.
func (o *Output) SetThresholds(all map[string]metrics.Thresholds) { o.thresholds = all }

// Start begins the warm-up.
func (o *Output) Start() (err error) {
	o.watch = common.NewWatch(o.job.Watched, o.job.Cores)
	o.begin()
	o.flusher, err = output.NewPeriodicFlusher(flushEvery, o.flush)
	return err
}

func (o *Output) begin() {
	o.watch.ResetPeaks(o.job.Target) // the k6 of another target resets that one, at a time of its own
	o.watch.Begin()
	o.started = time.Now()
}

// end notes the use since begin.
func (o *Output) end(s *hist.Slice) {
	s.Targets, s.VUs, s.StartedUnixMS = []string{o.job.Target}, o.vus, o.started.UnixMilli()
	s.TookMS = ms(time.Since(o.started))
	s.PlannedMS = max(1, (o.planned - warmUp).Milliseconds())
	o.watch.End(s)
	s.BusyMS = map[string]float64{o.job.Target: ms(o.counts.busy)}
	s.Unsent = map[string]int64{o.job.Target: o.counts.dropped}
}

// flush counts the samples since the last flush. The load ends with the last flush that has an iteration, so what a
// script does after its last iteration does not count.
func (o *Output) flush() {
	some, iterations := o.counts.add(o.GetBufferedSamples())
	switch {
	case o.loading && iterations:
		o.end(&o.load)
	case o.loading:
	case o.began.IsZero() && some:
		o.began = time.Now()
	case !o.began.IsZero() && time.Since(o.began) >= warmUp:
		o.end(&o.warm)
		o.counts.loadBegins()
		o.begin()
		o.loading = true
	}
}

// Stop writes the summary.
func (o *Output) Stop() error {
	o.flusher.Stop()
	if !o.loading {
		o.end(&o.warm)
	}
	o.warm.Slice, o.warm.Level, o.warm.PlannedMS = o.job.FirstSlice, "warm-up", warmUp.Milliseconds()
	o.load.Slice, o.load.Level = o.job.FirstSlice+1, level
	data, err := json.Marshal(o.report())
	if err == nil {
		err = os.WriteFile(o.job.Summary, append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("fairstream: %w", err)
	}
	return nil
}

// A report is the form of the file.
type report struct {
	Slices     hist.Slices            `json:"slices"`
	Iterations hist.Requests          `json:"iterations"`
	Scripts    map[string]hist.Script `json:"scripts"` // by target
}

func (o *Output) report() report {
	r := report{
		Slices:     hist.Slices{Planned: 1, Slices: []hist.Slice{o.warm}, GivenUp: map[string]string{}},
		Iterations: hist.Requests{Layout: hist.Layout, Series: []hist.RequestSeries{}},
		Scripts:    map[string]hist.Script{o.job.Target: o.script()},
	}
	if took := o.load.TookMS; took < ms(leastLoad) {
		all := ms(warmUp) + took
		if !o.loading {
			all = o.warm.TookMS
		}
		r.Slices.GivenUp[o.job.Target] = fmt.Sprintf("the script sent requests for %.1f s; want %v of warm-up and at least %v of load after it", all/1000, warmUp, leastLoad)
		return r
	}
	r.Slices.Planned, r.Slices.Slices = 2, append(r.Slices.Slices, o.load)
	r.Iterations.Series = append(r.Iterations.Series, o.counts.series(o.job.Target, fmt.Sprint(o.load.Slice)))
	r.Iterations.Named = o.counts.named(o.job.Target)
	return r
}

// script adds the thresholds to what was counted.
func (o *Output) script() hist.Script {
	s := o.counts.script
	s.Checks, s.Thresholds = o.counts.allChecks(), []hist.Threshold{}
	if s.Iterations > 0 { // k6 counts these iterations as complete, and a check after an exception is missing
		failed := min(o.exceptions.n.Load(), s.Iterations)
		s.Checks = append(s.Checks, hist.Check{Name: noException, Passed: s.Iterations - failed, Failed: failed})
	}
	for _, name := range sorted(o.thresholds) {
		for _, t := range o.thresholds[name].Thresholds {
			s.Thresholds = append(s.Thresholds, hist.Threshold{Metric: name, Text: t.Source, Crossed: t.LastFailed})
		}
	}
	return s
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
