// Package where says which functions of a server changed between base and head, from samples of their stacks in rounds under
// one load. Of a server without a base it says which functions take most time. It is a hint: no verdict depends on it. It is pure,
// and reads what package profile wrote.
package where

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
)

// Schema is the version of the form of a File.
const Schema = 1

// A File has the samples of one server, in all rounds.
type File struct {
	Schema   int     `json:"schema"`
	Workload string  `json:"workload"`
	Server   string  `json:"server"`
	Scenario string  `json:"scenario"` // that was loaded
	Unit     string  `json:"unit"`     // such as stream: times are those of one
	Note     string  `json:"note,omitempty"`
	Rounds   []Round `json:"rounds"`
}

// A Round has what was sampled of base and head in the same seconds. Outside of a comparison, it has no base.
type Round struct {
	Base Profile `json:"base"`
	Head Profile `json:"head"`
}

// A Profile is the samples of a server's processes in one round.
type Profile struct {
	Requests int64   `json:"requests"`  // that were served meanwhile
	PeriodUS float64 `json:"period_us"` // CPU time of one sample
	// Stacks counts samples by their functions from the outermost on, with ";" between.
	Stacks map[string]int64 `json:"stacks"`
}

// A Found is the functions of one server that changed, or without a base those that take most time, the most first.
type Found struct {
	Workload  string     `json:"workload"`
	Server    string     `json:"server"`
	Scenario  string     `json:"scenario"`
	Unit      string     `json:"unit"`
	Note      string     `json:"note,omitempty"`
	Rounds    int        `json:"rounds"`
	Alone     bool       `json:"alone,omitempty"` // there is no base
	Functions []Function `json:"functions"`
}

// A Function has the times of one function.
type Function struct {
	Name string   `json:"name"`
	From []string `json:"from"` // functions that only pass the change on to it, from the outermost on
	// Own is the time in the function itself, and Total with all that it calls.
	Own   Change `json:"own"`
	Total Change `json:"total"`
}

// A Change is a time per request, in microseconds.
type Change struct {
	Base  float64 `json:"base"` // means of the rounds
	Head  float64 `json:"head"`
	By    float64 `json:"by"`  // head less base
	Low   float64 `json:"low"` // 95 % interval of By
	High  float64 `json:"high"`
	noise float64 // standard error that counting alone gives
}

// MostFunctions is how many functions of a server are listed.
const MostFunctions = 8

// Found lists the functions that changed, or that take most time.
func (f File) Found() Found {
	list := Functions
	if f.alone() {
		list = costliest
	}
	return Found{f.Workload, f.Server, f.Scenario, f.Unit, f.Note, len(f.Rounds), f.alone(), list(f.Rounds, MostFunctions)}
}

func (f File) alone() bool { return f.Rounds[0].Base.Stacks == nil }

// costliest lists the functions that take most time themselves.
func costliest(rounds []Round, most int) (all []Function) {
	of := times(rounds)
	delete(of, "")
	for _, name := range slices.Sorted(maps.Keys(of)) {
		all = append(all, Function{Name: name, Own: of[name].own.change(rounds), Total: of[name].total.change(rounds)})
	}
	slices.SortStableFunc(all, func(a, b Function) int { return cmp.Compare(b.Own.Head, a.Own.Head) })
	return all[:min(len(all), most)]
}

// Most is the larger of both changes.
func (f Function) Most() Change {
	if math.Abs(f.Own.By) > math.Abs(f.Total.By) {
		return f.Own
	}
	return f.Total
}

// Limits of the list.
const (
	// leastShare is the part of base's time that a change must have.
	leastShare = 0.01
	// leastNoise is how many standard errors of counting it must have. A server has hundreds of functions, so 1 in 16,000 is the chance
	// of one.
	leastNoise = 4
	// passes is the part of a function's change that another one below it must have, so that the first only passes it on.
	passes = 0.7
	// below is the part of a function's samples in which it is below another one, to be called by it.
	below = 0.9
)

// Functions lists the functions that changed, the most first, and at most a number of them. A function that only passes on the
// change of another one is named in its From.
func Functions(rounds []Round, most int) []Function {
	all := times(rounds)
	whole := all[""]
	delete(all, "")
	var changed []Function
	for _, name := range slices.Sorted(maps.Keys(all)) {
		of := all[name]
		f := Function{Name: name, Own: of.own.change(rounds), Total: of.total.change(rounds)}
		if base := whole.total.change(rounds).Base; f.Own.sure(base) || f.Total.sure(base) {
			changed = append(changed, f)
		}
	}
	slices.SortStableFunc(changed, func(a, b Function) int { return cmp.Compare(b.size(), a.size()) })
	changed = changed[:min(len(changed), mostCompared)]
	return merged(changed, rounds, most)
}

// mostCompared bounds how many functions are compared with each other.
const mostCompared = 60

// size orders functions: by the time that changed.
func (f Function) size() float64 { return math.Abs(f.Most().By) }

// sure reports whether a change is listed. base is the time of a whole request.
func (c Change) sure(base float64) bool {
	outside := c.Low > 0 || c.High < 0
	return outside && math.Abs(c.By) >= leastShare*base && math.Abs(c.By) >= leastNoise*c.noise
}

// merged leaves out functions that only pass a change on, and names them in the one that has it.
func merged(changed []Function, rounds []Round, most int) (kept []Function) {
	under := callers(rounds)
	passedTo := map[string]string{} // the function that has the change, by the one that passes it on
	for _, f := range changed {
		var to *Function
		for i := range changed {
			g := &changed[i]
			share := g.Total.By / f.Total.By
			if g.Name == f.Name || under[g.Name][f.Name] < below || share < passes || share > 1/passes || math.Abs(f.Own.By) > (1-passes)*math.Abs(f.Total.By) {
				continue
			}
			if to == nil || under[g.Name][to.Name] >= below { // the deepest
				to = g
			}
		}
		if to != nil {
			passedTo[f.Name] = to.Name
		}
	}
	for _, f := range changed {
		if passedTo[f.Name] != "" {
			continue
		}
		for _, g := range changed {
			if passedTo[g.Name] == f.Name {
				f.From = append(f.From, g.Name)
			}
		}
		slices.SortStableFunc(f.From, func(a, b string) int { // the outermost first
			switch {
			case under[b][a] >= below && under[a][b] < below:
				return -1
			case under[a][b] >= below && under[b][a] < below:
				return 1
			}
			return 0
		})
		if kept = append(kept, f); len(kept) == most {
			break
		}
	}
	return kept
}

// A series is the time of a function per request, by round and side, with the number of samples.
type series struct {
	us      [][2]float64
	samples [2]float64
}

type both struct{ own, total *series }

// times are those of all functions, and of "" for the whole.
func times(rounds []Round) map[string]both {
	all := map[string]both{}
	of := func(name string) both {
		b, known := all[name]
		if !known {
			b = both{&series{us: make([][2]float64, len(rounds))}, &series{us: make([][2]float64, len(rounds))}}
			all[name] = b
		}
		return b
	}
	for i, r := range rounds {
		for side, p := range []Profile{r.Base, r.Head} {
			for stack, n := range p.Stacks {
				functions := strings.Split(stack, ";")
				of(functions[len(functions)-1]).own.add(i, side, n, p)
				of("").total.add(i, side, n, p)
				slices.Sort(functions)
				for _, name := range slices.Compact(functions) {
					of(name).total.add(i, side, n, p)
				}
			}
		}
	}
	return all
}

func (s *series) add(round, side int, n int64, p Profile) {
	if p.Requests > 0 {
		s.us[round][side] += float64(n) * p.PeriodUS / float64(p.Requests)
		s.samples[side] += float64(n)
	}
}

// change judges a series.
func (s *series) change(rounds []Round) (c Change) {
	n := float64(len(s.us))
	var differences []float64
	variance := 0.0 // of the sum that counting gives
	for i, us := range s.us {
		c.Base, c.Head = c.Base+us[0]/n, c.Head+us[1]/n
		differences = append(differences, us[1]-us[0])
		for side, p := range []Profile{rounds[i].Base, rounds[i].Head} {
			if p.Requests > 0 { // the variance of a count is the count
				variance += us[side] * p.PeriodUS / float64(p.Requests)
			}
		}
	}
	c.noise = math.Sqrt(variance) / n
	c.By, c.Low, c.High = verdict.MeanInterval(differences)
	return c
}

// callers says, for each function, in which part of its samples another one calls it.
func callers(rounds []Round) map[string]map[string]float64 {
	samples, under := map[string]float64{}, map[string]map[string]float64{}
	for _, r := range rounds {
		for _, p := range []Profile{r.Base, r.Head} {
			for stack, n := range p.Stacks {
				seen := map[string]bool{}
				var above []string
				for name := range strings.SplitSeq(stack, ";") {
					if seen[name] {
						continue // recursion
					}
					seen[name] = true
					samples[name] += float64(n)
					if under[name] == nil {
						under[name] = map[string]float64{}
					}
					for _, of := range above {
						under[name][of] += float64(n)
					}
					above = append(above, name)
				}
			}
		}
	}
	for name, of := range under {
		for caller := range of {
			of[caller] /= samples[name]
		}
	}
	return under
}

// Check refuses a file that contradicts itself, or that no comparison writes.
func (f File) Check() error {
	switch {
	case f.Schema != Schema:
		return fmt.Errorf("schema %d; this tool reads schema %d", f.Schema, Schema)
	case len(f.Rounds) < 2 || len(f.Rounds) > 24:
		return fmt.Errorf("%d rounds; want 2 to 24", len(f.Rounds))
	}
	for i, r := range f.Rounds {
		sides := []Profile{r.Base, r.Head}
		if f.alone() {
			sides = sides[1:]
		}
		if f.alone() != (r.Base.Stacks == nil) {
			return fmt.Errorf("round %d: base was sampled in some rounds only; want all or none", i+1)
		}
		for _, p := range sides {
			if p.Requests < 1 || !(p.PeriodUS > 0) || len(p.Stacks) == 0 {
				return fmt.Errorf("round %d: %d requests, %d stacks, %g us a sample; want some of each", i+1, p.Requests, len(p.Stacks), p.PeriodUS)
			}
		}
	}
	return nil
}
