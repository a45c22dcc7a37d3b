// Package sse is the k6 module k6/x/sse. It posts a request, reads the text/event-stream of the
// answer as it arrives, checks that it is complete and in order, and measures its times.
//
// It is built to be cheap on cores that it shares with servers. So it knows only what the project
// needs: HTTP/1.1 without TLS, one stream at a time for each VU, and the tokens of the project's
// stub. README.md of k6 compares its cost with k6/http.
package sse

import (
	"github.com/grafana/sobek"
	js "go.k6.io/k6/js/common"
	"go.k6.io/k6/js/modules"

	"fairstream/k6/common"
)

func init() { modules.Register("k6/x/sse", &rootModule{}) }

// A rootModule is shared by all VUs.
type rootModule struct {
	ledger common.Ledger[series]
	dealer common.Dealer
}

func (r *rootModule) NewModuleInstance(vu modules.VU) modules.Instance {
	return &module{
		vu: vu, ledger: &r.ledger, hand: common.NewHand(vu, &r.dealer, "sse"), client: newClient(),
		metrics: newMetrics(vu.InitEnv().Registry),
	}
}

// A module belongs to one VU. A VU runs one function at a time, so it needs no lock.
type module struct {
	vu      modules.VU
	ledger  *common.Ledger[series]
	hand    common.Hand
	client  *client
	metrics sseMetrics
	memo    memo
}

// Exports are JavaScript functions already. sobek would wrap a Go function anew each time a script
// says sse.post.
func (m *module) Exports() modules.Exports {
	rt := m.vu.Runtime()
	return modules.Exports{Named: map[string]any{
		"post": rt.ToValue(m.post), "histograms": rt.ToValue(m.histograms),
		"schedule": rt.ToValue(m.hand.Schedule), "slice": rt.ToValue(m.hand.Slice), "slices": rt.ToValue(m.hand.Slices),
	}}
}

// post is sse.post(url, body, params). It has sobek's own signature, since sobek converts other
// arguments by reflection.
func (m *module) post(call sobek.FunctionCall) sobek.Value {
	rt := m.vu.Runtime()
	state := m.vu.State()
	if state == nil {
		js.Throw(rt, js.NewInitContextError("sse.post cannot be used in the init context"))
	}
	p, err := m.params(call.Argument(2))
	if err != nil {
		js.Throw(rt, err)
	}
	t, err := m.memo.target(call.Argument(0).String())
	if err != nil {
		js.Throw(rt, err)
	}
	s, err := m.memo.series(m.ledger, p.Key)
	if err != nil {
		js.Throw(rt, err)
	}
	ctx := m.vu.Context()
	if state.RPSLimit != nil {
		if err := state.RPSLimit.Wait(ctx); err != nil {
			js.Throw(rt, err)
		}
	}
	request := m.memo.request(t, p.headers, state.Options.UserAgent.String, call.Argument(1).String())
	c := m.client
	s.started.Add(1)
	kind, text := c.post(ctx, state.Dialer, t.addr, request, p.tokens, p.timeout)
	s.end(c, kind, text)
	m.hand.Hung = kind == timedOut
	if state.Options.NoConnectionReuse.Bool || state.Options.NoVUConnectionReuse.Bool {
		c.conns.dropAll()
	}
	if kind != interrupted && !p.silent {
		m.push(ctx, state, &p, kind)
	}
	if kind != "" && state.Options.Throw.Bool {
		js.Throw(rt, errString(text))
	}
	return rt.NewDynamicObject(newResult(rt, c, kind, text))
}

type errString string

func (e errString) Error() string { return "sse.post: " + string(e) }

// histograms is sse.histograms(): all counts of this process as a plain object. Any function of a
// script may call it.
func (m *module) histograms(sobek.FunctionCall) sobek.Value {
	rt := m.vu.Runtime()
	v, err := common.Plain(rt, report(m.ledger))
	if err != nil {
		js.Throw(rt, err)
	}
	return v
}
