package record

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
)

// Epoch is a short name for what two records must share to be comparable: machine, rig, placement, load and schema.
// When one of them changes, new series begin. No line and no alert crosses the change. Memory counts in whole
// GiB, since it varies by some pages after each start.
func Epoch(r Record) string {
	return epoch(r, r.Host.Kernel)
}

// NoiseEpoch is what comparisons must share to have one noise history. It has the kernel's
// version without the patch level, because a patch hardly changes how much figures scatter.
func NoiseEpoch(r Record) string {
	kernel := r.Host.Kernel
	if kernel != nil {
		version := minor.FindString(*kernel)
		kernel = &version
	}
	return epoch(r, kernel)
}

var minor = regexp.MustCompile(`^[0-9]+\.[0-9]+`)

func epoch(r Record, kernel *string) string {
	var gib int64 = -1
	if r.Host.MemoryBytes != nil {
		gib = (*r.Host.MemoryBytes + 1<<29) >> 30
	}
	key := []any{r.Host.CPU, r.Host.Cores, gib, r.Host.OS, kernel, r.Run.Rig, r.Run.Placement, r.Schema}
	if load := r.Run.Load(); load != "" {
		key = append(key, load)
	}
	text, err := json.Marshal(key)
	if err != nil {
		panic(err) // it holds only texts and numbers
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:6]
}
