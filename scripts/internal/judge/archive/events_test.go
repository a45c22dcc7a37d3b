package archive

import (
	"strings"
	"testing"
)

func TestEventsAreReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		"[]":                                 "",
		`[{"schema": 2}]`:                    "",
		`[{"schema": 2, "why": "<script>"}]`: `events: number 1: json: unknown field "why"`,
		`[{"schema": 2}, {"schema": 3}]`:     "events: number 2: schema 3; this tool reads schema 2",
		`[{"schema": 3, "why": 7}]`:          "events: number 1: schema 3; this tool reads schema 2",
		`[{"server": "go-http"}]`:            "events: number 1: schema 0; this tool reads schema 2",
		`[{"schema": 2}] []`:                 "invalid character '[' after top-level value",
		`[{"schema": 2}`:                     "unexpected end of JSON input",
		"":                                   "unexpected end of JSON input",
	} {
		if _, err := ReadEvents(strings.NewReader(text)); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
