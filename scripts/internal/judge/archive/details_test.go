package archive

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/details"
	"fairstream/scripts/internal/judge/details/simulate"
	"fairstream/scripts/internal/workload"
)

// The branch keeps all of the details, and three digits of rates.
func TestPackedDetailsAreReadAsTheyWere(t *testing.T) {
	want := simulate.NewDetails(rand.New(rand.NewPCG(1, 2)), workload.All[0], []string{"bun-http", "go-http"})
	line := &want.K6Runs[0].Timelines[1]
	line.First, line.CPUPct[0], line.RSSKiB[0], line.CPUPct[3] = -2, nil, nil, nil
	want.Distributions[1].Curves["itl"] = nil
	text, err := PackDetails(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadDetails(text)
	for i, l := range got.K6Runs {
		for j, slice := range l.Slices {
			for k := 4; k < len(slice); k += 2 { // rates keep three digits
				if rate := want.K6Runs[i].Slices[j][k]; math.Abs(slice[k]-rate) > 0.01*rate {
					t.Errorf("rate %g, want %g", slice[k], rate)
				}
				slice[k] = want.K6Runs[i].Slices[j][k]
			}
		}
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v; got\n%v\nwant\n%v", err, got, want)
	}
	var plain bytes.Buffer
	if err := details.Write(&plain, want); err != nil || len(text) > plain.Len()/2 {
		t.Errorf("%v; %d bytes, plain %d", err, len(text), plain.Len())
	}
}

func TestBrokenPackedDetailsAreRefused(t *testing.T) {
	text, err := PackDetails(simulate.NewDetails(rand.New(rand.NewPCG(1, 2)), workload.All[0], []string{"go-http"}))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"another schema":    {`"schema":4`, `"schema":5,"mood":"new"`, "details: schema 5; this tool reads schema 4"},
		"an unknown key":    {`"places"`, `"where"`, "unknown field"},
		"a symbol":          {`"places":"`, `"places":"\"`, `places: symbol '"'`},
		"no end":            {`"places":"`, `"places":"` + strings.Repeat("}", longest), `a number of more than 14 symbols`},
		"unknown rates":     {regexp.MustCompile(`"rates":"[^"]*"`).FindString(string(text)), `"rates":""`, "a rate is unknown"},
		"an unknown place":  {`"places":"`, `"places":"~`, "places: a number is unknown"},
		"half a place":      {`"places":"`, `"places":"!`, "want two for each"},
		"no such target":    {`"places":"!`, `"places":"9`, "distribution 1: target"},
		"a missing rate":    {`"rates":"`, `"rates":"!`, "behind the last figure"},
		"a slice's target":  {`"loaded":"!`, `"loaded":"9`, "want one of 2"},
		"half a slice":      {`"slices":"`, `"slices":"!`, "want four of each"},
		"a longer timeline": {`"cpu_pct":"`, `"cpu_pct":"!`, "want as many of both"},
		"a curve":           {`"itl":["`, `"itl":["!`, "a curve of"},
		"no workload":       {`"relay"`, `""`, "workload"},
	} {
		if _, err := ReadDetails([]byte(strings.Replace(string(text), c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func TestNumbersAreReadAsTheyWere(t *testing.T) {
	all := []int64{0, 1, -1, 31, 32, -32, -33, 767, 768, -1e6, 1 << 53, math.MaxInt64, math.MinInt64}
	var text []byte
	for _, v := range all {
		text = append(appendNumber(text, v), unknown)
	}
	in := numbers{string(text)}
	for _, want := range all {
		if got, known, err := in.next(); err != nil || !known || got != want {
			t.Errorf("%d, %v, %v; want %d", got, known, err, want)
		}
		if _, known, err := in.next(); err != nil || known {
			t.Errorf("behind %d: known %v, %v", want, known, err)
		}
	}
	if _, _, err := in.next(); err == nil {
		t.Error("nothing was read as a number")
	}
}

func FuzzReadDetails(f *testing.F) {
	one := int64(7)
	text, err := PackDetails(details.Details{
		Schema: details.Schema, Workload: "relay", K6Runs: []details.K6Run{{
			Scenario: "stress", Round: 1, Levels: []string{"100"}, Targets: []string{"a"}, Slices: []details.Slice{{0, 1, 2, 0, 3.5}},
			Timelines: []details.Timeline{{Process: "k6", CPUPct: []*int64{&one, nil}, RSSKiB: []*int64{nil, &one}}},
		}},
		Distributions: []details.Distribution{{Target: "a", Scenario: "stress-100", Curves: map[string]details.Curve{"stream": {1, 2, 2, 2}, "ttft": nil, "itl": nil, "token_delay": nil}}},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		of, err := ReadDetails(text)
		if err != nil {
			return
		}
		packed, err := PackDetails(of)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadDetails(packed); err != nil {
			t.Errorf("what was packed cannot be read: %v", err)
		}
	})
}
