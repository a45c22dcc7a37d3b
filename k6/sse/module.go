// Package sse is the k6 module k6/x/sse: it posts a request, reads the
// text/event-stream that answers it as it comes, proves that it is whole and
// in order, and times it.
//
// It is made for one job, to be the cheaper half of a measurement on shared
// cores, and knows only what that needs: HTTP/1.1 without TLS, one stream per
// VU at a time, and the tokens of the project's stub. What it costs beside
// k6/http and where that goes is in README.md of k6, with the commands.
package sse

import (
	"github.com/grafana/sobek"
	js "go.k6.io/k6/js/common"
	"go.k6.io/k6/js/modules"

	"fairstream/k6/common"
)

func init() { modules.Register("k6/x/sse", &rootModule{}) }

// A rootModule is what all VUs share.
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

// A module is that of one VU. A VU runs one function at a time, so nothing in
// it is locked.
type module struct {
	vu      modules.VU
	ledger  *common.Ledger[series]
	hand    common.Hand
	client  *client
	metrics sseMetrics
	memo    memo
}

// Exports are JavaScript functions already: a Go function would become a new
// one each time that a script says sse.post.
func (m *module) Exports() modules.Exports {
	rt := m.vu.Runtime()
	return modules.Exports{Named: map[string]any{
		"post": rt.ToValue(m.post), "histograms": rt.ToValue(m.histograms),
		"schedule": rt.ToValue(m.hand.Schedule), "slice": rt.ToValue(m.hand.Slice), "slices": rt.ToValue(m.hand.Slices),
	}}
}

// post is sse.post(url, body, params). It has sobek's own signature because
// arguments of other ones are converted by reflection.
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

// histograms is sse.histograms(): all that was counted in this process, as a
// plain object. It may be called in any function of a script.
func (m *module) histograms(sobek.FunctionCall) sobek.Value {
	rt := m.vu.Runtime()
	v, err := common.Plain(rt, report(m.ledger))
	if err != nil {
		js.Throw(rt, err)
	}
	return v
}
