package sse

import (
	"context"
	"net/http"
	"strconv"

	"go.k6.io/k6/js/common"
	"go.k6.io/k6/lib"
	"go.k6.io/k6/metrics"
)

// sseMetrics are the metrics that k6 does not have.
type sseMetrics struct{ ttft *metrics.Metric }

func newMetrics(r *metrics.Registry) sseMetrics {
	return sseMetrics{ttft: r.MustNewMetric("sse_ttft", metrics.Trend, metrics.Time)}
}

// push gives k6 what its own summary, thresholds and outputs need of a stream:
// at most four samples, since each takes two of k6's goroutines and a Trend's
// is kept until the end. k6/http gives nine and a script that counts for
// itself some more. Of k6's own,
//
//   - http_reqs, http_req_failed and http_req_duration are kept: scripts, thresholds
//     and dashboards ask for them by name. Failed is a stream that is not ok,
//     whatever its status.
//   - http_req_blocked, _connecting, _tls_handshaking, _sending: 0 in all but the
//     first request of a connection; connect_us of histograms() has those.
//   - http_req_waiting is the time to the header, which some servers send at once
//     and some with the first event: sse_ttft is what it is mistaken for.
//   - http_req_receiving is http_req_duration without that.
func (m *module) push(ctx context.Context, state *lib.State, p *params, kind string) {
	tm, err := m.memo.tags.get(m, state, p, kind)
	if err != nil {
		common.Throw(m.vu.Runtime(), err)
	}
	c := m.client
	end := c.m.start.Add(c.duration)
	if c.m.start.IsZero() {
		end = c.began // no connection
	}
	samples := make([]metrics.Sample, 0, 4)
	add := func(metric *metrics.Metric, v float64) {
		samples = append(samples, metrics.Sample{
			TimeSeries: metrics.TimeSeries{Metric: metric, Tags: tm.Tags}, Time: end, Metadata: tm.Metadata, Value: v,
		})
	}
	add(state.BuiltinMetrics.HTTPReqs, 1)
	failed := 0.0
	if kind != "" {
		failed = 1
	}
	add(state.BuiltinMetrics.HTTPReqFailed, failed)
	add(state.BuiltinMetrics.HTTPReqDuration, metrics.D(c.duration))
	if kind == "" && c.m.tokens > 0 {
		add(m.metrics.ttft, metrics.D(c.m.firstToken))
	}
	metrics.PushIfNotDone(ctx, state.Samples, metrics.ConnectedSamples{Samples: samples, Tags: tm.Tags, Time: end})
}

// A tagMemo keeps the tag set of the request before, since each added tag is looked up in a table
// that all VUs share.
type tagMemo struct {
	base, result *metrics.TagSet
	status       int
	ok           bool
	name         string
}

func (t *tagMemo) get(m *module, state *lib.State, p *params, kind string) (metrics.TagsAndMeta, error) {
	tm := state.Tags.GetCurrentValues()
	if p.tags != nil {
		if err := common.ApplyCustomUserTags(m.vu.Runtime(), &tm, p.tags); err != nil {
			return tm, err
		}
	}
	status, ok, base := m.client.status, kind == "", tm.Tags
	if base == t.base && status == t.status && ok == t.ok && p.Target == t.name {
		tm.Tags = t.result
		return tm, nil
	}
	if p.Target != "" {
		tm.SetTag("target", p.Target)
	}
	system := state.Options.SystemTags
	tm.SetSystemTagOrMetaIfEnabled(system, metrics.TagMethod, http.MethodPost)
	tm.SetSystemTagOrMetaIfEnabled(system, metrics.TagStatus, strconv.Itoa(status))
	tm.SetSystemTagOrMetaIfEnabled(system, metrics.TagExpectedResponse, strconv.FormatBool(ok))
	*t = tagMemo{base: base, result: tm.Tags, status: status, ok: ok, name: p.Target}
	return tm, nil
}
