package trial

import (
	"fmt"
	"math"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/prove"
)

// lateShare of the streams are delayed to raise a percentile. It leaves the median alone, and clearly exceeds
// the 5 % beyond the 95th percentile.
const lateShare = 0.2

// lockLoss is, by server, the loss of throughput over both levels of stress, as a share of the machine's CPU time that waiting
// for the lock takes. The trials' README has the measured losses.
var lockLoss = map[string]float64{sized("go-http"): 0.68, sized("rust-axum"): 1.19, sized("bun-hono"): 1.27}

// Figures are the figures of the server without injected regression. A size is a share of them.
type Figures struct {
	CPUUSPerStream  float64     // in steady
	ReadsPerStream  float64     // in steady
	NSPerIteration  float64     // of the work
	TTFT            hist.Counts // in baseline
	Stream100       hist.Counts // in stress-100
	Stream200       hist.Counts
	CoreUSPerStream float64 // CPU time of all cores for each stream in stress-200
	PeakRSSBytes    float64 // in stress-200
	Open            int     // concurrent streams under stress
}

func (f Figures) check() error {
	for _, of := range []struct {
		name  string
		value float64
	}{
		{"CPU us per stream in steady", f.CPUUSPerStream}, {"reads per stream in steady", f.ReadsPerStream}, {"ns per iteration", f.NSPerIteration},
		{"TTFTs in baseline", float64(f.TTFT.Count)}, {"streams in stress-100", float64(f.Stream100.Count)}, {"streams in stress-200", float64(f.Stream200.Count)}, {"core us per stream in stress-200", f.CoreUSPerStream},
		{"peak memory in stress-200", f.PeakRSSBytes}, {"streams at a time", float64(f.Open)},
	} {
		if !(of.value > 0) {
			return fmt.Errorf("size: pilot: %s: %g; want more than 0, from a round of baseline, steady and stress", of.name, of.value)
		}
	}
	return nil
}

// Flags returns the flags that make a server worse by this many per cent, based on the figures of a pilot.
func Flags(server string, d prove.Size, pilot Figures) (f prove.Flags, err error) {
	if err := pilot.check(); err != nil {
		return f, err
	}
	if d[prove.CPU] > 0 { // not under stress, where it would take more of a stream, and lower throughput
		f.Work, f.WorkPace = int(math.Round(d[prove.CPU]/100*pilot.CPUUSPerStream*1000/pilot.NSPerIteration/pilot.ReadsPerStream)), steadyPace
	}
	f.Resident = int64(math.Round(d[prove.RSS] / 100 * pilot.PeakRSSBytes / float64(pilot.Open)))
	if d[prove.TTFT] > 0 {
		f.TTFTUS, f.TTFTShare, f.TTFTPace = math.Round(delay(pilot.TTFT, d[prove.TTFT])), lateShare, baselinePace
	}
	if d[prove.Tail] > 0 {
		f.TailUS, f.TailShare, f.TailPace = math.Round(delay(pilot.Stream100, d[prove.Tail])), lateShare, stressPace
	}
	if d[prove.Lock] > 0 {
		share := d[prove.Lock] / 100 / lockLoss[server]
		f.LockWork, f.LockPace = int(math.Round(share/(1-share)*pilot.CoreUSPerStream*1000/pilot.NSPerIteration)), stressPace
	}
	return f, nil
}

// Deliver computes the delivered size: the server's report as a share of base's figures in the same trial.
// Measurements of head do not enter.
func Deliver(told [2]prove.Told, base Figures) prove.Delivered {
	d := prove.Delivered{Told: told, Pct: map[string]float64{}}
	set := func(cell string, share float64) {
		if !math.IsNaN(share) && !math.IsInf(share, 0) && share != 0 {
			d.Pct[cell] = prove.Round(100 * share)
		}
	}
	set(prove.Cells[prove.CPU], (cpuUSPerStream(told[1])-cpuUSPerStream(told[0]))/base.CPUUSPerStream)
	baseline, stress := told[1].Paces[baselinePace], told[1].Paces[stressPace]
	set(prove.Cells[prove.TTFT], raises(baseline.TTFT, base.TTFT, baseline.Streams))
	for i, c := range []hist.Counts{base.Stream100, base.Stream200} {
		set(prove.TailCells[i], raises(stress.Tail, c, stress.Streams))
	}
	set(prove.Cells[prove.RSS], float64(told[1].ResidentBytes-told[0].ResidentBytes)/base.PeakRSSBytes)
	return d
}

// cpuUSPerStream is the CPU time that the work took for a stream in steady. Under stress a stream has fewer
// reads, since tokens queue up.
func cpuUSPerStream(t prove.Told) float64 {
	steady := t.Paces[steadyPace]
	return float64(steady.Iterations) * t.NSPerIteration / 1000 / float64(steady.Streams)
}

// raises is the share by which delays of this many streams raise the 95th percentile, if they hit all values
// of the distribution alike.
func raises(d prove.Delays, c hist.Counts, streams int) float64 {
	if d.Count == 0 || c.Count == 0 || streams == 0 {
		return 0
	}
	share := min(1, float64(d.Count)/float64(streams))
	return p95(c, d.MeanUS, share)/p95(c, 0, 0) - 1
}

// Sum adds the reports of several k6 runs of fresh processes. Memory and concurrent streams become means,
// since a k6 run reports its maximum.
func Sum(all []prove.Told) prove.Told {
	sum := prove.Told{Paces: map[string]prove.Given{}}
	for i, t := range all {
		n := i + 1
		mean := func(before, now int64) int64 { return before + (now-before)/int64(n) }
		addGiven(&sum.Given, t.Given)
		for pace, of := range t.Paces {
			before := sum.Paces[pace]
			addGiven(&before, of)
			sum.Paces[pace] = before
		}
		sum.NSPerIteration += (t.NSPerIteration - sum.NSPerIteration) / float64(n)
		sum.MostOpen = int(mean(int64(sum.MostOpen), int64(t.MostOpen)))
		sum.ResidentBytes = mean(sum.ResidentBytes, t.ResidentBytes)
	}
	sum.NSPerIteration = prove.Round(sum.NSPerIteration)
	return sum
}

func addGiven(g *prove.Given, o prove.Given) {
	g.Streams, g.Reads, g.Iterations = g.Streams+o.Streams, g.Reads+o.Reads, g.Iterations+o.Iterations
	addDelays(&g.TTFT, o.TTFT)
	addDelays(&g.Tail, o.Tail)
}

func addDelays(d *prove.Delays, o prove.Delays) {
	if o.Count > 0 {
		d.MeanUS = prove.Round((d.MeanUS*float64(d.Count) + o.MeanUS*float64(o.Count)) / float64(d.Count+o.Count))
		d.Count += o.Count
	}
}
