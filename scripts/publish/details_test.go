package publish_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"fairstream/k6/sse/hist"
	"fairstream/scripts/publish"
	"fairstream/scripts/record"
)

// Details keep who was loaded when, each sample, and each count, in a bucket that is at
// most a 64th wide.
func TestDetails(t *testing.T) {
	f, err := os.Open("../record/testdata/mixed.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := record.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	var values []int64
	var h [2]hist.Histogram // of two rounds
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		v := int64(random.ExpFloat64() * 30_000)
		values = append(values, v)
		h[i%2].Add(v)
	}
	of := func(i int) record.Details {
		return record.Details{
			Schema: record.Schema, Run: "mixed", Round: i + 1, Scenario: "stress",
			Turns: []record.Turn{
				{Plateau: "warm-up", TookMS: 99.6, Rates: map[string]float64{"go-http": 4567.891}},
				{Plateau: "10", BeginMS: 100, TookMS: 500, Rates: map[string]float64{"direct": 9, "go-http": 8}},
			},
			Timelines: []record.Timeline{{Process: "k6", Second: []int64{1, 2, 4}, CPUPct: []float64{10.4, 20, 40}, RSSBytes: []int64{1024, 2048, 4096}}, {Process: "empty"}},
			Durations: []record.Durations{{Target: "go-http", Scenario: "stress-10", Stream: h[i].Snapshot()}},
		}
	}
	other := of(0)
	other.Run = "of another run"
	s, m := build(t, publish.Facts{Local: []publish.Local{{Records: records, Details: []record.Details{of(0), of(1), other}}}})
	run := get[publish.Runs](t, s, m.Runs).Runs[0]
	var d publish.Details
	if err := json.Unmarshal(unzipped(t, s["details/"+run.Run+".json.gz"]), &d); err != nil || !run.Details {
		t.Fatal(err, run)
	}
	if len(d.Loadings) != 2 || len(d.Distributions) != 1 {
		t.Fatalf("%+v", d)
	}
	want := publish.Loading{
		Scenario: "stress", Round: 1, Plateaus: []string{"warm-up", "10"}, Targets: []string{"go-http", "direct"},
		Turns:     [][]float64{{0, 0, 100, 0, 4568}, {1, 100, 500, 0, 8, 1, 9}},
		Timelines: []publish.Timeline{{Process: "k6", First: 1, CPUPct: publish.Ints{10, 20, publish.Null, 40}, RSSKiB: publish.Ints{1, 2, publish.Null, 4}}},
	}
	if !reflect.DeepEqual(d.Loadings[0], want) {
		t.Errorf("got  %+v\nwant %+v", d.Loadings[0], want)
	}
	got := d.Distributions[0]
	if got.TTFT != nil || got.Stream.Counts[0] == 0 || got.Stream.Counts[len(got.Stream.Counts)-1] == 0 {
		t.Errorf("%+v", got)
	}
	counts := make(publish.Ints, len(got.Stream.Counts))
	var sum int64
	for _, v := range values {
		sum += v
		counts[bucket(v)-got.Stream.First]++
	}
	if !reflect.DeepEqual(counts, got.Stream.Counts) || sum != got.Stream.SumUS {
		t.Errorf("counts %v, want %v", got.Stream.Counts, counts)
	}
}

// bucket is what the site makes of a value: one below 64, then 64 a doubling.
func bucket(v int64) int {
	shift := 0
	for v>>shift >= 128 {
		shift++
	}
	return shift*64 + int(v>>shift)
}
