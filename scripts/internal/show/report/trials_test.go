package report

import (
	"bytes"
	"image/png"
	"maps"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/verdict"
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
	if err := WriteTrials(&picture, "png", trials); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(picture.Bytes())); err != nil {
		t.Error(err)
	}
	if testfile.Update() {
		testfile.Write(t, "../../../../.github/proven.png", picture.String())
	}
	if err := WriteTrials(&picture, "png", nil); err == nil {
		t.Error("drawn of no trials")
	}
}
