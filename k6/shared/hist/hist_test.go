package hist

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

func TestEveryValueIsWithinItsBucketAndNearItsMiddle(t *testing.T) {
	next := int64(0)
	for b := range Buckets {
		low, high := Bounds(b)
		if low != next || Bucket(low) != b || Bucket(high) != b {
			t.Fatalf("bucket %d: %d to %d, which are of buckets %d and %d; want it to begin at %d", b, low, high, Bucket(low), Bucket(high), next)
		}
		if middle := float64(low+high) / 2; middle-float64(low) > 0.001*float64(low) {
			t.Errorf("bucket %d: %d to %d is wider than 0.1 %% either side", b, low, high)
		}
		next = high + 1
	}
	if next != maxValue+1 {
		t.Errorf("the buckets end at %d; want %d", next-1, int64(maxValue))
	}
	if Bucket(-5) != 0 || Bucket(math.MaxInt64) != Buckets-1 {
		t.Error("values outside the range are not of the first and the last bucket")
	}
}

func TestQuantilesAreNearTheTrueOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var h Histogram
	var all []float64
	for range 10_000 {
		us := int64(math.Exp(rng.Float64() * 18)) // 1 us to 65 s
		h.Add(us)
		all = append(all, float64(us))
	}
	slices.Sort(all)
	c := h.Snapshot()
	for _, q := range []float64{0, 0.01, 0.5, 0.95, 0.99, 1} {
		want := all[int(max(1, math.Ceil(q*10_000)))-1]
		if got := c.QuantileUS(q); math.Abs(got-want) > max(0.5, 0.008*want) {
			t.Errorf("quantile %v: %v us; want %v", q, got, want)
		}
	}
	sum := 0.0
	for _, v := range all {
		sum += v
	}
	if c.MeanUS() != sum/10_000 || float64(c.MinUS) != all[0] || float64(c.MaxUS) != all[9_999] {
		t.Errorf("mean %v min %d max %d; want %v %v %v", c.MeanUS(), c.MinUS, c.MaxUS, sum/10_000, all[0], all[9_999])
	}
	if !math.IsNaN((Counts{}).QuantileUS(0.5)) || !math.IsNaN((Counts{}).MeanUS()) {
		t.Error("a histogram without values has a quantile or a mean")
	}
}

func TestManyMayAddAtOnce(t *testing.T) {
	var h Histogram
	var wg sync.WaitGroup
	for g := range int64(8) {
		wg.Go(func() {
			for i := range int64(1000) {
				h.Add(g*1000 + i)
			}
		})
	}
	wg.Wait()
	if c := h.Snapshot(); c.Count != 8000 || c.SumUS != 7999*8000/2 || c.MinUS != 0 || c.MaxUS != 7999 {
		t.Errorf("%+v", c)
	}
}

func TestMergedIsAsAddedTogether(t *testing.T) {
	var a, b, both Histogram
	for i := range int64(500) {
		a.Add(i * 7)
		b.Add(i * i)
		both.Add(i * 7)
		both.Add(i * i)
	}
	var merged Counts
	for _, c := range []Counts{a.Snapshot(), {}, b.Snapshot()} {
		merged.Merge(c)
	}
	got, _ := json.Marshal(merged)
	want, _ := json.Marshal(both.Snapshot())
	if !bytes.Equal(got, want) {
		t.Errorf("merged:\n%s\nwant:\n%s", got, want)
	}
}

// The golden files are for readers in other modules: the layout as a table,
// and a histogram with the values it was made of.
func TestEncoding(t *testing.T) {
	var layout bytes.Buffer
	layout.WriteString("# bucket least_us greatest_us; the first and last of each doubling\n")
	for b := range Buckets {
		if b%sub != 0 && b%sub != sub-1 {
			continue
		}
		low, high := Bounds(b)
		fmt.Fprintln(&layout, b, low, high)
	}
	golden(t, "testdata/layout.golden", layout.Bytes())

	values := []int64{0, 1, 1, 63, 64, 127, 128, 129, 130, 255, 256, 1000, 1007, 1008, 2000, 40_000, 1_000_000, 4_294_967_295}
	var h Histogram
	for _, v := range values {
		h.Add(v)
	}
	encoded, err := json.MarshalIndent(map[string]any{"values_us": values, "histogram": h.Snapshot(), "empty": Counts{}}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/histogram.golden.json", append(encoded, '\n'))

	var decoded struct{ Histogram, Empty Counts }
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		t.Fatal(err)
	}
	for _, c := range []Counts{decoded.Histogram, decoded.Empty} {
		again, _ := json.Marshal(c)
		var back Counts
		if err := json.Unmarshal(again, &back); err != nil {
			t.Errorf("%s: %v", again, err)
		}
	}
	if a, b := fmt.Sprint(decoded.Histogram), fmt.Sprint(h.Snapshot()); a != b {
		t.Errorf("decoded %s; want %s", a, b)
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from what is encoded; -update writes it:\n%s", file, got)
	}
}

func TestContradictionsAreRefused(t *testing.T) {
	for _, text := range []string{
		`{"count":2,"sum_us":1,"min_us":1,"max_us":1,"buckets":{"1":1}}`,
		`{"count":1,"sum_us":1,"min_us":null,"max_us":1,"buckets":{"1":1}}`,
		`{"count":0,"sum_us":0,"min_us":0,"max_us":0,"buckets":{}}`,
		`{"count":1,"sum_us":1,"min_us":1,"max_us":1,"buckets":{"12288":1}}`,
		`{"count":1,"sum_us":1,"min_us":1,"max_us":1,"buckets":{"-1":1}}`,
		`{"count":1,"sum_us":1,"min_us":1,"max_us":1,"buckets":{"x":1}}`,
		`{"count":2,"sum_us":1,"min_us":1,"max_us":1,"buckets":{"1":1,"01":1}}`,
		`[]`,
	} {
		if err := json.Unmarshal([]byte(text), new(Counts)); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
}

func BenchmarkAddBuckets(b *testing.B) {
	var h Histogram
	buckets := make([]uint16, 20)
	for i := range buckets {
		buckets[i] = uint16(Bucket(2000 + int64(i)*7))
	}
	for b.Loop() {
		h.AddBuckets(buckets, 40_000, 2000, 2133)
	}
}
