// Package common is what our k6 modules share, whatever they request: it deals
// a schedule to the VUs in slices, and reads clocks and memory of processes and
// of the machine at the edges of each slice. It sends no request and times none.
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
// slice and slices of the k6 module that has it.
type Hand struct {
	// Hung says that the request of the share ran into its timeout. The module
	// sets it after each request.
	Hung bool

	vu     modules.VU
	dealer *Dealer
	module string // as scripts call it; errors begin with it
	*share
	object *sobek.Object // tells the script of the share; the same in all of a slice
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

// Slice is slice(): where and for what a VU begins its next request, or null
// when all slices are over. It waits while the VU has none.
func (h *Hand) Slice(sobek.FunctionCall) sobek.Value {
	rt, state := h.vu.Runtime(), h.vu.State()
	if state == nil {
		js.Throw(rt, js.NewInitContextError(h.module+".slice cannot be used in the init context"))
	}
	s, ok := h.dealer.next(h.vu.Context(), int(state.VUID)-1, h.share, h.Hung)
	h.Hung = false
	if !ok {
		h.share, h.object = nil, nil
		return sobek.Null()
	}
	if h.share == nil || h.slice != s.slice {
		o := rt.NewObject()
		for name, value := range map[string]string{"target": s.Name, "url": s.URL, "level": s.level, "slice": s.sliceTag} {
			if err := o.Set(name, value); err != nil {
				js.Throw(rt, err)
			}
		}
		h.object = o
	}
	h.share = &s
	return h.object
}

// Slices is slices(): what was seen of the slices that are over.
func (h *Hand) Slices(sobek.FunctionCall) sobek.Value {
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
