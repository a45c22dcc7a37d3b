package sse

import (
	"time"

	"github.com/grafana/sobek"
)

// A result is the read-only object that sse.post returns. Its fields become values on access, since
// a script reads few of them. An unknown value is null.
type result struct {
	rt         *sobek.Runtime
	kind, text string
	status     int
	done, order, reused,
	hasItl, hasStamp bool
	tokens, events, reads         int
	bodyBytes                     int64
	ttft, ttfe, connect, took     time.Duration
	itlMean, itlMax               float64 // ns
	tokenDelayMean, tokenDelayMax float64 // ns
}

// fields lists the names in the order that scripts see.
var fields = []string{
	"status", "ok", "done", "order_ok", "tokens", "events", "bytes", "reused",
	"connect_ms", "ttfe_ms", "ttft_ms", "itl_mean_ms", "itl_max_ms",
	"token_delay_mean_ms", "token_delay_max_ms", "events_per_read", "duration_ms", "kind", "error",
}

func newResult(rt *sobek.Runtime, c *client, kind, text string) *result {
	m := &c.m
	r := &result{
		rt: rt, kind: kind, text: text, status: c.status, done: m.done, order: m.ordered(), reused: c.reused,
		tokens: m.tokens, events: m.events, reads: m.reads, bodyBytes: m.bodyBytes,
		ttft: m.firstToken, ttfe: m.firstEvent, connect: c.connect, took: c.duration,
		hasItl: len(m.itls.buckets) > 0, hasStamp: len(m.tokenDelays.buckets) > 0,
	}
	if r.hasItl {
		r.itlMean, r.itlMax = m.itls.mean(), float64(m.itls.most)
	}
	if r.hasStamp {
		r.tokenDelayMean, r.tokenDelayMax = m.tokenDelays.mean(), float64(m.tokenDelays.most)
	}
	return r
}

func (r *result) Get(name string) sobek.Value {
	switch name {
	case "status":
		return r.rt.ToValue(r.status)
	case "ok":
		return r.rt.ToValue(r.kind == "")
	case "done":
		return r.rt.ToValue(r.done)
	case "order_ok":
		return r.rt.ToValue(r.order)
	case "tokens":
		return r.rt.ToValue(r.tokens)
	case "events":
		return r.rt.ToValue(r.events)
	case "bytes":
		return r.rt.ToValue(r.bodyBytes)
	case "reused":
		return r.rt.ToValue(r.reused)
	case "connect_ms":
		return r.ms(float64(r.connect), r.connect > 0)
	case "ttfe_ms":
		return r.ms(float64(r.ttfe), r.events > 0)
	case "ttft_ms":
		return r.ms(float64(r.ttft), r.tokens > 0)
	case "itl_mean_ms":
		return r.ms(r.itlMean, r.hasItl)
	case "itl_max_ms":
		return r.ms(r.itlMax, r.hasItl)
	case "token_delay_mean_ms":
		return r.ms(r.tokenDelayMean, r.hasStamp)
	case "token_delay_max_ms":
		return r.ms(r.tokenDelayMax, r.hasStamp)
	case "events_per_read":
		if r.reads == 0 {
			return sobek.Null()
		}
		return r.rt.ToValue(float64(r.events) / float64(r.reads))
	case "duration_ms":
		return r.ms(float64(r.took), r.took > 0)
	case "kind":
		return r.rt.ToValue(r.kind)
	case "error":
		return r.rt.ToValue(r.text)
	}
	return nil
}

// ms converts nanoseconds to milliseconds, or to null.
func (r *result) ms(ns float64, known bool) sobek.Value {
	if !known {
		return sobek.Null()
	}
	return r.rt.ToValue(ns / 1e6)
}

func (r *result) Keys() []string               { return fields }
func (r *result) Has(name string) bool         { return r.Get(name) != nil }
func (r *result) Set(string, sobek.Value) bool { return false }
func (r *result) Delete(string) bool           { return false }
