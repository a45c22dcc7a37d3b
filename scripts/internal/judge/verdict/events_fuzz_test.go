package verdict

import (
	"bytes"
	"testing"
)

// Files of the branch are anybody's who may write there.
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
