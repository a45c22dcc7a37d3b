package record

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/testfile"
)

// A file of k6 as its script writes it.
type k6File struct {
	Slices     hist.Slices    `json:"slices"`
	Histograms *hist.Report   `json:"histograms,omitempty"`
	Requests   *hist.Requests `json:"requests,omitempty"`
}

// discard puts a discarded cycle before the slices of a level, in which all was slow. Slices and series keep their
// numbers, and the new ones begin at 1000.
func (f *k6File) discard(level string) {
	first := slices.IndexFunc(f.Slices.Slices, func(s hist.Slice) bool { return s.Level == level })
	var again []hist.Slice
	for i := range f.Slices.Slices {
		s := &f.Slices.Slices[i]
		if s.Level != level || slices.ContainsFunc(again, func(o hist.Slice) bool { return o.Targets[0] == s.Targets[0] }) {
			continue // the first slice of each target is in cycle 1
		}
		s.Cycle = 1
		copied := *s
		copied.Slice, copied.Discarded, copied.TookMS = 1000+s.Slice, true, 1
		copied.BusyMS = map[string]float64{s.Targets[0]: 99_000}
		copied.CPUMS = map[string]float64{}
		for name := range s.CPUMS {
			copied.CPUMS[name] = 1
		}
		copied.MachineBusyMS, copied.MachineStealMS = new(90_000.), new(9_000.)
		again = append(again, copied)
		f.copySeries(fmt.Sprint(s.Slice), fmt.Sprint(copied.Slice))
	}
	f.Slices.Slices = slices.Insert(f.Slices.Slices, first, again...)
	f.Slices.Planned += len(again)
}

// copySeries adds what a slice had as that of another, ten times as slow.
func (f *k6File) copySeries(slice, as string) {
	slow := func(c hist.Counts) hist.Counts {
		var h hist.Histogram
		for bucket, n := range c.Buckets {
			low, _ := hist.Bounds(bucket)
			for range n {
				h.Add(10 * low)
			}
		}
		return h.Snapshot()
	}
	if f.Histograms != nil {
		for _, s := range slices.Clone(f.Histograms.Series) {
			if s.Slice == slice {
				s.Started, s.Failed = s.OK, map[string]int64{}
				s.Slice, s.Stream, s.TTFT, s.Itl, s.TokenDelay = as, slow(s.Stream), slow(s.TTFT), slow(s.Itl), slow(s.TokenDelay)
				f.Histograms.Series = append(f.Histograms.Series, s)
			}
		}
		return
	}
	for _, s := range slices.Clone(f.Requests.Series) {
		if s.Slice == slice {
			s.Started, s.Failed = s.OK, map[string]int64{}
			s.Slice, s.Request, s.TTFB, s.Bytes = as, slow(s.Request), slow(s.TTFB), 0
			f.Requests.Series = append(f.Requests.Series, s)
		}
	}
}

// A discarded cycle changes no figure and no condition of a record. The stub has seen its requests, too.
func TestADiscardedCycleChangesNoRecord(t *testing.T) {
	for name, of := range map[string]struct {
		k6Run, level string
	}{"mixed": {"1/stress", "100"}, "web": {"1/stress", "100"}} {
		before, detailsBefore, _, err := FromRaw("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		dir := testfile.Copy(t, "testdata/"+name)
		path := filepath.Join(dir, of.k6Run, raw.SummaryFile)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var f k6File
		if err := json.Unmarshal(text, &f); err != nil {
			t.Fatal(err)
		}
		f.discard(of.level)
		if err := raw.WriteJSON(path, f); err != nil {
			t.Fatal(err)
		}
		factsPath := filepath.Join(dir, of.k6Run, raw.FactsFile)
		var facts raw.Facts
		if err := raw.ReadJSON(factsPath, &facts); err != nil {
			t.Fatal(err)
		}
		if f.Requests != nil { // of streams all-fail has failed, so nothing is compared
			for _, s := range f.Requests.Series {
				if s.Target == raw.Direct && len(s.Slice) == 4 {
					facts.StubStreams += s.OK
				}
			}
		}
		if err := raw.WriteJSON(factsPath, facts); err != nil {
			t.Fatal(err)
		}
		after, detailsAfter, _, err := FromRaw(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(after) != len(before) {
			t.Fatalf("%s: %d records; want %d", name, len(after), len(before))
		}
		for i := range after {
			if !reflect.DeepEqual(before[i], after[i]) {
				t.Errorf("%s: %s, %s:\ngot  %+v\nwant %+v", name, after[i].Scenario, after[i].Target(), after[i], before[i])
			}
		}
		for i, d := range detailsAfter {
			if !reflect.DeepEqual(d.Durations, detailsBefore[i].Durations) {
				t.Errorf("%s: other durations in round %d", name, d.Round)
			}
			var counts []K6Slice
			for _, s := range d.Slices {
				if len(s.Rates) > 0 {
					s.BeginMS = 0
					counts = append(counts, s)
				}
			}
			for _, s := range detailsBefore[i].Slices {
				if len(s.Rates) == 0 {
					continue
				}
				if s.BeginMS = 0; len(counts) == 0 || !reflect.DeepEqual(s, counts[0]) {
					t.Fatalf("%s: round %d: other slices with rates, from %+v on", name, d.Round, s)
				}
				counts = counts[1:]
			}
		}
	}
}

// Accounts have all requests: the stub does not know which cycles count.
func TestAccountsHaveDiscardedCycles(t *testing.T) {
	m := healthy()
	tokens(&m, 400, 300, 0)
	again := m.summary.Loads[1]
	again.Discarded, again.Counts.Tokens = true, new(int64(100))
	m.summary.Loads = append(m.summary.Loads, again)
	m.facts.StubStreams, m.facts.StubStreamSeconds = m.allRequests(), 78
	if a, known := m.account("a"); !known || !a.Even() || m.facts.StubStreams != 80 {
		t.Errorf("%+v, %v; %d requests", a, known, m.facts.StubStreams)
	}
	if status, why, _ := check(m); status != OK {
		t.Errorf("%s: %q", status, why)
	}
	// A neighbour breaks no answer, so a failure there is named.
	m.summary.Loads[3].Failed, m.summary.Loads[3].Broken = 2, []string{"2 x cut"}
	status, why, disturbed := check(m)
	const want = "discarded cycles: 2 of 22 streams failed: 2 x cut"
	if status != Warning || !strings.Contains(strings.Join(why, "; "), want) || len(disturbed) > 0 {
		t.Errorf("%s: %q, disturbed %q; want %s", status, why, disturbed, want)
	}
}
