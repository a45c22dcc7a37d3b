package branch

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// put replaces a path on the branch by an entry of a mode, as nothing of ours does.
func put(t *testing.T, r Remote, mode, path string, content []byte) {
	t.Helper()
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit refs/heads/%s\ncommitter t <t@t.example> 1700000000 +0000\ndata 1\nx\nfrom refs/heads/%[1]s^0\nD %s\n", Branch, path)
	switch mode {
	case "160000": // a submodule
		fmt.Fprintf(&in, "M 160000 %s %s\n", hash(1), path)
	case "040000":
		fmt.Fprintf(&in, "M 100644 inline %s/x\ndata 2\nx\n\n", path)
	default:
		fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", mode, path, len(content), content)
	}
	cmd := exec.Command("git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Stdin = r.URL, &in
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// A directory, a submodule or a file that is too large costs no run. It stays, and its path is named.
func TestADirectoryInPlaceOfAFileCostsNoRun(t *testing.T) {
	r := bare(t)
	publish(t, r, flagged(1, "1-1"))
	git(t, r.URL, "branch", "whole", Branch)
	run := flagged(2, "2-1")
	again := flagged(1, "1-2")
	again.Path, again.TrendRuns = strings.Replace(again.Path, "-1-1.", "-1-2.", 1), []byte(`{"run":12}`+"\n")
	own, other := record.EventsPath(again.Path), record.EventsPath(flagged(1, "1-1").Path)
	for name, c := range map[string]struct {
		run        Run
		mode, path string
		bytes      int
		want       string
	}{
		"a chart of 257 MiB":                       {run, "100644", ChartPath, 257 << 20, "git: printed more than 256 MiB"},
		"a chart that is a directory":              {run, "040000", ChartPath, 0, "not a file: tree "},
		"a chart that is a submodule":              {run, "160000", ChartPath, 0, "not a file: commit "},
		"a submodule as events of another attempt": {again, "160000", other, 0, "not a file: commit "},
		"a directory in place of the events":       {again, "040000", own, 0, "not a file: tree "},
		"a submodule in place of the events":       {again, "160000", own, 0, "not a file: commit "},
	} {
		t.Run(name, func(t *testing.T) {
			if c.bytes > 0 && os.Getenv("FAIRSTREAM_LONG") == "" {
				t.Skip("takes half a minute")
			}
			git(t, r.URL, "update-ref", "refs/heads/"+Branch, "whole")
			put(t, r, c.mode, c.path, bytes.Repeat([]byte(" "), c.bytes))
			was := git(t, r.URL, "rev-parse", Branch+":"+c.path)
			_, err := r.Publish(t.Context(), c.run, func(string) {})
			var broken *Broken
			if !errors.As(err, &broken) || broken.Path != c.path || !strings.Contains(err.Error(), c.path+" on gh-pages: "+c.want) {
				t.Errorf("error %v; want %s", err, c.want)
			}
			if got := show(t, r, c.run.Path); got+"\n" != string(c.run.TrendRuns) {
				t.Errorf("the run is %q", got)
			}
			if is := git(t, r.URL, "rev-parse", Branch+":"+c.path); is != was {
				t.Errorf("it was replaced: %s, was %s", is, was)
			}
			if c.path == ChartPath {
				if _, err := r.Chart(t.Context()); !errors.As(err, &broken) {
					t.Errorf("reading the chart: %v", err)
				}
			}
		})
	}
}
