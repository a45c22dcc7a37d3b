package files

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

func TestALogIsQuotedByItsErrors(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		log  string
		from int64
		want []string
	}{
		{"", 0, nil},
		{"\n \n", 0, nil},
		{"one\ntwo\nthree\n", 0, []string{"two", "three"}},
		{"one\ntwo\nthree\n", 8, []string{"three"}},
		{"one\n", 4, nil},
		{"started\nhttpx.ReadTimeout\nGET /chat 200\nGET /chat 200\n", 0, []string{"httpx.ReadTimeout"}},
		{"Error: one\nTypeError: two\nlater\nError: three", 0, []string{"TypeError: two", "Error: three"}},
		{"\x1b[31mred\x1b[0m\ttext\r\n\xff", 0, []string{"?[31mred?[0m text", "\ufffd"}},
		{long, 0, []string{long[:200] + "..."}},
		{"Error: old\n" + strings.Repeat("x\n", mostBytes), 0, []string{"x", "x"}},
	} {
		path := filepath.Join(t.TempDir(), "log")
		testfile.Write(t, path, c.log)
		if got, err := QuoteLog(path, c.from, 2); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%.60q from %d: %q, %v; want %q", c.log, c.from, got, err, c.want)
		}
	}
	if got, err := QuoteLog(filepath.Join(t.TempDir(), "none"), 0, 2); err == nil {
		t.Errorf("a log that is not there: %q", got)
	}
}
