package relay

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// recorded returns the writes of an answer of three tokens.
func recorded(t *testing.T, message string) []string {
	t.Helper()
	r := &recorder{}
	if s, _ := record(r, "@tokens=3 @itl=0s "+message, false); s.Stats.Completed.Load() != 1 {
		t.Fatalf("%s: the answer was not sent", message)
	}
	return r.writes
}

func TestWriteSplitsEveryWriteAndNoBytesChange(t *testing.T) {
	plain := recorded(t, "")
	for _, size := range []int{1, 7, 100, maxSize} {
		split := recorded(t, fmt.Sprint("@write=", size))
		if got, want := mask([]byte(strings.Join(split, ""))), mask([]byte(strings.Join(plain, ""))); got != want {
			t.Errorf("@write=%d: got %q, want %q", size, got, want)
		}
		var sizes, want []int
		for _, write := range split {
			sizes = append(sizes, len(write))
		}
		for _, write := range plain {
			for part := range slices.Chunk([]byte(write), size) {
				want = append(want, len(part))
			}
		}
		if !slices.Equal(sizes, want) {
			t.Errorf("@write=%d: writes of %v bytes, want %v", size, sizes, want)
		}
	}
}

// ends tells where each write ends, in events; inside one is a half. It
// expects the header and the body's end in writes of their own.
func ends(t *testing.T, writes []string) []float64 {
	t.Helper()
	last := len(writes) - 1
	if writes[0] != streamHeader || writes[last] != "0\r\n\r\n" {
		t.Fatalf("not a header, events and an end: %q", writes)
	}
	var at []float64
	sofar := ""
	for _, write := range writes[1:last] {
		sofar += write
		events := float64(strings.Count(sofar, "\n\n\r\n"))
		if !strings.HasSuffix(sofar, "\n\n\r\n") {
			events += 0.5
		}
		at = append(at, events)
	}
	return at
}

func TestPacketsHoldAsManyEventsAsAskedFor(t *testing.T) {
	plain := mask([]byte(strings.Join(recorded(t, ""), "")))
	for packet, want := range map[string][]float64{ // six events
		"0.5": {0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6},
		"1":   {1, 2, 3, 4, 5, 6},
		"1.5": {1.5, 3, 4.5, 6},
		"2":   {2, 4, 6},
		"2.5": {2.5, 5, 6},
		"3.5": {3.5, 6},
		"100": {6},
	} {
		writes := recorded(t, "@packet="+packet)
		if got := ends(t, writes); !slices.Equal(got, want) {
			t.Errorf("@packet=%s: writes end after %v events, want %v", packet, got, want)
		}
		if got := mask([]byte(strings.Join(writes, ""))); got != plain {
			t.Errorf("@packet=%s: got %q, want %q", packet, got, plain)
		}
	}
}

// The halves of a character must not be in one write, nor in two that follow
// at once, which a reader would see as one.
func TestHalfPacketsSplitCharactersBetweenTokens(t *testing.T) {
	for _, framing := range []string{"", " @close=1"} {
		writes := recorded(t, "@packet=0.5 @text=utf8"+framing)
		for i, write := range writes[2:6] { // all but the role's halves, finish and [DONE]
			head, token := utf8.RuneStart(write[0]), fmt.Sprintf(`"content":"%d:`, i)
			if isSecond := i > 0; isSecond == head {
				t.Errorf("%s: write %d begins inside a character: %v, want %v", framing, i, !head, isSecond)
			}
			if isFirst := i < 3; isFirst != strings.Contains(write, token) {
				t.Errorf("%s: write %d is %q", framing, i, write)
			}
		}
		if all := strings.Join(writes, ""); !utf8.ValidString(all) || strings.Count(all, "漢字") < 3 {
			t.Errorf("%s: together not whole: %q", framing, all)
		}
	}
}

func TestMiddleIsInsideACharacterIfOneReachesTheSecondHalf(t *testing.T) {
	for chunk, want := range map[string]int{
		"":         0,
		"abcdef":   3,
		"ébcdef":   3,
		"abécd":    3, // é is bytes 2 and 3, and the half is 3
		"abcdefgé": 8,
		"abcd漢字":   5, // and the half is 5
		"abcdef😀":  7,
		"😀":        2,
	} {
		if got := middle([]byte(chunk)); got != want {
			t.Errorf("%q is split at %d, want %d", chunk, got, want)
		}
	}
}
