// Package common is what our k6 modules share. It gives a schedule's slices to VUs. It reads CPU
// time and memory of processes and of the machine at the edges of each slice. It sends no requests,
// and measures none.
package common

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/grafana/sobek"
	js "go.k6.io/k6/js/common"
	"go.k6.io/k6/js/modules"
)

// A Hand is the part of a Dealer that one VU sees. Its methods are the functions schedule, slice
// and slices of a k6 module.
type Hand struct {
	// Hung means that the request ran into its timeout. The module sets it after each request.
	Hung bool

	vu     modules.VU
	dealer *Dealer
	module string // its name in scripts, which begins errors
	*share
	object *sobek.Object // describes the share to the script; the same object during a slice
}

// NewHand makes the hand of one VU of a module. All VUs share the dealer.
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

// Slice is slice(): the target and the begin of a VU's next request, or null at the end. It waits
// while the VU has none.
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

// Slices is slices(): what happened in the finished slices.
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

// Plain turns a Go value into an object as JSON.parse does.
func Plain(rt *sobek.Runtime, v any) (sobek.Value, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	parse, ok := sobek.AssertFunction(rt.GlobalObject().Get("JSON").ToObject(rt).Get("parse"))
	if !ok {
		return nil, errors.New("JSON.parse is not a function any more")
	}
	return parse(sobek.Undefined(), rt.ToValue(string(text)))
}
