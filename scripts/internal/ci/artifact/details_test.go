package artifact

import (
	"archive/zip"
	"strings"
	"testing"
)

// Details come with the records of a leaderboard run of the same attempt. Their faults do not affect the
// records.
func TestDetailsComeBesideRank(t *testing.T) {
	const good = `{"schema":3,"workload":"relay","k6_runs":[{"scenario":"stress","round":1,"levels":["warm-up","100"],"targets":["direct","go-gin"],` +
		`"slices":[[1,0,500,1,99.5]],"timelines":[{"process":"k6","first":1,"cpu_pct":[7,null],"rss_kib":[1024,null]}]}],` +
		`"distributions":[{"target":"go-gin","scenario":"stress-100","curves":{"stream":[2,20,10,30],"ttft":null,"itl":null,"token_delay":null}}]}`
	named := func(text string) []byte {
		return zipped(t, file{FileHeader: zip.FileHeader{Name: detailsMember}, text: text})
	}
	for name, c := range map[string]struct {
		attempt string
		zip     []byte
		want    string // of the reason why it is refused; "" is accepted
	}{
		"good":            {"2", named(good), ""},
		"another attempt": {"1", named(good), "-"},
		"no zip":          {"2", []byte("PK"), "not a readable zip file"},
		"another member":  {"2", zipped(t, file{text: good}), "want details.json"},
		"markup":          {"2", named(strings.Replace(good, `"process":"k6"`, `"process":"<img src=x>"`, 1)), "process \"<img src=x>\" is not in the records"},
		"another server":  {"2", named(strings.Replace(good, `"target":"go-gin"`, `"target":"go-evil"`, 1)), "target \"go-evil\""},
		"another level":   {"2", named(strings.Replace(good, `"100"`, `"400"`, 1)), "level \"400\""},
		"a key twice":     {"2", named(strings.Replace(good, `"round":1`, `"round":1,"round":2`, 1)), "is there twice"},
		"too deep":        {"2", named(strings.Replace(good, `[7,null]`, `[[[7]],null]`, 1)), "is a JSON array"},
		"contradiction":   {"2", named(strings.Replace(good, `[2,20,10,30]`, `[2,20,21,30]`, 1)), "is not between its least and its greatest"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "records-relay.leaderboard-2/a.zip", zipped(t, file{text: text(t, rounds(2, "go-gin", "go-http")...)}))
			write(t, dir, "records-relay.leaderboard.details-"+c.attempt+"/a.zip", c.zip)
			got, err := Read(dir, leaderboardPlan, known, Run{})
			if err != nil || len(got.Leaderboards["relay"]) != 18 {
				t.Fatalf("%v: %d records of leaderboard, want 18", err, len(got.Leaderboards["relay"]))
			}
			if (got.Details["relay"] != nil) != (c.want == "") {
				t.Errorf("details %v", got.Details)
			}
			if refused := c.want != "" && c.want != "-"; refused != (len(got.Refused) == 1) || refused && !strings.Contains(got.Refused[0].Why, c.want) {
				t.Errorf("refused %q, want %q", got.Refused, c.want)
			}
		})
	}
}

// Nobody can tell which of two is the real one.
func TestOfTwoDetailsNoneCounts(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "records-relay.leaderboard-2/a.zip", zipped(t, file{text: text(t, rounds(2, "go-gin", "go-http")...)}))
	write(t, dir, "records-relay.leaderboard.details-2/a.zip", zipped(t))
	write(t, dir, "records-relay.leaderboard.details-2/b.zip", zipped(t))
	got, err := Read(dir, leaderboardPlan, known, Run{})
	if err != nil || len(got.Leaderboards["relay"]) != 18 || len(got.Details) > 0 || len(got.Refused) != 2 {
		t.Fatalf("%v: %d records of leaderboard, details %v, refused %q; want 18, none, both", err, len(got.Leaderboards["relay"]), got.Details, got.Refused)
	}
	for _, r := range got.Refused {
		if r.Why != "2 artifacts have details of relay.leaderboard; want one" {
			t.Errorf("refused %q", r)
		}
	}
}
