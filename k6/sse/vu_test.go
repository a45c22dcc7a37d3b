package sse

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/js/common"
	"go.k6.io/k6/lib"
	"go.k6.io/k6/lib/netext"
	"go.k6.io/k6/metrics"
)

func TestMain(m *testing.M) {
	recheck = 20 * time.Millisecond
	m.Run()
}

// A vu is a VU without k6 around it: a runtime, k6's own dialer, and the samples.
type vu struct {
	modulesVU
	ctx      context.Context
	init     *common.InitEnvironment
	state    *lib.State
	rt       *sobek.Runtime
	dialer   *netext.Dialer
	samples  chan metrics.SampleContainer
	instance *module
}

// modulesVU is the rest of modules.VU, which the module must not use.
type modulesVU struct{}

func (modulesVU) Events() common.Events                         { panic("not used") }
func (modulesVU) RegisterCallback() func(callback func() error) { panic("not used") }

func (v *vu) Context() context.Context         { return v.ctx }
func (v *vu) InitEnv() *common.InitEnvironment { return v.init }
func (v *vu) State() *lib.State                { return v.state }
func (v *vu) Runtime() *sobek.Runtime          { return v.rt }

func newVU(t testing.TB, root *rootModule, registry *metrics.Registry) *vu {
	v := &vu{ctx: t.Context(), rt: sobek.New(), samples: make(chan metrics.SampleContainer, 1000)}
	v.rt.SetFieldNameMapper(common.FieldNameMapper{})
	v.init = &common.InitEnvironment{TestPreInitState: &lib.TestPreInitState{Registry: registry}}
	v.instance = root.NewModuleInstance(v).(*module)
	if err := v.rt.Set("sse", v.instance.Exports().Named); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.instance.client.conns.dropAll)
	return v
}

// start ends the init context.
func (v *vu) start(builtin *metrics.BuiltinMetrics, root *metrics.TagSet) *vu {
	v.dialer = netext.NewDialer(net.Dialer{}, netext.NewResolver(net.LookupIP, 0, 0, 0))
	v.init = nil
	v.state = &lib.State{
		Dialer: v.dialer, Samples: v.samples, BuiltinMetrics: builtin,
		Tags:    lib.NewVUStateTags(root),
		Options: lib.Options{SystemTags: &metrics.DefaultSystemTagSet},
	}
	return v
}

func testVU(t testing.TB) *vu {
	registry := metrics.NewRegistry()
	builtin := metrics.RegisterBuiltinMetrics(registry)
	return newVU(t, &rootModule{}, registry).start(builtin, registry.RootTagSet())
}

// An answer is a result of sse.post, as JSON has it.
type answer struct {
	Status                int
	OK, Done, Reused      bool
	Order                 bool `json:"order_ok"`
	Tokens, Events, Bytes int
	Kind, Error           string
	Connect               *float64 `json:"connect_ms"`
	TTFE                  *float64 `json:"ttfe_ms"`
	TTFT                  *float64 `json:"ttft_ms"`
	ITLMean               *float64 `json:"itl_mean_ms"`
	ITLMax                *float64 `json:"itl_max_ms"`
	TokenDelayMean        *float64 `json:"token_delay_mean_ms"`
	TokenDelayMax         *float64 `json:"token_delay_max_ms"`
	EventsPerRead         *float64 `json:"events_per_read"`
	Duration              *float64 `json:"duration_ms"`
}

// post runs sse.post with a third argument in JavaScript.
func (v *vu) post(t testing.TB, url, params string) answer {
	t.Helper()
	text, err := v.rt.RunString(fmt.Sprintf(`JSON.stringify(sse.post(%q, '{"message":"hello"}', %s))`, url, params))
	if err != nil {
		t.Fatal(err)
	}
	var a answer
	d := json.NewDecoder(strings.NewReader(text.String()))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return a
}

// A server answers each request on a raw connection with the bytes that a
// function writes. It counts.
type server struct {
	url                   string
	connections, requests atomic.Int64
	received, sent        atomic.Int64
}

// serve starts a server. answer returns false to close the connection.
func serve(t testing.TB, answer func(w net.Conn, request int64) bool) *server {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{url: "http://" + ln.Addr().String() + "/chat"}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			s.connections.Add(1)
			all.Go(func() { s.talk(c, answer) })
		}
	})
	t.Cleanup(func() { ln.Close() })
	return s
}

func (s *server) talk(c net.Conn, answer func(net.Conn, int64) bool) {
	defer c.Close()
	counted := &counting{c, s}
	r := bufio.NewReader(counted)
	for {
		request, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, request.Body) // a truncated request does not count
		if !answer(counted, s.requests.Add(1)) {
			return
		}
	}
}

type counting struct {
	net.Conn
	s *server
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.s.received.Add(int64(n))
	return n, err
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.s.sent.Add(int64(n))
	return n, err
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

// stream is a whole good answer of n tokens.
func stream(n int) string {
	all := header200 + chunk(roleEvent)
	for i := range n {
		all += chunk(tokenEvent(i, ""))
	}
	return all + chunk(doneEvent) + chunk("")
}
