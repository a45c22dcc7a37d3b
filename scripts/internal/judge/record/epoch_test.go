package record

import (
	"os"
	"testing"
)

// one is a record of a real run.
func one(t *testing.T) Record {
	t.Helper()
	f, err := os.Open("testdata/mixed.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return records[0]
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

// A patch of the kernel begins a new epoch, and keeps the noise history.
func TestAKernelPatchKeepsTheNoiseHistory(t *testing.T) {
	of := func(kernel string) Record {
		r := one(t)
		r.Host.Kernel = &kernel
		return r
	}
	patched, newer := of("6.18.45-cloud-amd64"), of("6.19.1-cloud-amd64")
	if Epoch(patched) == Epoch(of("6.18.44-cloud-amd64")) || NoiseEpoch(patched) != NoiseEpoch(of("6.18.44-cloud-amd64")) {
		t.Error("want a new epoch and the same noise history after a patch of the kernel")
	}
	unknown := one(t)
	unknown.Host.Kernel = nil
	if NoiseEpoch(patched) == NoiseEpoch(newer) || NoiseEpoch(unknown) == NoiseEpoch(patched) {
		t.Error("want another noise history for another version of the kernel")
	}
}
