package files

import (
	"testing"
	"time"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
	"fairstream/stub/files/content"
)

func TestAnswerIsCancelledWhenTheClientLeaves(t *testing.T) {
	for when, tc := range map[string]struct {
		name string
		read int // bytes before leaving
	}{
		"before the header":      {"8k-1,id=a,headers=1h", -1},
		"before the first piece": {"8k-1,id=a,hold", 0},
		"between two pieces":     {"8k-1,id=a,piece=1k,pace=1m", 1_000},
		"while bytes flow":       {"30m-1,id=a,piece=1k,pace=100us", 10_000},
		"within one write":       {"30m-2,id=a", 10_000},
	} {
		s, addr := start(t)
		c := dial(t, addr)
		if tc.read < 0 {
			if _, err := c.Write([]byte("GET " + prefix + tc.name + " HTTP/1.1\r\nHost: stub\r\n\r\n")); err != nil {
				t.Fatal(err)
			}
			stubtest.Eventually(t, "the answer has begun", func() bool { return len(s.Journal.Find("a", false)) == 1 })
			c.isSilent()
		} else {
			c.take(c.ask("GET", prefix+tc.name).Body, tc.read)
		}
		if active := s.Stats.Active.Load(); active != 1 {
			t.Errorf("%s: %d answers active, want 1", when, active)
		}
		c.Close()
		ends(t, s, "a", common.Cancelled)
		stubtest.Eventually(t, "no connection is open", func() bool { return s.Stats.Open.Load() == 0 })
		if s.Stats.Cancelled.Load() != 1 || s.Stats.Completed.Load() != 0 {
			t.Errorf("%s: stats %v, want 1 cancelled, 0 completed", when, s.Snapshot())
		}
	}
}

func TestClientThatStopsReadingBlocksNobodyElse(t *testing.T) {
	s, addr := start(t)
	stalled := dial(t, addr)
	stalled.ask("GET", prefix+"30m-1,id=stalled,piece=100k")
	written := func() int { return s.Journal.Find("stalled", true)[0].Events }
	// All buffers are full once nothing is written for a while.
	stubtest.Eventually(t, "the answer is blocked", func() bool {
		n := written()
		time.Sleep(100 * time.Millisecond)
		return n > 0 && n == written()
	})
	c := dial(t, addr)
	if _, body := c.whole("200k-2"); body != string(content.Text(200_000, 2)) {
		t.Errorf("another client got %d bytes", len(body))
	}
	stalled.Close()
	ends(t, s, "stalled", common.Cancelled)
}

func TestStatsCountRequestsAndTheirTime(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	c.whole("8k-1")
	c.whole("8k-1,headers=5ms")
	stubtest.Eventually(t, "two are completed", func() bool { return s.Stats.Completed.Load() == 2 })
	stubtest.Eventually(t, "none is active", func() bool { return s.Stats.Active.Load() == 0 })
	var stats struct {
		Requests, Completed, Others int
		StreamUS                    int64 `json:"stream_us"`
	}
	c.get("/stats", &stats)
	if stats.Requests != 2 || stats.Completed != 2 || stats.Others != 1 || stats.StreamUS < 5_000 {
		t.Errorf("stats %+v, want 2 requests that took 5 ms at least", stats)
	}
}
