// Package plain is the k6 module k6/x/plain. It sends prepared requests over connections that are
// kept, compares each answer with the expected one, and measures its time.
package plain

import (
	"sync/atomic"

	"go.k6.io/k6/js/modules"

	"fairstream/k6/common"
)

func init() { modules.Register("k6/x/plain", newModule()) }

func newModule() *common.Module {
	return &common.Module{Name: "plain", Noun: "request", Protocol: &protocol{}}
}

// A protocol makes the users of a load, and has their counts.
type protocol struct {
	ledger common.Ledger[series]
	rings  atomic.Pointer[map[common.Key]*ring] // by level and target; nil before the load
}
