package record

import (
	"bytes"
	"os"
	"testing"
)

// Records that Read accepts are written with the same bytes. Other input causes an error, and no panic.
func FuzzRead(f *testing.F) {
	text, err := os.ReadFile("testdata/mixed.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	f.Add(line)
	f.Fuzz(func(t *testing.T, text []byte) {
		records, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := Write(&first, records); err != nil {
			t.Fatal(err)
		}
		again, err := Read(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first.Bytes())
		}
		if err := Write(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%v: written again it differs", err)
		}
	})
}
