package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"fairstream/scripts/raw"
)

// k6 that cannot write its summary ends with 0 all the same. Here it finds no room:
// the raw files are on a file system that is full before k6 ends.
func TestASummaryThatCannotBeWrittenIsTheHarnesssFault(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.wrong("right")
	dir := filepath.Join(p.root, "raw")
	p.must(os.Mkdir(dir, 0o755))
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16k"); err != nil {
		t.Skip("it takes the right to mount: ", err)
	}
	defer func() { p.must(syscall.Unmount(dir, syscall.MNT_DETACH)) }()
	args := []string{"run", "-quick", "-rounds", "1", "-scenario", "baseline", "-o", "raw"}
	p.bench(args...).expect(t, 3, "run: baseline: k6: its summary cannot be read: ", "is the disk full?")
	if _, err := os.Stat(filepath.Join(raw.Dir(dir, 1, "baseline", ""), raw.FactsFile)); err == nil {
		t.Error("the loading passes for a whole one")
	}
	// What is left says that it is not finished, and breaks nothing.
	r := p.bench("record", "raw")
	r.expect(t, 0, "record: 0 of 2 records; the run did not finish")
	if r.stdout != "" {
		t.Errorf("records: %s", r.stdout)
	}
}
