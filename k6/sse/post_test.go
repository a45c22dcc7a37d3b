package sse

import (
	"math"
	"net"
	"strings"
	"testing"
	"time"

	"fairstream/k6/common/http1"
	"fairstream/k6/common/moduletest"
)

func TestAGoodStream(t *testing.T) {
	a := testVU(t).post(t, moduletest.ServeText(t, whole(5), true).URL, ask{tokens: 5})
	if !a.OK || a.Status != 200 || !a.Done || !a.Order || a.Tokens != 5 || a.Events != 6 || a.Error != "" || a.Kind != "" {
		t.Errorf("%+v", a)
	}
	if a.Connect == nil || a.TTFT == nil || a.TTFE == nil || a.ITLMean == nil || a.ITLMax == nil || a.DelayMax == nil || a.Duration == nil {
		t.Errorf("a time is unknown: %+v", a)
	}
	if a.Reused || *a.Duration < *a.TTFT || *a.TTFT < *a.TTFE || *a.ITLMax < *a.ITLMean || *a.DelayMax < *a.DelayMean {
		t.Errorf("times contradict each other: %+v", a)
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	role, end := chunk(roleEvent), chunk(doneEvent)+chunk("")
	tokens := func(indexes ...int) (all string) {
		for _, i := range indexes {
			all += chunk(tokenEvent(i, ""))
		}
		return all
	}
	plain := func(status, kind, body string) string {
		return "HTTP/1.1 " + status + "\r\nContent-Type: " + kind + "\r\nConnection: close\r\n\r\n" + body
	}
	for name, test := range map[string]struct{ text, kind, error string }{
		"wrong order":           {header200 + role + tokens(0, 2, 1) + end, misnumbered, "token 2 came when 1 was due"},
		"repeated":              {header200 + role + tokens(0, 1, 1, 2) + end, misnumbered, "token 1 came when 2 was due"},
		"no stamp":              {header200 + chunk(`data: {"content":"hello"}`+"\n\n") + end, misnumbered, "without the stub's index"},
		"too few":               {header200 + role + tokens(0, 1) + end, miscounted, "2 tokens; want 3"},
		"no done":               {header200 + role + tokens(0, 1, 2) + chunk(""), notDone, "no [DONE] after 3 tokens"},
		"done not ended":        {header200 + tokens(0, 1, 2) + chunk("data: [DONE]\n") + chunk(""), notDone, "no [DONE]"},
		"done inside a token":   {header200 + tokens(0, 1) + chunk(tokenEvent(2, `\n\ndata: [DONE]\n\n`)) + chunk(""), notDone, "after 3 tokens"},
		"event after done":      {header200 + tokens(0, 1, 2) + chunk(doneEvent) + tokens(3) + chunk(""), afterDone, "after [DONE]"},
		"event with done":       {header200 + tokens(0, 1, 2) + chunk(doneEvent+roleEvent) + chunk(""), afterDone, "after [DONE]"},
		"done twice":            {header200 + tokens(0, 1, 2) + chunk(doneEvent+doneEvent) + chunk(""), afterDone, "after [DONE]"},
		"comment after done":    {header200 + tokens(0, 1, 2) + chunk(doneEvent) + chunk(":\n\n") + chunk(""), afterDone, "after [DONE]"},
		"error event":           {header200 + tokens(0) + chunk(`data: {"error":{"message":"boom"}}`+"\n\n") + chunk(""), failedEvent, "after 1 tokens"},
		"truncated":             {header200 + tokens(0, 1), http1.Cut, "the server closed the connection after 2 tokens: unexpected EOF"},
		"truncated in a chunk":  {strings.TrimSuffix(header200+tokens(0, 1), "\n\n\r\n"), http1.Cut, "after 1 tokens: unexpected EOF"},
		"truncated after done":  {header200 + tokens(0, 1, 2) + chunk(doneEvent), http1.Cut, "unexpected EOF"},
		"truncated header":      {"HTTP/1.1 200 OK\r\nContent-", http1.Cut, "unexpected EOF"},
		"nothing":               {"", http1.Cut, "unexpected EOF"},
		"not SSE":               {plain("200 OK", "application/json", `{"a":1}`), badType, `text/event-stream: {"a":1}`},
		"not quite SSE":         {plain("200 OK", "text/event-streams", doneEvent), badType, "text/event-stream"},
		"500":                   {plain("500 Internal Server Error", "application/json", `{"error":"x"}`), badStatus, `status 500: {"error":"x"}`},
		"502 that looks SSE":    {plain("502 Bad Gateway", "text/event-stream", doneEvent), badStatus, "status 502"},
		"no HTTP":               {"220 mail.example ESMTP\r\n", http1.Malformed, "not a status line"},
		"bad chunk":             {header200 + "zz\r\n", http1.Malformed, "malformed chunk"},
		"more than the answer":  {whole(3) + "HTTP/1.1 200 OK\r\n", http1.Malformed, "bytes after the end"},
		"gzip":                  {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", http1.Malformed, "want chunked"},
		"a header without end":  {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 2*64<<10), http1.Malformed, "longer than 64 KiB"},
		"an event without end":  {header200 + tokens(0, 1, 2) + chunk("data: "+strings.Repeat("x", 100_000)) + chunk(""), notDone, "after 3 tokens"},
		"closed until the end":  {plain("200 OK", "text/event-stream", tokenEvent(0, "")+tokenEvent(1, "")), notDone, "after 2 tokens"},
		"content of other kind": {header200 + chunk(`data: {"content":null,"x":"content","content":["a"]}`+"\n\n") + end, miscounted, "0 tokens; want 3"},
	} {
		t.Run(name, func(t *testing.T) {
			v := testVU(t)
			a := v.post(t, moduletest.ServeText(t, test.text, false).URL, ask{tokens: 3, target: "x", timeoutMS: 20000})
			if a.OK || a.Kind != test.kind || !strings.Contains(a.Error, test.error) {
				t.Errorf("kind %q, error %q; want %q, %q", a.Kind, a.Error, test.kind, test.error)
			}
			s := v.report().Series[0]
			if r := s.Reasons[test.kind]; len(s.Reasons) != 1 || len(r) > 300 || !strings.Contains(r, test.error) {
				t.Errorf("reasons %q; want %q in that of %s", s.Reasons, test.error, test.kind)
			}
			if s.Started != 1 || s.OK != 0 || s.Failed[test.kind] != 1 || s.Stream.Count+s.TTFT.Count+s.TTFE.Count+s.Itl.Count+s.TokenDelay.Count != 0 {
				t.Errorf("a failed stream left times behind: %+v", s)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + ln.Addr().String()
	ln.Close()
	a := testVU(t).post(t, url, ask{})
	if a.Kind != http1.Refused || !strings.Contains(a.Error, "refused") || a.Status != 0 || a.Connect != nil || a.Duration != nil {
		t.Errorf("%+v", a)
	}
}

func TestTimeout(t *testing.T) {
	left := make(chan struct{})
	s := moduletest.Serve(t, func(w net.Conn, _ int64) bool {
		moduletest.Write(w, header200+chunk(tokenEvent(0, "")))
		_, _ = w.Read(make([]byte, 1)) // until the client has left
		close(left)
		return false
	})
	if a := testVU(t).post(t, s.URL, ask{timeoutMS: 2000}); a.Kind != http1.TimedOut || a.Tokens != 1 || !strings.Contains(a.Error, "no end after 2s: 1 tokens") {
		t.Errorf("%+v", a)
	}
	leaves(t, left) // another stream would get the rest of this one
}

func TestTheEndOfTheRunInterrupts(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	v := testVU(t)
	ctx, cancel := contextOf(t)
	v.ctx = ctx
	s := moduletest.Serve(t, func(w net.Conn, _ int64) bool {
		moduletest.Write(w, header200)
		cancel()
		<-hold
		return false
	})
	if a := v.post(t, s.URL, ask{}); a.Kind != http1.Interrupted {
		t.Errorf("%+v", a)
	}
	if r := v.report().Series[0]; r.Started != 1 || r.Failed[http1.Interrupted] != 1 {
		t.Errorf("%+v", r)
	}
}

func TestAStreamMayComeInAnyPieces(t *testing.T) {
	text := header200 + chunk("\ufeff: ping\r\n\r\n"+roleEvent)
	for i, padding := range []string{"", "héllo 漢字 😀", `\"\\`} {
		event := tokenEvent(i, padding)
		text += chunk(event[:len(event)/2]) + chunk(event[len(event)/2:])
	}
	text += chunk(strings.ReplaceAll(tokenEvent(3, "")+": c\n\nid: 7\nevent: x\n"+tokenEvent(4, ""), "\n", "\r\n"))
	text += chunk(strings.ReplaceAll(tokenEvent(5, ""), "\n", "\r"))
	text += chunk("data: {\"content\"\ndata:: \"6:") + chunk(tokenEvent(0, "")[len(`data: {"choices":[{"index":0,"delta":{"content":"0:`):])
	text += chunk("data: [DO") + chunk("NE]\r\n\r") + chunk("\n") + "0;x=y\r\nTrailer: t\r\n\r\n"
	for _, size := range []int{1, 2, 3, 7, 100, 1000, 100_000} {
		s := moduletest.Serve(t, func(w net.Conn, _ int64) bool {
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				moduletest.Write(w, rest[:n])
				rest = rest[n:]
			}
			return true
		})
		a := testVU(t).post(t, s.URL, ask{tokens: 7})
		if !a.OK || a.Tokens != 7 || a.Events != 8 {
			t.Errorf("in pieces of %d: %+v", size, a)
		}
	}
}

// The role comes at once and has no content: it is the first event and not the
// first token. The server waits until what it sent was read; a clock may be
// late and is never early, so only order and lower bounds are held.
func TestTheFirstTokenIsTheFirstWithContent(t *testing.T) {
	v := testVU(t)
	var s *moduletest.Server
	known := make(chan struct{})
	read := func() {
		for v.came(s.URL) < s.Sent.Load() {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(10 * time.Millisecond)
	}
	s = moduletest.Serve(t, func(w net.Conn, _ int64) bool {
		<-known
		moduletest.Write(w, header200+chunk(roleEvent))
		read()
		moduletest.Write(w, chunk(tokenEvent(0, ""))+chunk(tokenEvent(1, "")))
		read()
		moduletest.Write(w, chunk(tokenEvent(2, "")))
		read()
		moduletest.Write(w, chunk(doneEvent)+chunk(""))
		return true
	})
	close(known)
	a := v.post(t, s.URL, ask{tokens: 3})
	if !a.OK || *a.TTFE >= *a.TTFT || *a.TTFT < 10 || *a.Duration < 30 {
		t.Errorf("%+v", a)
	}
	// Tokens 0 and 1 came in one read, 2 in the next: itls of 0 and of 10 ms at least.
	if *a.ITLMax < 10 || math.Abs(*a.ITLMean-*a.ITLMax/2) > 1e-6 {
		t.Errorf("itls: mean %v, max %v ms", *a.ITLMean, *a.ITLMax)
	}
}
