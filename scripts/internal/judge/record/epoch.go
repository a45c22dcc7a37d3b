package record

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// Epoch is a short name for all that two records must share to be compared:
// machine, rig, placement and schema. Another of any begins new series, so
// that no line goes on, and nothing alerts, across the change. A machine says
// of its memory some pages more or less after each start, so whole GiB count.
func Epoch(r Record) string {
	var gib int64 = -1
	if r.Host.MemoryBytes != nil {
		gib = (*r.Host.MemoryBytes + 1<<29) >> 30
	}
	text, err := json.Marshal([]any{r.Host.CPU, r.Host.Cores, gib, r.Host.OS, r.Host.Kernel, r.Run.Rig, r.Run.Placement, r.Schema})
	if err != nil {
		panic(err) // texts and numbers only
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:6]
}
