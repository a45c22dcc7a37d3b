package details

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// A clock that is set back by more than had passed, in the middle of a load, leaves
// timelines that can be drawn.
func TestAClockThatIsSetBackIsNoEnd(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../judge/record/testdata/mixed")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "1/baseline", raw.PidstatFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The first second is that of the file; all after it are an hour earlier.
	set := strings.ReplaceAll(string(text), "\n179527062", "\n179526702")
	set = strings.ReplaceAll(set, "\n1795267020 ", "\n1795270620 ")
	if set == string(text) || !strings.Contains(set, "\n1795267021 ") {
		t.Fatal("the file has other seconds")
	}
	if err := os.WriteFile(path, []byte(set), 0o644); err != nil {
		t.Fatal(err)
	}
	_, all, _, err := record.FromRaw(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(&out, Of(all)); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(&out); err != nil {
		t.Error(err)
	}
}

// What no timeline can be made of is refused where it is read.
func TestTimelinesThatAreNone(t *testing.T) {
	line := func(timeline string) string {
		return `{"schema":6,"workload":"relay","run":"r","round":1,"scenario":"baseline","target":"","turns":[],"timelines":[` + timeline + `],"durations":[]}` + "\n"
	}
	for name, c := range map[string]struct{ timeline, want string }{
		"whole":              {`{"process":"a","second":[-1,3],"cpu_pct":[1,2],"rss_bytes":[1,2]}`, ""},
		"fewer values":       {`{"process":"a","second":[1,3],"cpu_pct":[1],"rss_bytes":[1,2]}`, `line 1: timeline of "a": 2 seconds, 1 of cpu_pct and 2 of rss_bytes`},
		"backwards":          {`{"process":"a","second":[3,1],"cpu_pct":[1,2],"rss_bytes":[1,2]}`, "second 1 follows 3"},
		"twice":              {`{"process":"a","second":[3,3],"cpu_pct":[1,2],"rss_bytes":[1,2]}`, "second 3 follows 3"},
		"years":              {`{"process":"a","second":[1,100000000],"cpu_pct":[1,2],"rss_bytes":[1,2]}`, "from second 1 to 100000000; want at most 604800"},
		"more than a number": {`{"process":"a","second":[-9223372036854775808,9223372036854775807],"cpu_pct":[1,2],"rss_bytes":[1,2]}`, "want at most 604800"},
	} {
		all, err := record.ReadDetails(strings.NewReader(line(c.timeline)))
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			Of(all)
		} else if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}
