package where

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// sampled are rounds in which each stack takes these microseconds of a request, at base and at head, with the noise of counting.
func sampled(seed uint64, stacks map[string][2]float64) (rounds []Round) {
	random := rand.New(rand.NewPCG(seed, 1))
	const requests, period = 20_000, 5000.
	for range 4 {
		var sides [2]Profile
		for side := range sides {
			p := Profile{Requests: requests, PeriodUS: period, Stacks: map[string]int64{}}
			for _, stack := range slices.Sorted(maps.Keys(stacks)) { // otherwise each run gets other noise
				want := stacks[stack][side] * requests / period
				if n := int64(want + random.NormFloat64()*math.Sqrt(want) + 0.5); n > 0 {
					p.Stacks[stack] = n
				}
			}
			sides[side] = p
		}
		rounds = append(rounds, Round{sides[0], sides[1]})
	}
	return rounds
}

// A regexp that is compiled on each request is the function that did it. Its callers only pass that on.
func TestTheFunctionThatDidItIsNamed(t *testing.T) {
	rounds := sampled(1, map[string][2]float64{
		"main;serve;main.chat;write":                              {100, 100},
		"main;serve;main.chat;json.Marshal;encode":                {80, 80},
		"main;serve;main.chat;regexp.MustCompile;compile;parse":   {0, 20},
		"main;serve;main.chat;regexp.MustCompile;compile;onepass": {0, 15},
		"main;serve;read": {60, 60},
		"main;gc":         {40, 42},
		"kernel: write":   {120, 120},
		"main;serve;main.chat;log.Printf;format;kernel: write":       {10, 10},
		"main;serve;main.chat;strings.Builder.WriteString;growslice": {30, 30},
	})
	all := Functions(rounds, 3)
	if len(all) == 0 || all[0].Name != "compile" || strings.Join(all[0].From, " ") == "" || !strings.Contains(strings.Join(all[0].From, " "), "regexp.MustCompile") {
		t.Fatalf("%+v", all)
	}
	if c := all[0].Total; c.By < 30 || c.By > 40 || c.Low > 35 || c.High < 35 {
		t.Errorf("%+v; want about 35 us more", c)
	}
}

// In 100 pairs of equal servers of 60 functions nothing is listed.
func TestNothingChangedAndNothingIsListed(t *testing.T) {
	stacks := map[string][2]float64{}
	for i := range 60 {
		us := 2 + float64(i*i%90)
		stacks[fmt.Sprintf("main;handler%d;work%d", i%7, i)] = [2]float64{us, us}
	}
	listed := 0
	for seed := range uint64(100) {
		listed += len(Functions(sampled(seed, stacks), 10))
	}
	if listed > 1 {
		t.Errorf("%d functions are listed in 100 comparisons of equal servers", listed)
	}
}

// Without a base, the functions that take most time themselves are listed, and not those that only call them.
func TestAServerAloneHasItsCostliestFunctions(t *testing.T) {
	f := File{Schema: Schema, Server: "shop", Unit: "request", Scenario: "steady"}
	for _, r := range sampled(1, map[string][2]float64{"main;serve;write": {0, 100}, "main;serve;json;encode": {0, 80}, "main;gc": {0, 30}}) {
		r.Base = Profile{}
		f.Rounds = append(f.Rounds, r)
	}
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	found := f.Found()
	var names []string
	for _, of := range found.Functions {
		names = append(names, of.Name)
	}
	if got := strings.Join(names[:3], " "); !found.Alone || got != "write encode gc" || len(names) != 6 {
		t.Errorf("%q", names)
	}
	if c := found.Functions[0].Own; c.Low > 100 || c.High < 100 || c.Base != 0 {
		t.Errorf("%+v", c)
	}
	f.Rounds[1].Base = Profile{Requests: 1, PeriodUS: 1, Stacks: map[string]int64{"main": 1}}
	if err := f.Check(); err == nil {
		t.Error("a round with a base is taken among rounds without one")
	}
}

func TestFilesThatCannotBe(t *testing.T) {
	good := Profile{Requests: 1, PeriodUS: 5000, Stacks: map[string]int64{"main": 1}}
	for text, f := range map[string]File{
		"schema 2":      {Schema: 2, Rounds: []Round{{good, good}, {good, good}}},
		"1 rounds":      {Schema: Schema, Rounds: []Round{{good, good}}},
		"0 requests":    {Schema: Schema, Rounds: []Round{{good, good}, {good, Profile{PeriodUS: 5000, Stacks: good.Stacks}}}},
		"0 us a sample": {Schema: Schema, Rounds: []Round{{good, good}, {Profile{Requests: 1, Stacks: good.Stacks}, good}}},
	} {
		if err := f.Check(); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v; want %q", err, text)
		}
	}
	if err := (File{Schema: Schema, Rounds: []Round{{good, good}, {good, good}}}).Check(); err != nil {
		t.Error(err)
	}
}
