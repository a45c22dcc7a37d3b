package relay

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
)

// release lets n events of a held stream go.
func release(t *testing.T, addr, id, n string) {
	t.Helper()
	c := dial(t, addr)
	c.write(fmt.Sprintf("POST /release/%s?n=%s HTTP/1.1\r\nHost: stub\r\n\r\n", id, n))
	if r, body := c.receive(); r.StatusCode != 200 || body != fmt.Sprintf(`{"released":%s}`, n) {
		t.Fatalf("status %d: %s", r.StatusCode, body)
	}
}

func TestHeldEventIsNotSentBeforeItsRelease(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	next := c.begin(chatBody("@hold=1 @id=a @tokens=2 @itl=0s", true))
	for i, want := range []string{`"role"`, `"content":"0:`, `"content":"1:`, `"stop"`, `"total_tokens"`, "[DONE]"} {
		c.isSilent()
		stubtest.Eventually(t, "the journal has what came", func() bool { return s.Journal.Find("a", false)[0].Events >= i })
		if n := s.Journal.Find("a", false)[0].Events; n != i {
			t.Fatalf("%d events sent, %d released", n, i)
		}
		release(t, addr, "a", "1")
		if event := next(); !strings.Contains(event, want) {
			t.Errorf("event %d is %s, want %s", i, event, want)
		}
	}
}

func TestErrorEventIsHeldToo(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	next := c.begin(chatBody("@hold=1 @id=a @error=0", false))
	release(t, addr, "a", "1")
	next()
	c.isSilent()
	if n := s.Journal.Find("a", false)[0].Events; n != 1 {
		t.Errorf("%d events sent, 1 released", n)
	}
	release(t, addr, "a", "1")
	if event := next(); !strings.Contains(event, `"error"`) {
		t.Errorf("got %s", event)
	}
}

func TestReleasesMayComeBeforeTheStream(t *testing.T) {
	_, addr := start(t)
	release(t, addr, "a", "2")
	release(t, addr, "a", "1")
	c := dial(t, addr)
	next := c.begin(chatBody("@hold=1 @id=a @itl=0s", false))
	for range 3 {
		next()
	}
	c.isSilent()
}

func TestHeldTokenIsStampedAfterItsRelease(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	next := c.begin(chatBody("@hold=1 @id=a @itl=0s", false))
	release(t, addr, "a", "1")
	next()
	c.isSilent()
	releasedNS := time.Now().UnixNano()
	release(t, addr, "a", "1")
	_, stamp, _ := strings.Cut(strings.TrimRight(contentOf(t, next()), ". "), ":")
	if sentNS, err := strconv.ParseInt(stamp, 36, 64); err != nil || sentNS < releasedNS {
		t.Errorf("stamped %s, %d ns before its release, %v", stamp, releasedNS-sentNS, err)
	}
}

func TestClientThatLeavesEndsAHeldStream(t *testing.T) {
	for _, events := range []int{0, 2} {
		s, addr := start(t)
		c := dial(t, addr)
		next := c.begin(chatBody("@hold=1 @id=a @itl=0s", false))
		for range events {
			release(t, addr, "a", "1")
			next()
		}
		c.Close()
		stubtest.Eventually(t, "the stream is cancelled", func() bool { return s.Journal.Find("a", false)[0].Outcome == common.Cancelled })
		if n := s.Journal.Find("a", false)[0].Events; n != events {
			t.Errorf("%d events, want %d", n, events)
		}
	}
}

func TestStreamsOfTwoIDsAreHeldApart(t *testing.T) {
	_, addr := start(t)
	a, b := dial(t, addr), dial(t, addr)
	nextA, nextB := a.begin(chatBody("@hold=1 @id=a @itl=0s", false)), b.begin(chatBody("@hold=1 @id=b @itl=0s", false))
	release(t, addr, "a", "2")
	nextA()
	nextA()
	b.isSilent()
	release(t, addr, "b", "1")
	nextB()
	a.isSilent()
	b.isSilent()
}

func TestBadReleasesAreErrorsAndReleaseNothing(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	for path, want := range map[string]string{
		"a?n=0":                   "release a: want n from 1, and at most 65536 ahead",
		"a?n=-1":                  "want n from 1",
		"a?n=1.5":                 "want n from 1",
		"a?n=x":                   "want n from 1",
		"a?n=65537":               "want n from 1",
		"a?n=9999999999999999999": "want n from 1",
		"?n=1":                    wantName,
		"a/b?n=1":                 wantName,
		"a.b":                     wantName,
	} {
		c.write("POST /release/" + path + " HTTP/1.1\r\nHost: stub\r\n\r\n")
		c.isError(400, want)
	}
	held := dial(t, addr)
	held.begin(chatBody("@hold=1 @id=a", false))
	held.isSilent()

	release(t, addr, "b", "65535")
	c.write("POST /release/b?n=2 HTTP/1.1\r\nHost: stub\r\n\r\n")
	c.isError(400, "at most 65536 ahead")
	release(t, addr, "b", "1")
}
