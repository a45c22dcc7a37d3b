package report

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/svg"
	"fairstream/scripts/internal/testfile"
)

// The picture is drawn of a part of the published trials. With -update it is drawn
// anew of all of them, which takes a minute.
func TestAPictureOfTrials(t *testing.T) {
	trials := testfile.Read(t, "../../judge/prove/trials/2026-11.jsonl", prove.ReadTrials)
	if !testfile.Update() {
		trials = trials[:20]
		for _, t := range trials { // fewer cells are judged sooner
			for _, r := range t.Comparison.Rounds {
				maps.DeleteFunc(r.Cells, func(cell string, _ verdict.At) bool { return !strings.HasPrefix(cell, "steady ") })
			}
		}
	}
	var picture bytes.Buffer
	if err := WriteTrials(&picture, "svg", trials); err != nil {
		t.Fatal(err)
	}
	testfile.Elements(t, picture.String()) // it is XML
	if testfile.Update() {
		for _, theme := range []svg.Theme{svg.Light, svg.Dark} {
			p, err := trialsPicture(trials)
			if err != nil {
				t.Fatal(err)
			}
			testfile.Write(t, "../../../../.github/proven-"+string(theme)+".svg", p.Alone(theme))
		}
	}
	if err := WriteTrials(&picture, "svg", nil); err == nil {
		t.Error("drawn of no trials")
	}
}
