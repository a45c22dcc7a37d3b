package load

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/machines"
)

// statsOf answers GET /stats by a clock.
func statsOf(t *testing.T, now func() time.Time, takes time.Duration) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := now()
		time.Sleep(takes)
		json.NewEncoder(w).Encode(map[string]any{"now_us": at.UnixMicro()}) // the test sees a failure
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// The clocks of both machines are compared before and after a load. One that jumps meanwhile is an error.
func TestAClockThatJumps(t *testing.T) {
	ahead := time.Hour
	c := &crossing{clocksReader: readClocks(nil, nil, "lo"), url: statsOf(t, func() time.Time { return time.Now().Add(ahead) }, 0)}
	defer c.end()
	var err error
	if c.ahead, err = aheadOf(t, c); err != nil || c.ahead < 3_599_990 || c.ahead > 3_600_010 {
		t.Fatalf("%g ms ahead, %v; want an hour", c.ahead, err)
	}
	ahead += 40 * time.Millisecond
	if err := c.conclude(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "moved 4") || !strings.Contains(err.Error(), "let both follow one time server") {
		t.Errorf("%v", err)
	}
}

func aheadOf(t *testing.T, c *crossing) (float64, error) {
	t.Helper()
	return ahead(t.Context(), c.url, c.now)
}

// A clock whose answers take long is not known well enough.
func TestAClockThatIsFarAway(t *testing.T) {
	r := readClocks(nil, nil, "lo")
	defer r.stop()
	if _, err := ahead(t.Context(), statsOf(t, time.Now, 6*time.Millisecond), r.now); err == nil || !strings.Contains(err.Error(), "want 2 at most") {
		t.Errorf("%v", err)
	}
}

// direct goes through the servers' machine, as their connections do.
func TestDirectCrossesTheLink(t *testing.T) {
	var from string
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from = r.RemoteAddr
		io.Copy(w, r.Body) // the test sees a failure
	}))
	defer stub.Close()
	f, err := newForwarder("127.0.0.1", stub.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("token ", 100_000)
	resp, err := http.Post("http://"+f.Addr().String()+"/", "text/plain", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(resp.Body)
	if err != nil || string(got) != text || from == "" {
		t.Errorf("%d bytes of %d, %v", len(got), len(text), err)
	}
	f.stop()
	if c, err := net.Dial("tcp", f.Addr().String()); err == nil {
		c.Close()
		t.Error("it still listens")
	}
}

func TestALevelThatNeedsTheLink(t *testing.T) {
	var c crossing
	c.clocksReader = &clocksReader{clocks: raw.Clocks{Machine: []raw.Reading{{AtMS: 0}, {AtMS: 1000, SentBytes: 80_000_000, ReceivedBytes: 5}}}}
	s := raw.Summary{Slices: []hist.Slice{{Level: "stress-200", StartedUnixMS: 0, TookMS: 1000}}}
	m := &machines.Machine{Device: "eth1", LinkMbit: 1000}
	if err := c.checkLink(m, s); err == nil || !strings.Contains(err.Error(), `level "stress-200": 640 Mbit/s of the 1000 of eth1; want 500 at most`) {
		t.Errorf("%v", err)
	}
	for _, mbit := range []int64{0, 2000} {
		m.LinkMbit = mbit
		if err := c.checkLink(m, s); err != nil {
			t.Errorf("%d Mbit/s: %v", mbit, err)
		}
	}
}
