package trial

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/testfile"
)

// The work is about a fifth of a second of CPU time. Beside it the streams themselves cost little.
func TestWorkMatchesItsReport(t *testing.T) { forEach(t, workMatchesItsReport) }

func workMatchesItsReport(t *testing.T, server string) {
	const each, streams = 4_000_000, 5
	var cpu [2]time.Duration
	var told [2]prove.Told
	for i, args := range [][]string{{}, {"-work", "4000000"}} {
		p := start(t, server, true, args...)
		for range streams {
			p.stream(t)
		}
		told[i] = p.told(t, streams)
		p.Stop()
		cpu[i] = p.CPUTime()
	}
	if told[0].Iterations != 0 || told[1].Iterations != each*told[1].Reads {
		t.Errorf("%d iterations without, %d for %d reads", told[0].Iterations, told[1].Iterations, told[1].Reads)
	}
	for _, got := range told {
		if got.Reads < streams*events || got.Reads > streams*(events+1) { // the end may come with an event, or alone
			t.Errorf("%d reads of %d streams with %d events in lock-step", got.Reads, streams, events)
		}
	}
	said := float64(told[1].Iterations) * told[1].NSPerIteration
	took := float64(cpu[1] - cpu[0])
	t.Logf("%.0f ms of CPU time more, %.0f told, at %.2f ns for one", took/1e6, said/1e6, told[1].NSPerIteration)
	// A core is up to twice as slow beside neighbours, at the start or later. Work that is not done takes no time.
	if ratio := took / said; !(ratio > 0.25 && ratio < 4) {
		t.Errorf("the process used %.0f ms more, and told %.0f", took/1e6, said/1e6)
	}
}

func TestDelaysAreGivenToTheirShare(t *testing.T) { forEach(t, delaysAreGivenToTheirShare) }

func delaysAreGivenToTheirShare(t *testing.T, server string) {
	const streams, ttft, tail = 60, 4000, 2500 // us
	p := start(t, server, true, "-ttft-us", "4000", "-ttft-share", "0.2", "-tail-us", "2500", "-tail-share", "0.1")
	late, started := 0, time.Now()
	for range streams {
		if p.stream(t) >= ttft*time.Microsecond/2 {
			late++
		}
	}
	took := time.Since(started)
	told := p.told(t, streams)
	for _, d := range []struct {
		name             string
		given            prove.Delays
		want, atLeast    float64
		countedByClients int
	}{{"ttft", told.TTFT, 0.2 * streams, ttft / 2, late}, {"tail", told.Tail, 0.1 * streams, tail / 2, streams}} {
		t.Logf("%s: %d, %.0f us late in the mean", d.name, d.given.Count, d.given.MeanUS)
		if math.Abs(float64(d.given.Count)-d.want) > 1 {
			t.Errorf("%s: %d of %d streams are late; want %g", d.name, d.given.Count, streams, d.want)
		}
		if d.given.MeanUS < d.atLeast {
			t.Errorf("%s: %g us late in the mean; want %g at least", d.name, d.given.MeanUS, d.atLeast)
		}
		if d.countedByClients < d.given.Count {
			t.Errorf("%s: %d were late, clients saw %d", d.name, d.given.Count, d.countedByClients)
		}
	}
	if sum := float64(told.TTFT.Count)*told.TTFT.MeanUS + float64(told.Tail.Count)*told.Tail.MeanUS; sum > float64(took.Microseconds()) {
		t.Errorf("late by %g us in %v", sum, took)
	}
}

// A timer of the kernel is never early. So a delay is too short only because the lateness of earlier delays was subtracted,
// at most half of it.
func TestLatenessOfDelaysIsSubtracted(t *testing.T) {
	const tries, us = 60, 150
	p := start(t, "relay/go-http", false, "-ttft-us", "150", "-ttft-share", "1")
	var before float64
	for try := 1; try <= tries; try++ {
		p.stream(t)
		told := p.told(t, try).TTFT
		sum := told.MeanUS * float64(told.Count)
		was := sum - before
		if before = sum; was < us/2-1 {
			t.Fatalf("stream %d was late by %.0f us; want half of %d at least", try, was, us)
		}
		if was < us {
			t.Logf("stream %d was late by %.0f us", try, was)
			return
		}
	}
	t.Errorf("none of %d was late by less than %d us", tries, us)
}

// Delays for streams of one pace reach no other pace, and each pace has its own count.
func TestDelaysOfAPaceAreForItAlone(t *testing.T) { forEach(t, delaysOfAPaceAreForItAlone) }

func delaysOfAPaceAreForItAlone(t *testing.T, server string) {
	p := start(t, server, true, "-ttft-us", "2000", "-ttft-share", "1", "-ttft-pace", "50ms", "-tail-us", "2000", "-tail-share", "1", "-tail-pace", "1ms")
	for _, message := range []string{"hello @tokens=8 @itl=50ms", "@itl=1ms", "hello"} {
		p.message = message
		p.stream(t)
	}
	told := p.told(t, 3)
	for pace, want := range map[string][2]int{"50ms": {1, 0}, "1ms": {0, 1}, "": {0, 0}} {
		if of := told.Paces[pace]; of.Streams != 1 || of.TTFT.Count != want[0] || of.Tail.Count != want[1] {
			t.Errorf("pace %q: %+v; want a stream, and delays %v", pace, of, want)
		}
	}
}

// Only streams of the lock's pace wait for it, once each, and only streams of the work's pace get work.
func TestStreamsOfAPaceGetTheirWork(t *testing.T) { forEach(t, streamsOfAPaceGetTheirWork) }

func streamsOfAPaceGetTheirWork(t *testing.T, server string) {
	p := start(t, server, true, "-work", "10", "-work-pace", "2ms", "-lock-work", "1000", "-lock-pace", "1ms")
	for _, message := range []string{"hello @itl=1ms", "hello @itl=1ms", "hello @itl=2ms"} {
		p.message = message
		p.stream(t)
	}
	told := p.told(t, 3)
	for pace, want := range map[string]int{"1ms": 2000, "2ms": 10 * told.Paces["2ms"].Reads} {
		if of := told.Paces[pace]; of.Iterations != want {
			t.Errorf("pace %s: %+v; want %d iterations", pace, of, want)
		}
	}
}

// Ten streams at once hold memory. Ten more, one after the other, hold no more.
func TestMemoryMatchesItsReport(t *testing.T) { forEach(t, memoryMatchesItsReport) }

func memoryMatchesItsReport(t *testing.T, server string) {
	const mib = 1 << 20
	var peak [2]float64
	var told prove.Told
	for i, args := range [][]string{{}, {"-resident", "8388609"}} {
		p := start(t, server, false, args...)
		p.crowd = new(sync.WaitGroup)
		p.crowd.Add(10)
		var atOnce sync.WaitGroup
		for range 10 {
			atOnce.Go(func() { p.stream(t) })
		}
		atOnce.Wait()
		p.crowd = nil
		peak[i] = p.peak(t)
		told = p.told(t, 10)
		if i == 0 {
			continue
		}
		if told.MostOpen != 10 || told.ResidentBytes != 80*mib+4096 {
			t.Errorf("told %+v", told)
		}
		for range 10 {
			p.stream(t)
		}
		if again := p.told(t, 20); again.ResidentBytes != told.ResidentBytes {
			t.Errorf("told %+v after %+v", again, told)
		}
	}
	said := float64(told.ResidentBytes)
	t.Logf("%.2f MiB more, %.2f told", (peak[1]-peak[0])/mib, said/mib)
	if ratio := (peak[1] - peak[0]) / said; ratio < 0.85 || ratio > 1.15 {
		t.Errorf("peak memory is %.1f MiB more, told are %.1f", (peak[1]-peak[0])/mib, said/mib)
	}
}

// Reserved memory that a collector counts would make it collect less often, and raise the peak by more.
func TestHeldMemoryRaisesThePeakByItselfAlone(t *testing.T) {
	forEach(t, heldMemoryRaisesThePeakByItselfAlone)
}

func heldMemoryRaisesThePeakByItselfAlone(t *testing.T, server string) {
	const atOnce, each = 200, 20
	var peak [2]float64
	for i, args := range [][]string{{}, {"-resident", "20000"}} {
		p := start(t, server, false, args...)
		var all sync.WaitGroup
		for range atOnce {
			all.Go(func() {
				for range each {
					p.stream(t)
				}
			})
		}
		all.Wait()
		peak[i] = p.peak(t) / (1 << 20)
	}
	t.Logf("peak memory is %.1f MiB, and %.1f with memory for each stream", peak[0], peak[1])
	if more := peak[1] - peak[0]; more > 12 {
		t.Errorf("peak memory is %.1f MiB more; want about 4", more)
	}
}

func TestReadReportTakesTheLastLineAndIsStrict(t *testing.T) {
	first, last := `{"injected":{"streams":1}}`, `{"injected":{"streams":2,"ttft":{"count":1,"mean_us":3.5}}}`
	told, err := ReadTold(strings.NewReader(first + "\nlistening\n" + last + "\n2026 http: panic\n"))
	if want := (prove.Told{Given: prove.Given{Streams: 2, TTFT: prove.Delays{Count: 1, MeanUS: 3.5}}}); err != nil || !reflect.DeepEqual(told, want) {
		t.Errorf("%+v, %v; want %+v", told, err, want)
	}
	path := filepath.Join(t.TempDir(), "log")
	testfile.Write(t, path, last)
	if sum, err := SumLogs([]string{path, path}); err != nil || sum.Streams != 4 || sum.TTFT != (prove.Delays{Count: 2, MeanUS: 3.5}) {
		t.Errorf("of two logs: %+v, %v", sum, err)
	}
	if _, err := SumLogs([]string{path, path + "2"}); err == nil {
		t.Error("a log that is missing is no error")
	}
	for log, want := range map[string]string{
		"listening":                             "no line",
		first + "\n{\"injected\":{\"read\":1}}": "unknown field",
		first + "\n{\"injected\":{\"rea":        "EOF",
		last + "}":                              "text after",
	} {
		if _, err := ReadTold(strings.NewReader(log)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", log, err, want)
		}
	}
}
