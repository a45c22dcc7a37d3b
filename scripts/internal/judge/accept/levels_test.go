package accept

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// An acceptance is the level from which gradual regressions count, until it expires.
func TestAcceptedLevels(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(name, text string) {
		testfile.Write(t, filepath.Join(root, Dir, name), text)
	}
	for name, expires := range map[string]string{"1": "null", "2": `"2099-01-31"`, "3": `"2020-01-31"`} {
		write(name+".json", `{"workload": "relay", "server": "go-http", "scenario": "*", "metric": "*", "since": "`+strings.Repeat(name, 40)+`", "reason": "fair", "by": "Ann", "expires": `+expires+`}`)
	}
	server := workload.Server{Workload: "relay", Name: "go-http"}
	got, err := Levels(root, time.Now())
	if err != nil || len(got) != 1 || len(got[server]) != 2 || got[server][1] != strings.Repeat("2", 40) {
		t.Errorf("%v, %v; want those of 1 and 2", got, err)
	}
	write("4.json", "{}")
	if got, err := Levels(root, time.Now()); err == nil || len(got[server]) != 2 {
		t.Errorf("with a file without keys: %v, %v; want it named, and the others", got, err)
	}
}
