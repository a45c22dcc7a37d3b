package sse

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/grafana/sobek"
	js "go.k6.io/k6/js/common"

	"fairstream/k6/common"
)

// params are the options of one call.
type params struct {
	common.Key
	tokens  int  // expected tokens; -1: any number
	silent  bool // no samples for k6
	timeout time.Duration
	headers []header
	tags    sobek.Value
}

type header struct{ name, value string }

const defaultTimeout = 60 * time.Second // k6/http has the same default

// params reads the third argument. An unknown name is an error, since a misspelt one would skip a
// check.
func (m *module) params(v sobek.Value) (params, error) {
	p := params{tokens: -1, timeout: defaultTimeout}
	if js.IsNullish(v) {
		return p, nil
	}
	rt := m.vu.Runtime()
	o := v.ToObject(rt)
	for _, name := range o.Keys() {
		switch v := o.Get(name); name {
		case "target":
			p.Target = v.String()
		case "level":
			p.Level = v.String()
		case "slice":
			p.Slice = v.String()
		case "samples":
			p.silent = !v.ToBoolean()
		case "tokens":
			if p.tokens = int(v.ToInteger()); p.tokens < 0 || v.ToFloat() != float64(p.tokens) {
				return p, fmt.Errorf("sse.post: tokens: %v: want a whole number from 0", v)
			}
		case "timeout_ms":
			ms := v.ToFloat()
			if !(ms > 0 && ms <= 24*3600*1000) {
				return p, fmt.Errorf("sse.post: timeout_ms: %v: want a number over 0, and at most a day", v)
			}
			p.timeout = time.Duration(ms * float64(time.Millisecond))
		case "headers":
			h := v.ToObject(rt)
			for _, name := range h.Keys() {
				p.headers = append(p.headers, header{name, h.Get(name).String()})
			}
		case "tags":
			p.tags = v
		default:
			return p, fmt.Errorf("sse.post: %s: no such option; want headers, level, samples, slice, tags, target, timeout_ms or tokens", name)
		}
	}
	for _, h := range p.headers {
		if strings.ContainsAny(h.name, "\r\n: ") || h.name == "" || strings.ContainsAny(h.value, "\r\n") {
			return p, fmt.Errorf("sse.post: headers: %q: %q is not a header line", h.name, h.value)
		}
	}
	return p, nil
}

// A target is the parsed form of a URL.
type target struct {
	addr string // host:port
	head string // request line and Host
}

func parseTarget(text string) (target, error) {
	u, err := url.Parse(text)
	if err != nil {
		return target{}, fmt.Errorf("sse.post: %w", err)
	}
	if u.Scheme != "http" || u.Host == "" {
		return target{}, fmt.Errorf("sse.post: %s: want http://HOST[:PORT]/PATH; TLS is not spoken", text)
	}
	port := u.Port()
	if port == "" {
		port = "80"
	}
	return target{
		addr: net.JoinHostPort(u.Hostname(), port),
		head: "POST " + u.RequestURI() + " HTTP/1.1\r\nHost: " + u.Host + "\r\n",
	}, nil
}

// A memo keeps results of the call before, since scripts repeat their arguments.
type memo struct {
	url    string
	parsed target
	key    common.Key
	counts *series
	out    []byte
	tags   tagMemo
}

func (m *memo) target(url string) (target, error) {
	if url != m.url || url == "" {
		t, err := parseTarget(url)
		if err != nil {
			return t, err
		}
		m.url, m.parsed = url, t
	}
	return m.parsed, nil
}

func (m *memo) series(l *common.Ledger[series], k common.Key) (*series, error) {
	if m.counts == nil || m.key != k {
		s, err := l.Get(k)
		if err != nil {
			return nil, fmt.Errorf("sse.post: %s: %w", k.Slice, err)
		}
		m.key, m.counts = k, s
	}
	return m.counts, nil
}

// request renders a request. The result is valid until the next call.
func (m *memo) request(t target, headers []header, userAgent, body string) []byte {
	b := append(m.out[:0], t.head...)
	kind, accept := true, true
	for _, h := range headers {
		switch strings.ToLower(h.name) {
		case "content-length", "host", "transfer-encoding", "connection":
			continue // the client sets these itself
		case "content-type":
			kind = false
		case "accept":
			accept = false
		case "user-agent":
			userAgent = ""
		}
		b = append(append(append(append(b, h.name...), ": "...), h.value...), "\r\n"...)
	}
	if kind {
		b = append(b, "Content-Type: application/json\r\n"...)
	}
	if accept {
		b = append(b, "Accept: text/event-stream\r\n"...)
	}
	if userAgent != "" {
		b = append(append(append(b, "User-Agent: "...), userAgent...), "\r\n"...)
	}
	b = append(b, "Content-Length: "...)
	b = strconv.AppendInt(b, int64(len(body)), 10)
	b = append(append(b, "\r\n\r\n"...), body...)
	m.out = b
	if cap(b) > keptBytes {
		m.out = nil
	}
	return b
}
