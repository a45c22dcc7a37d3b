package record

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// Epoch is a short name for what two records must share to be comparable: machine, rig, placement, load and schema.
// When one of them changes, new series begin. No line and no alert crosses the change. Memory counts in whole
// GiB, since it varies by some pages after each start.
func Epoch(r Record) string {
	var gib int64 = -1
	if r.Host.MemoryBytes != nil {
		gib = (*r.Host.MemoryBytes + 1<<29) >> 30
	}
	key := []any{r.Host.CPU, r.Host.Cores, gib, r.Host.OS, r.Host.Kernel, r.Run.Rig, r.Run.Placement, r.Schema}
	if r.Host.Load != nil {
		key = append(key, r.Host.Load)
	}
	if load := r.Run.LoadChange.Text(); load != "" {
		key = append(key, load)
	}
	text, err := json.Marshal(key)
	if err != nil {
		panic(err) // it holds only texts and numbers
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:6]
}
