package report

import (
	"bytes"
	"testing"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/show/svg"
	"fairstream/scripts/internal/testfile"
)

func TestAPictureOfTrials(t *testing.T) {
	trials := testfile.Read(t, "../../judge/prove/trials/2026-12.jsonl", prove.ReadTrials)
	var picture bytes.Buffer
	if err := WriteTrials(&picture, "svg", trials); err != nil {
		t.Fatal(err)
	}
	testfile.Elements(t, picture.String()) // it is XML
	for _, theme := range []svg.Theme{svg.Light, svg.Dark} {
		p, err := trialsPicture(trials)
		if err != nil {
			t.Fatal(err)
		}
		testfile.Check(t, "../../../../.github/proven-"+string(theme)+".svg", []byte(p.Alone(theme)))
	}
	if err := WriteTrials(&picture, "svg", nil); err == nil {
		t.Error("drawn of no trials")
	}
}
