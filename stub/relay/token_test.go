package relay

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// contentOf returns the content of a token's event.
func contentOf(t *testing.T, event string) string {
	t.Helper()
	var k struct {
		Choices []struct{ Delta struct{ Content string } }
	}
	if err := json.Unmarshal([]byte(event), &k); err != nil || len(k.Choices) != 1 {
		t.Fatalf("%v: %s", err, event)
	}
	return k.Choices[0].Delta.Content
}

func TestTokensCarryIndexAndSendTime(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	beforeNS := time.Now().UnixNano()
	events := c.ask(chatBody("@tokens=200 @itl=0s", false))
	afterNS := time.Now().UnixNano()
	if len(events) != 203 {
		t.Fatalf("%d events, want 203", len(events))
	}
	form := regexp.MustCompile(`^(\d+):([0-9a-z]+)\.* $`)
	for i, event := range events[1:201] {
		content := contentOf(t, event)
		m := form.FindStringSubmatch(content)
		if m == nil || m[1] != strconv.Itoa(i) {
			t.Fatalf("token %d is %q", i, content)
		}
		sentNS, err := strconv.ParseInt(m[2], 36, 64)
		if err != nil || sentNS < beforeNS || sentNS > afterNS {
			t.Errorf("token %d is stamped %d, want %d to %d", i, sentNS, beforeNS, afterNS)
		}
		if i < 100 && len(content) != 16 {
			t.Errorf("token %d is %q, want the default size, 16 bytes", i, content)
		}
	}
}

func TestTokensArePaddedToSize(t *testing.T) {
	now := time.Unix(0, 1)
	cases := []struct {
		i, size int
		want    string
	}{
		{0, 0, "0:1 "},
		{0, 4, "0:1 "},
		{0, 5, "0:1. "},
		{7, 16, "7:1............ "},
		{1234, 7, "1234:1 "},
		{1234, 8, "1234:1. "},
		{0, 1 << 20, "0:1" + strings.Repeat(".", 1<<20-4) + " "},
	}
	for _, tc := range cases {
		// The token follows what the buffer already holds.
		got := appendToken([]byte("before "), tc.i, tc.size, now, ".")
		if !bytes.Equal(got, []byte("before "+tc.want)) {
			t.Errorf("token %d, size %d: got %.40q, %d bytes", tc.i, tc.size, got, len(got))
		}
	}
	if got := string(appendToken(nil, 3, 0, time.Unix(1_700_000_000, 123_456_789), ".")); got != "3:cwyvpeni7w9h " {
		t.Errorf("got %q", got)
	}
}

func TestSizeOfTokensIsThatAskedFor(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	for _, sizeBytes := range []int{16, 17, 100, 65536} {
		events := c.ask(chatBody("@tokens=3 @itl=0s @size="+strconv.Itoa(sizeBytes), false))
		for i, event := range events[1:4] {
			if content := contentOf(t, event); len(content) != sizeBytes {
				t.Errorf("token %d has %d bytes, want %d", i, len(content), sizeBytes)
			}
		}
	}
}
