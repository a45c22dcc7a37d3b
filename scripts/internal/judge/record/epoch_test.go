package record

import (
	"testing"

	"fairstream/scripts/internal/testfile"
)

// one is a record of a real run.
func one(t *testing.T) Record {
	t.Helper()
	return testfile.Read(t, "testdata/mixed.jsonl", Read)[0]
}

// What two records must share to be compared is in the names of their series.
func TestAnEpochIsAMachineAndARig(t *testing.T) {
	text, pages := "another", int64(4096)
	same := one(t)
	*same.Host.MemoryBytes += pages
	same.Run.Seed, same.Run.Rounds, same.Server.Name = 7, 9, "go-gin"
	if Epoch(same) != Epoch(one(t)) {
		t.Error("another epoch for some pages of memory, a seed or a server")
	}
	seen := map[string]string{Epoch(same): "as it was"}
	for name, change := range map[string]func(*Record){
		"cpu": func(r *Record) { r.Host.CPU = &text }, "cores": func(r *Record) { r.Host.Cores++ }, "os": func(r *Record) { r.Host.OS = &text },
		"kernel": func(r *Record) { r.Host.Kernel = &text }, "memory": func(r *Record) { *r.Host.MemoryBytes *= 2 }, "no memory": func(r *Record) { r.Host.MemoryBytes = nil },
		"rig": func(r *Record) { r.Run.Rig = text }, "placement": func(r *Record) { r.Run.Placement = "split" }, "schema": func(r *Record) { r.Schema++ },
		"half of the VUs": func(r *Record) { r.Run.VUDivisor = 2 }, "longer slices": func(r *Record) { r.Run.SliceMS = 2000 },
	} {
		r := one(t)
		change(&r)
		if other := seen[Epoch(r)]; other != "" {
			t.Errorf("%s has the epoch of %s", name, other)
		}
		seen[Epoch(r)] = name
	}
}
