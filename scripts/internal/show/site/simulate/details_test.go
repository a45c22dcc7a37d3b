package simulate

import (
	"bytes"
	"compress/zlib"
	"math/rand/v2"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// They can be read, and have as many seconds, slices and levels as real ones of eight servers.
func TestDetailsAreAsLargeAsRealOnes(t *testing.T) {
	var text bytes.Buffer
	if err := record.WriteDetails(&text, NewDetails(rand.New(rand.NewPCG(1, 1)), workload.All[0], []string{"a-http", "b-http", "c-http", "d-http", "e-http", "f-http", "g-http", "h-http"})); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed) // as git has them
	z.Write(text.Bytes())        // to memory
	z.Close()                    // as above
	if n, of := text.Len(), packed.Len(); n < 35_000 || n > 55_000 || of < 4_000 || of > 8_000 {
		t.Errorf("%d bytes, packed %d", n, of)
	}
	if _, err := record.ReadDetails(&text); err != nil {
		t.Error(err)
	}
}
