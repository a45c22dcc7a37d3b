package record

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
)

func TestDetailsAreReadBack(t *testing.T) {
	_, details, _, err := FromRaw("testdata/mixed")
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := WriteDetails(&text, details); err != nil {
		t.Fatal(err)
	}
	read, err := ReadDetails(bytes.NewReader(text.Bytes()))
	if err != nil || !reflect.DeepEqual(read, details) {
		t.Errorf("details read back differ from those written: %v", err)
	}
	stress := details[1]
	var names []string
	for _, l := range stress.Timelines {
		names = append(names, l.Process)
		if n := len(l.Second); n == 0 || len(l.CPUPct) != n || len(l.RSSBytes) != n || !slices.IsSorted(l.Second) {
			t.Errorf("%s: seconds %v, %d and %d values", l.Process, l.Second, len(l.CPUPct), len(l.RSSBytes))
		}
	}
	if got := strings.Join(names, " "); got != "k6 stub all-fail go-http tenth-fails" {
		t.Errorf("timelines of %s", got)
	}
	if len(stress.Turns) != 16 || stress.Turns[0].Plateau != raw.WarmUp || stress.Turns[0].BeginMS != 0 || len(stress.Durations) != 12 {
		t.Errorf("%d turns, the first %+v, and %d durations", len(stress.Turns), stress.Turns[0], len(stress.Durations))
	}
	for edit, want := range map[[2]string]string{
		{`"schema":6`, `"schema":3`}:              "line 1: schema 3; this tool reads schema 6",
		{`"schema":6`, `"schema":7,"mood":"new"`}: "line 1: schema 7; this tool reads schema 6",
		{`"round":`, `"rnd":`}:                    "line 1: json: unknown field",
		{"}\n", "}{}\n"}:                          "line 1: text after the JSON",
	} {
		if _, err := ReadDetails(strings.NewReader(strings.Replace(text.String(), edit[0], edit[1], 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", edit[1], err, want)
		}
	}
}
