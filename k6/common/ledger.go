package common

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
)

// A Key identifies the load of a request. The script chooses the parts, which may be empty.
type Key struct {
	Target string // target
	Level  string // of the scenario
	Slice  string // a slice of the target
}

// A Ledger holds a series S for each key. It outlives the VUs, since handleSummary runs in a VU of
// its own. The zero values of Ledger and S must be ready.
type Ledger[S any] struct {
	mu     sync.Mutex
	series map[Key]*S
}

// MaxSeries limits the keys of a script. A script with a new slice in each iteration would keep
// memory for each.
const MaxSeries = 2_000

// Get returns the series of a key, and makes it at the first call.
func (l *Ledger[S]) Get(k Key) (*S, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.series[k]; s != nil {
		return s, nil
	}
	if len(l.series) >= MaxSeries {
		return nil, fmt.Errorf("more than %d combinations of target, level and slice", MaxSeries)
	}
	if l.series == nil {
		l.series = map[Key]*S{}
	}
	s := new(S)
	l.series[k] = s
	return s, nil
}

// All yields the current series in the order of their keys.
func (l *Ledger[S]) All() iter.Seq2[Key, *S] {
	l.mu.Lock()
	series := maps.Clone(l.series)
	l.mu.Unlock()
	keys := SortedKeys(series)
	return func(yield func(Key, *S) bool) {
		for _, k := range keys {
			if !yield(k, series[k]) {
				return
			}
		}
	}
}

// SortedKeys are the keys of a map in order.
func SortedKeys[V any](of map[Key]V) []Key {
	return slices.SortedFunc(maps.Keys(of), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Level, b.Level), cmp.Compare(a.Slice, b.Slice))
	})
}
