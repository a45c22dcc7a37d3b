// Package sse is the k6 module k6/x/sse. It posts requests, reads the text/event-stream of each
// answer as it arrives, checks that it is complete and in order, and measures its times. It knows
// only what the project needs: the tokens of the project's stub.
package sse

import (
	"go.k6.io/k6/js/modules"

	"fairstream/k6/common"
)

func init() { modules.Register("k6/x/sse", newModule()) }

func newModule() *common.Module {
	return &common.Module{Name: "sse", Noun: "stream", Protocol: &protocol{}}
}

// A protocol makes the users of a load, and has their counts.
type protocol struct {
	ledger common.Ledger[series]
}
