package artifact_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/branch"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

var (
	codeSpan = regexp.MustCompile("`[^`\n]+`")
	// The rest of a summary: our own words, names of the plan, tables.
	own = regexp.MustCompile(`^[A-Za-z0-9 \n#*|:;,.%/()+?=-]*$`)
)

// Each hostile artifact comes with an honest one. The hostile one reaches neither records nor points, and the
// summary only in code spans.
func TestNothingHostileReachesTheFilesOfCollect(t *testing.T) {
	for name, place := range artifact.HostileBesideGoGin() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			p, known := place(t, dir)
			result, err := artifact.Read(dir, p, known, artifact.This)
			if err != nil {
				t.Fatal(err)
			}
			all := result.All()
			for _, r := range append(all, result.Ranked()...) {
				if r.Server.Name != "go-gin" && r.Server.Name != raw.Direct {
					t.Errorf("a record of %s", r.Server.Name)
				}
			}
			bigger, smaller := branch.Points(all)
			for _, b := range append(bigger, smaller...) {
				if !strings.HasPrefix(b.Name, "relay/go-gin ") {
					t.Errorf("a point of %s", b.Name)
				}
			}
			var lines bytes.Buffer
			var summary strings.Builder
			if err := record.Write(&lines, all); err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(lines.String(), "\n"); n != len(all) {
				t.Errorf("%d lines of %d records", n, len(all))
			}
			if err := branch.Summary(&summary, p, result, ""); err != nil {
				t.Fatal(err)
			}
			if rest := codeSpan.ReplaceAllString(summary.String(), ""); !own.MatchString(rest) {
				t.Errorf("outside of code spans:\n%q", rest)
			}
			if len(result.Refused) == 0 || !strings.Contains(summary.String(), "Refused:\n\n- `") {
				t.Errorf("no word of what was refused:\n%s", summary.String())
			}
		})
	}
}
