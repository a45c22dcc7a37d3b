package files

import (
	"fmt"
	"strings"
	"testing"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
	"fairstream/stub/files/content"
)

func TestBodyIsTheContentOfItsName(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	for name, want := range map[string][]byte{
		"8k-17":                       content.Text(8_000, 17),
		"200k-3":                      content.Text(200_000, 3),
		"200k-4,binary":               content.Binary(200_000, 4),
		"200k-4,type=png":             content.Text(200_000, 4), // a neighbour of the one before
		"8001-17,piece=1k":            content.Text(8_001, 17),
		"8001-17,piece=1k,chunked":    content.Text(8_001, 17),
		"8001-17,trailers,piece=1":    content.Text(8_001, 17),
		"1m-9,binary,piece=7,chunked": content.Binary(1_000_000, 9),
		"0-1,chunked":                 nil,
	} {
		if _, body := c.whole(name); body != string(want) {
			t.Errorf("%s: %d bytes, want the %d of its content", name, len(body), len(want))
		}
	}
}

func TestHeadersSayTypeAndLength(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	for kind, want := range types {
		for _, method := range []string{"GET", "HEAD"} {
			r := c.ask(method, prefix+"5k-1,type="+kind)
			if got := r.Header.Get("Content-Type"); got != want || r.ContentLength != 5_000 {
				t.Errorf("%s of type %s: Content-Type %q, %d bytes; want %q, 5000", method, kind, got, r.ContentLength, want)
			}
			if method == "GET" {
				c.take(r.Body, 5_000)
			}
		}
	}
	if r := c.ask("HEAD", prefix+"5k-1,chunked"); r.ContentLength != -1 {
		t.Errorf("HEAD of chunks: %d bytes, want no length", r.ContentLength)
	}
	c.whole("8k-1")
}

func TestHangupAndCloseEndTheConnection(t *testing.T) {
	for name, length := range map[string]int64{"8k-1,hangup": 8_000, "8k-1,close": -1} {
		s, addr := start(t)
		c := dial(t, addr)
		r, body := c.whole(name + ",id=a")
		if r.ContentLength != length || body != string(content.Text(8_000, 1)) {
			t.Errorf("%s: length %d, want %d; %d bytes came", name, r.ContentLength, length, len(body))
		}
		c.isClosed()
		ends(t, s, "a", common.Completed)
	}
}

func TestJournalHasWhatTheClientReceived(t *testing.T) {
	for directives, events := range map[string]int{
		"": 1, ",binary": 1, ",piece=300": 4, ",piece=300,chunked": 4, ",trailers": 1, ",close": 1, ",hangup": 1, ",cut=500": 1, ",cut=500,piece=300": 2, ",end=1k": 1,
	} {
		s, addr := start(t)
		c := dial(t, addr)
		_, body, _ := c.file("1k-5,id=a" + directives) // how it ends is for other tests: a cut is an error
		stubtest.Eventually(t, "the answer has ended", func() bool { return s.Journal.Find("a", false)[0].Outcome != "" })
		e := s.Journal.Find("a", false)[0]
		if e.Sent != body || body == "" || e.Events != events || e.Method != "GET" || e.Path != prefix+"1k-5,id=a"+directives {
			t.Errorf("%s: the journal has %d events of %s, %.50q; the client %.50q", directives, e.Events, e.Path, e.Sent, body)
		}
	}
}

// The tally is the bytes that the client received, in answers that end early too.
func TestTallyCountsBytesOfBodies(t *testing.T) {
	_, addr := start(t)
	want := map[string]int64{"": 3_000}
	for i, directives := range []string{"", ",piece=300", ",chunked", ",cut=2k", ",end=10", ",status=500", ",refuse"} {
		name := fmt.Sprint("case-", i)
		want[name] = []int64{5_000, 5_000, 5_000, 2_000, 10, 0, 0}[i]
		c := dial(t, addr)
		if strings.Contains(directives, "refuse") {
			c.send("GET", prefix+"5k-1,tally="+name+directives)
			c.isClosed()
			continue
		}
		c.file("5k-1,tally=" + name + directives) // how it ends is for other tests: a cut is an error
	}
	c := dial(t, addr)
	c.whole("3k-1")
	stubtest.Eventually(t, "the stub counts as many bytes as came", func() bool {
		var stats struct{ Tokens map[string]int64 }
		c.get("/stats", &stats)
		for name, n := range want {
			if stats.Tokens[name] != n {
				return false
			}
		}
		return len(stats.Tokens) == len(want)
	})
}
