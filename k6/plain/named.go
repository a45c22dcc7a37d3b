package plain

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"fairstream/k6/common"
	"fairstream/k6/shared/hist"
	"fairstream/k6/shared/request"
)

// A named counts the requests of one name to one target on one level. It adds up all slices, since a thousand names in each of
// hundreds of slices would not fit into memory. A nil one counts nothing.
type named struct {
	started atomic.Int64
	mu      sync.Mutex
	failed  map[string]int64 // by kind
	request hist.Sparse      // of correct answers
}

func (n *named) start() {
	if n != nil {
		n.started.Add(1)
	}
}

// end counts the end of a request. kind is "" for a correct answer.
func (n *named) end(kind string, us int64) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if kind == "" {
		n.request.Add(us)
		return
	}
	if n.failed == nil {
		n.failed = map[string]int64{}
	}
	n.failed[kind]++
}

func (n *named) report(k common.Key, name string) hist.NamedSeries {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := hist.NamedSeries{Target: k.Target, Level: k.Level, Name: name, Failed: map[string]int64{}, Request: n.request.Snapshot()}
	maps.Copy(s.Failed, n.failed)
	s.OK = int64(s.Request.Count)
	s.Started = n.started.Load() // last, so that ended requests never exceed started ones
	return s
}

// nameOf is where requests of a name are counted.
func (r *ring) nameOf(q request.Request) *named {
	if q.Name == "" {
		return nil
	}
	n := r.named[q.Name]
	if n == nil {
		n = new(named)
		r.named[q.Name] = n
	}
	return n
}

// reportNamed copies the counts of all names that were requested, in order of their keys.
func (p *protocol) reportNamed() (all []hist.NamedSeries) {
	rings := p.rings.Load()
	if rings == nil {
		return nil
	}
	for _, k := range common.SortedKeys(*rings) {
		of := (*rings)[k].named
		for _, name := range slices.Sorted(maps.Keys(of)) {
			if s := of[name].report(k, name); s.Started > 0 {
				all = append(all, s)
			}
		}
	}
	return all
}
