package artifact

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// Whatever is accepted is what record writes and reads, fits the plan, and has
// no text that is not harmless.
func FuzzArtifact(f *testing.F) {
	f.Add(zipped(f, file{text: text(f, completeRecords("go-http")...)}), "")
	f.Add([]byte("PK"), text(f, completeRecords("go-gin")...))
	f.Add([]byte(nil), change(f, "why", []string{"\n"}))
	f.Fuzz(func(t *testing.T, zip []byte, member string) {
		texts := [][]byte{[]byte(member)}
		if inside, err := unzip(zip, member); err == nil {
			texts = append(texts, inside)
		}
		for _, in := range texts {
			_, records, err := parse(in, mainPlan, known)
			if err != nil {
				continue
			}
			out := text(t, records...)
			if again, err := record.Read(strings.NewReader(out)); err != nil || len(again) != len(records) {
				t.Errorf("accepted, but not read again: %v\n%s", err, out)
			}
			if len(records) > 64 || strings.Trim(out, "\n") == "" || strings.ContainsAny(out, "`\r\x00\x1b\u202e") {
				t.Errorf("accepted %q", out)
			}
		}
	})
}
