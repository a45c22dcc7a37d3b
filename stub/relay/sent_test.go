package relay

import (
	"strings"
	"testing"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
)

func TestJournalHasTheBytesThatTheClientReceived(t *testing.T) {
	for _, directives := range []string{
		"", "@size=0", "@size=100000", "@write=1", "@packet=2.5", "@packet=0.5 @text=utf8", "@text=tricky",
		"@lines=crlf", "@lines=cr", "@comments=1", "@close=1", "@trailers=1", "@hangup=1",
		"@end=2", "@error=2", "@cut=2", "@packet=2.5 @cut=1", "@packet=2.5 @end=1", "@packet=2.5 @error=2 @close=1",
	} {
		s, addr := start(t)
		// How it ends is for other tests: a cut is an error.
		_, body, _ := dial(t, addr).body("@id=a @tokens=3 @itl=0s " + directives)
		stubtest.Eventually(t, "the stream has ended", func() bool { return s.Journal.Find("a", false)[0].Outcome != "" })
		if got := s.Journal.Find("a", false)[0].Sent; got != body || body == "" {
			t.Errorf("%s: the journal has %q, the client %q", directives, got, body)
		}
	}
}

func TestJournalHasTheFirstBytesOfALongAnswer(t *testing.T) {
	s, addr := start(t)
	_, body, err := dial(t, addr).body("@id=a @tokens=2 @itl=0s @size=4000000")
	if err != nil {
		t.Fatal(err)
	}
	stubtest.Eventually(t, "the stream has ended", func() bool { return s.Journal.Find("a", false)[0].Outcome != "" })
	if got := s.Journal.Find("a", false)[0].Sent; len(got) != common.MaxSent || !strings.HasPrefix(body, got) {
		t.Errorf("%d bytes, want the first %d of %d", len(got), common.MaxSent, len(body))
	}
}
