package sse

import (
	"net"
	"testing"

	"fairstream/k6/common/moduletest"
)

// Arrived tokens count whatever their stream's end, and repeated ones count apart.
func TestTokensAreCounted(t *testing.T) {
	end := chunk(doneEvent) + chunk("")
	tokens := func(indexes ...int) (all string) {
		for _, i := range indexes {
			all += chunk(tokenEvent(i, ""))
		}
		return all
	}
	for name, c := range map[string]struct {
		text        string
		came, again int64
	}{
		"whole":             {header200 + chunk(roleEvent) + tokens(0, 1, 2, 3) + end, 4, 0},
		"cut":               {header200 + tokens(0, 1), 2, 0},
		"one came twice":    {header200 + tokens(0, 1, 1, 2, 3) + end, 5, 1},
		"two came twice":    {header200 + tokens(0, 1, 0, 1) + end, 4, 2},
		"one thrice":        {header200 + tokens(0, 0, 0, 1) + end, 4, 2},
		"another order":     {header200 + tokens(0, 2, 1, 3) + end, 4, 0},
		"late, and again":   {header200 + tokens(2, 0, 2, 1) + end, 4, 1},
		"one is missing":    {header200 + tokens(0, 1, 3) + end, 3, 0},
		"one of another":    {header200 + tokens(0) + chunk(`data: {"content":"hello"}`+"\n\n") + tokens(1, 2) + end, 3, 0},
		"refused":           {"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", 0, 0},
		"more than are due": {header200 + tokens(0, 1, 2, 3, 4) + end, 5, 0},
	} {
		t.Run(name, func(t *testing.T) {
			v := testVU(t)
			// Only what has no other end is ended by closing: a connection that is about to
			// be closed may be taken for the next stream, which then has no answer.
			s := moduletest.Serve(t, func(w net.Conn, _ int64) bool { moduletest.Write(w, c.text); return name != "cut" })
			for range 2 { // nothing of a stream is left for the next
				v.post(t, s.URL, ask{tokens: 4})
			}
			if r := v.report().Series[0]; *r.Tokens != 2*c.came || r.Doubled != 2*c.again {
				t.Errorf("%d tokens, %d of them again; want twice %d and %d", *r.Tokens, r.Doubled, c.came, c.again)
			}
		})
	}
}
