// Package common is what our k6 modules share, whatever they request: it turns
// a schedule into turns of the VUs, and reads clocks and memory of processes and
// of the machine at the edges of each turn. It sends no request and times none.
package common

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/grafana/sobek"
	js "go.k6.io/k6/js/common"
	"go.k6.io/k6/js/modules"
)

// A Hand is one VU's side of a Dealer. Its methods are the functions schedule,
// turn and turns of the k6 module that has it.
type Hand struct {
	// Hung says that the request of the share ran into its timeout. The module
	// sets it after each request.
	Hung bool

	vu     modules.VU
	dealer *Dealer
	module string // as scripts call it; errors begin with it
	*share
	object *sobek.Object // tells the script of the share; the same in all of a turn
}

// NewHand gives a VU of a module its hand; all VUs share the dealer.
func NewHand(vu modules.VU, dealer *Dealer, module string) Hand {
	return Hand{vu: vu, dealer: dealer, module: module}
}

// Schedule is schedule(json), for the init context.
func (h *Hand) Schedule(call sobek.FunctionCall) sobek.Value {
	if err := h.dealer.set(call.Argument(0).String()); err != nil {
		js.Throw(h.vu.Runtime(), fmt.Errorf("%s.schedule: %w", h.module, err))
	}
	return sobek.Undefined()
}

// Turn is turn(): where and for what a VU begins its next request, or null
// when all turns are over. It waits while the VU has none.
func (h *Hand) Turn(sobek.FunctionCall) sobek.Value {
	rt, state := h.vu.Runtime(), h.vu.State()
	if state == nil {
		js.Throw(rt, js.NewInitContextError(h.module+".turn cannot be used in the init context"))
	}
	s, ok := h.dealer.next(h.vu.Context(), int(state.VUID)-1, h.share, h.Hung)
	h.Hung = false
	if !ok {
		h.share, h.object = nil, nil
		return sobek.Null()
	}
	if h.share == nil || h.turn != s.turn {
		o := rt.NewObject()
		for name, value := range map[string]string{"target": s.Name, "url": s.URL, "plateau": s.plateau, "slice": s.slice} {
			if err := o.Set(name, value); err != nil {
				js.Throw(rt, err)
			}
		}
		h.object = o
	}
	h.share = &s
	return h.object
}

// Turns is turns(): what was seen of the turns that are over.
func (h *Hand) Turns(sobek.FunctionCall) sobek.Value {
	rt := h.vu.Runtime()
	h.dealer.mu.Lock()
	defer h.dealer.mu.Unlock()
	v, err := Plain(rt, h.dealer.report)
	if err != nil {
		js.Throw(rt, err)
	}
	return v
}

// Plain turns a Go value into an object as JSON.parse makes it.
func Plain(rt *sobek.Runtime, v any) (sobek.Value, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	parse, ok := sobek.AssertFunction(rt.GlobalObject().Get("JSON").ToObject(rt).Get("parse"))
	if !ok {
		return nil, errors.New("JSON.parse is no function any more")
	}
	return parse(sobek.Undefined(), rt.ToValue(string(text)))
}
