package content

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestBytesStayAsTheyAre(t *testing.T) {
	for _, tc := range []struct {
		got  []byte
		want string
	}{
		{Text(20, 1), "512d4711512d4711512d"},
		{Text(136, 1)[64:], "c02c6536c02c6536c02c6536c02c6536c02c6536c02c6536c02c6536c02c6536dddaed13"},
		{Text(20, 17), "05d7ae1a05d7ae1a05d7"},
		{Text(0, 1), ""},
		{Binary(6, 1), "\x51\x2d\x47\x11\xc0\x2c"},
	} {
		if string(tc.got) != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
}

// A longer file begins with the shorter ones, whatever step the size ends in.
func TestSizesAreExact(t *testing.T) {
	text, binary := Text(100, 5), Binary(100, 5)
	for size := range 100 {
		if !bytes.Equal(Text(size, 5), text[:size]) || !bytes.Equal(Binary(size, 5), binary[:size]) {
			t.Errorf("%d bytes are not the first of 100", size)
		}
	}
}

func TestSeedsDifferFromTheirFirstBytesOn(t *testing.T) {
	seen := map[string]uint32{}
	for seed := uint32(1); seed <= 10_000; seed++ {
		begin := string(Text(8, seed))
		if other, ok := seen[begin]; ok {
			t.Fatalf("seeds %d and %d both begin with %s", other, seed, begin)
		}
		seen[begin] = seed
	}
}

// A line that is lost, doubled or moved must show, so none may repeat within a file.
func TestLinesOfAFileDiffer(t *testing.T) {
	text, seen := Text(8_000_000, 3), map[string]bool{}
	for at := 0; at < len(text); at += 64 {
		line := string(text[at : at+64])
		if seen[line] {
			t.Fatalf("%s comes twice", line)
		}
		seen[line] = true
	}
}

// A server that takes a file for text must fail.
func TestBinaryHasEveryByteAndIsNoText(t *testing.T) {
	b := Binary(10_000, 1)
	for value := range 256 {
		if bytes.IndexByte(b, byte(value)) < 0 {
			t.Errorf("no byte %#x", value)
		}
	}
	if utf8.Valid(b) {
		t.Error("it is UTF-8")
	}
}

var update = flag.Bool("update", false, "write the golden files")

// The test of content.js in k6/files/lib reads the same golden text.
func TestTextIsTheGoldenOne(t *testing.T) {
	var all strings.Builder
	for _, tc := range []struct {
		size int
		seed uint32
	}{{0, 1}, {1, 1}, {7, 2}, {200, 17}, {130, 4_294_967_295}} {
		fmt.Fprintf(&all, "%d %d %s\n", tc.size, tc.seed, Text(tc.size, tc.seed))
	}
	const golden = "testdata/text.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if all.String() != string(want) {
		t.Errorf("got\n%swant\n%s", all.String(), want)
	}
}

func BenchmarkText(b *testing.B) {
	b.SetBytes(200_000)
	for b.Loop() {
		Text(200_000, 1)
	}
}
