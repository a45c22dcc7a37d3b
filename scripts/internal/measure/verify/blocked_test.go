package verify

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// A server that buffers the whole answer may stand still for long on a busy machine. Nobody gets an answer of it
// then, so the count of pieces proves nothing until others get theirs.
func TestBlockedWaitsWhileTheServerStandsStill(t *testing.T) {
	const pieces = 30
	answers := 0 // each lets the server take one piece more
	sent := func() int { return min(answers, pieces) }
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `[{"Events": %d}]`, sent()) // Blocked then fails
	}))
	defer stub.Close()
	s := &Subject{StubPort: stub.Listener.Addr().(*net.TCPAddr).Port}
	if err := s.Blocked("1", func() error { answers++; return nil }); err != nil || sent() != pieces {
		t.Errorf("ended after %d of %d pieces, error %v", sent(), pieces, err)
	}
}
