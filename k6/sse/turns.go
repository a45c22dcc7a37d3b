package sse

import (
	"fmt"

	"github.com/grafana/sobek"
	"go.k6.io/k6/js/common"
)

// schedule is sse.schedule(json), for the init context.
func (m *module) schedule(call sobek.FunctionCall) sobek.Value {
	if err := m.dealer.set(call.Argument(0).String()); err != nil {
		common.Throw(m.vu.Runtime(), fmt.Errorf("sse.schedule: %w", err))
	}
	return sobek.Undefined()
}

// A hand is what a VU was dealt: the stream that it is at, and the object that
// tells the script of it, which is the same for all its streams in a turn.
type hand struct {
	*share
	object *sobek.Object
}

// turn is sse.turn(): where and for what a VU begins its next stream, or null
// when all turns are over. It waits while the VU has none.
func (m *module) turn(sobek.FunctionCall) sobek.Value {
	rt, state := m.vu.Runtime(), m.vu.State()
	if state == nil {
		common.Throw(rt, common.NewInitContextError("sse.turn cannot be used in the init context"))
	}
	s, ok := m.dealer.next(m.vu.Context(), int(state.VUID)-1, m.hand.share, m.kind)
	m.kind = ""
	if !ok {
		m.hand = hand{}
		return sobek.Null()
	}
	if before := m.hand.share; before == nil || before.turn != s.turn {
		o := rt.NewObject()
		for name, value := range map[string]string{"target": s.Name, "url": s.URL, "plateau": s.plateau, "slice": s.slice} {
			if err := o.Set(name, value); err != nil {
				common.Throw(rt, err)
			}
		}
		m.hand.object = o
	}
	m.hand.share = &s
	return m.hand.object
}

// turns is sse.turns(): what was seen of the turns that are over.
func (m *module) turns(sobek.FunctionCall) sobek.Value {
	rt := m.vu.Runtime()
	m.dealer.mu.Lock()
	defer m.dealer.mu.Unlock()
	v, err := plain(rt, m.dealer.report)
	if err != nil {
		common.Throw(rt, err)
	}
	return v
}
