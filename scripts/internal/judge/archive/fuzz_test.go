package archive

import (
	"bytes"
	"os"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// Files of the branch are anybody's who may write there.
func FuzzRecords(f *testing.F) {
	text, err := os.ReadFile("../record/testdata/mixed.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	records, err := record.Read(bytes.NewReader(text))
	if err != nil {
		f.Fatal(err)
	}
	packed, err := Pack(records)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Fuzz(func(t *testing.T, text []byte) {
		records, err := Records(bytes.NewReader(text))
		if err != nil {
			return
		}
		packed, err := Pack(records)
		if err != nil {
			return
		}
		if again, err := Records(bytes.NewReader(packed)); err != nil || len(again) != len(records) {
			t.Errorf("%d records, and packed and read again %d: %v", len(records), len(again), err)
		}
	})
}

func FuzzReadEvents(f *testing.F) {
	f.Add([]byte(`[{"schema":1,"server":"go-http","base":"a","head":"b","gradual":false,"quick":false,"run":"1-1","epoch":"e","verdict":"regressed","confirmed":true,"rounds":12,"discarded":0,"cells":[]}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		events, err := ReadEvents(bytes.NewReader(text))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WriteEvents(&out, events); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadEvents(&out); err != nil || len(again) != len(events) {
			t.Errorf("what was written cannot be read: %v", err)
		}
	})
}
