package sse

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairstream/k6/common"
	"fairstream/k6/common/http1"
	"fairstream/k6/shared/hist"
)

// A vu is a user on a loop, without a schedule around it. The test decides when a stream begins.
type vu struct {
	ctx      context.Context
	loop     *http1.Loop
	protocol *protocol
	users    map[string]*noted // by host
	kinds    chan string
}

func testVU(t testing.TB) *vu {
	loop, err := http1.NewLoop()
	if err != nil {
		t.Fatal(err)
	}
	v := &vu{ctx: t.Context(), loop: loop, protocol: &protocol{}, users: map[string]*noted{}, kinds: make(chan string, 1)}
	t.Cleanup(loop.Close)
	loop.Start()
	return v
}

// user returns the user of a host.
func (v *vu) user(t testing.TB, host string) *noted {
	if u := v.users[host]; u != nil {
		return u
	}
	address, err := http1.Resolve(host)
	if err != nil {
		t.Fatal(err)
	}
	u := &noted{user: &user{VU: &common.VU{}, ledger: &v.protocol.ledger, done: func(kind string) { v.kinds <- kind }}}
	v.on(func() {
		u.VU.Client = v.loop.NewClient(address, u)
		v.users[host] = u
	})
	return u
}

// An ask is what a test asks for.
type ask struct {
	target    string
	tokens    int // 0: any number
	timeoutMS float64
	body      string
}

// An answer is what the user knows of a stream at its end. Times are in ms; nil is unknown.
type answer struct {
	Status                                                              int
	OK, Done, Reused, Order                                             bool
	Tokens, Events                                                      int
	Kind, Error                                                         string
	Connect, TTFE, TTFT, ITLMean, ITLMax, DelayMean, DelayMax, Duration *float64
}

// post runs one stream.
func (v *vu) post(t testing.TB, to string, a ask) answer {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	host := u.Host
	if a.body == "" {
		a.body = `{"message":"hello"}`
	}
	if a.timeoutMS == 0 {
		a.timeoutMS = 60_000
	}
	s := shape{TimeoutMS: a.timeoutMS, Bodies: map[string]string{a.target: a.body}}
	if a.tokens > 0 {
		s.Tokens = &a.tokens
	}
	r, err := s.request(common.Target{Name: a.target, URL: to}, "Grafana k6/test")
	if err != nil {
		t.Fatal(err)
	}
	user := v.user(t, host)
	defer context.AfterFunc(v.ctx, func() { v.loop.Do(func() { user.Interrupt(v.ctx.Err()) }) })()
	user.requests = map[common.Key]*request{{Target: a.target}: r}
	if err := user.Enter(common.Key{Target: a.target}); err != nil {
		t.Fatal(err)
	}
	v.loop.Do(user.Send)
	kind := <-v.kinds
	m := &user.m
	_, text := user.verdict(user.failure)
	b := answer{
		Status: user.status, OK: kind == "", Done: m.done, Order: m.ordered(), Tokens: m.tokens, Events: m.events, Kind: kind, Error: text,
		Reused: user.Connect == 0 && !user.Start.IsZero(),
	}
	known := func(d time.Duration, is bool) *float64 {
		if !is {
			return nil
		}
		return new(float64(d) / 1e6)
	}
	b.Connect, b.Duration = known(user.Connect, user.Connect > 0), known(user.At, user.At > 0)
	b.TTFE, b.TTFT = known(m.firstEvent, m.events > 0), known(m.firstToken, m.tokens > 0)
	if n := time.Duration(len(m.itls.Buckets)); n > 0 {
		b.ITLMean, b.ITLMax = known(m.itls.Sum/n, true), known(m.itls.Most, true)
	}
	if n := time.Duration(len(m.tokenDelays.Buckets)); n > 0 {
		b.DelayMean, b.DelayMax = known(m.tokenDelays.Sum/n, true), known(m.tokenDelays.Most, true)
	}
	return b
}

// on runs a function on the loop, and waits for it.
func (v *vu) on(call func()) {
	done := make(chan struct{})
	v.loop.Do(func() {
		call()
		close(done)
	})
	<-done
}

// came counts the bytes from a URL.
func (v *vu) came(to string) (bytes int64) {
	v.on(func() { bytes = v.users[strings.Split(to, "/")[2]].Came })
	return bytes
}

func (v *vu) report() hist.Report { return v.protocol.Report().(hist.Report) }

// noted is a user whose failure the test sees.
type noted struct {
	*user
	failure *http1.Failure
}

func (n *noted) End(f *http1.Failure) {
	n.failure = f
	n.user.End(f)
}

const header200 = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"

const roleEvent = `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}` + "\n\n"

const doneEvent = "data: [DONE]\n\n"

// tokenEvent is a token as the stub writes it, now.
func tokenEvent(i int, padding string) string {
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"content":"%d:%s%s "},"finish_reason":null}]}`+"\n\n",
		i, strconv.FormatInt(time.Now().UnixNano(), 36), padding)
}

func chunk(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }

// whole is a whole good answer of n tokens.
func whole(n int) string {
	all := header200 + chunk(roleEvent)
	for i := range n {
		all += chunk(tokenEvent(i, ""))
	}
	return all + chunk(doneEvent) + chunk("")
}
