package relay

import (
	"maps"
	"testing"
	"time"

	"fairstream/stub/common/stubtest"
)

func TestStreamIsCancelledWhenTheClientLeaves(t *testing.T) {
	cases := []struct {
		name, message string
		readEvents    int // before leaving
		maxEvents     int // that the stub can have written
	}{
		{"while tokens flow", "@id=a @tokens=1000000 @itl=1ms", 3, 1_000_000},
		{"between two tokens", "@id=a @itl=1m", 2, 2},
		{"before the first token", "@id=a @ttft=1m", 1, 1},
		{"before the finish", "@id=a @tokens=1 @itl=1m", 2, 2},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			s, addr := start(t)
			c := dial(t, addr)
			next := c.begin(chatBody(tc.message, false))
			for range tc.readEvents {
				next()
			}
			if active := s.Stats.Active.Load(); active != 1 {
				t.Errorf("%d streams active, want 1", active)
			}
			c.Close()
			stubtest.Eventually(t, "the journal says cancelled", func() bool { return s.Journal.Find("a", false)[0].Outcome == "cancelled" })
			e := s.Journal.Find("a", false)[0]
			if e.Events < tc.readEvents || e.Events > tc.maxEvents || e.EndedUS < e.StartedUS {
				t.Errorf("%d events, want %d to %d; from %d to %d", e.Events, tc.readEvents, tc.maxEvents, e.StartedUS, e.EndedUS)
			}
			stubtest.Eventually(t, "no stream is active", func() bool { return s.Stats.Active.Load() == 0 })
			stubtest.Eventually(t, "no connection is open", func() bool { return s.Stats.Open.Load() == 0 })
			if s.Stats.Cancelled.Load() != 1 || s.Stats.Completed.Load() != 0 {
				t.Errorf("stats %v, want 1 cancelled, 0 completed", s.Snapshot())
			}
		})
	}
}

func TestStatsCountConnectionsAndRequests(t *testing.T) {
	s, addr := start(t)
	staying, leaving := dial(t, addr), dial(t, addr)
	staying.ask(chatBody("@tokens=1 @itl=0s", false))
	staying.ask(chatBody("@tokens=1 @itl=0s @id=a", true))
	staying.write(post("nonsense"))
	staying.isError(400, "request body")
	leaving.begin(chatBody("@ttft=1m", false))

	least := int64(1)
	check := func(want map[string]int64) {
		t.Helper()
		var all map[string]any
		before := time.Now().UnixMicro()
		staying.get("/stats", &all)
		after := time.Now().UnixMicro()
		got := map[string]int64{}
		for name, n := range all {
			if n, ok := n.(float64); ok { // tokens are for another test
				got[name] = int64(n)
			}
		}
		if got["stream_us"] < least {
			t.Errorf("streams were open for %d us, less than the %d us before", got["stream_us"], least)
		}
		least = got["stream_us"] + 1 // each call follows one more ended stream
		delete(got, "stream_us")
		if got["now_us"] < before || got["now_us"] > after {
			t.Errorf("now is %d us, and it was asked from %d to %d", got["now_us"], before, after)
		}
		delete(got, "now_us")
		if !maps.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	check(map[string]int64{"connections": 2, "open": 2, "requests": 4, "others": 1, "active": 1, "completed": 2, "cancelled": 0})
	leaving.Close()
	stubtest.Eventually(t, "the stream is cancelled and its connection closed", func() bool {
		return s.Stats.Active.Load() == 0 && s.Stats.Open.Load() == 1
	})
	check(map[string]int64{"connections": 2, "open": 1, "requests": 4, "others": 2, "active": 0, "completed": 2, "cancelled": 1})
}

func TestClientThatStopsReadingBlocksNobodyElse(t *testing.T) {
	s, addr := start(t)
	stalled := dial(t, addr)
	stalled.write(post(chatBody("@id=stalled @tokens=1000000 @itl=0s @size=1000000", false))) // 1 TB
	written := func() int {
		if e := s.Journal.Find("stalled", false); len(e) == 1 {
			return e[0].Events
		}
		return 0
	}
	// All buffers are full once nothing is written for a while.
	stubtest.Eventually(t, "the stream has started and is blocked", func() bool {
		n := written()
		time.Sleep(100 * time.Millisecond)
		return n > 0 && n == written()
	})

	c := dial(t, addr)
	if events := c.ask(chatBody("@tokens=50 @itl=0s", false)); len(events) != 53 {
		t.Errorf("another client got %d events, want 53", len(events))
	}
	var stats struct{ Active, Open int }
	if c.get("/stats", &stats); stats.Active != 1 || stats.Open != 2 {
		t.Errorf("stats %+v, want the stalled stream still active", stats)
	}

	stalled.Close()
	stubtest.Eventually(t, "the blocked write has ended", func() bool {
		return s.Stats.Active.Load() == 0 && s.Stats.Open.Load() == 1
	})
	if e := s.Journal.Find("stalled", false)[0]; e.Outcome != "cancelled" {
		t.Errorf("outcome %s, want cancelled", e.Outcome)
	}
}
