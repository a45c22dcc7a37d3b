// Package stubtest runs stubs for tests.
package stubtest

import (
	"net"
	"testing"
	"time"

	"fairstream/stub/common"
)

// Start runs a stub with these routes until the test ends, and returns it with its address.
func Start(t testing.TB, routes []common.Route) (*common.Server, string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return StartOn(t, ln, routes), ln.Addr().String()
}

// StartOn is Start on a listener.
func StartOn(t testing.TB, ln net.Listener, routes []common.Route) *common.Server {
	s := common.NewServer(routes)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Serve(ln) // until it is closed
	}()
	t.Cleanup(func() {
		ln.Close()
		<-ended
	})
	return s
}

// Patience ends a test that hangs. No test passes or fails by being faster.
const Patience = 2 * time.Minute

// Eventually waits until something holds.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(Patience); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still not so: %s", what)
		}
	}
}
