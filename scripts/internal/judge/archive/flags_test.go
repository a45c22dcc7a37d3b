package archive

import (
	"strings"
	"testing"
)

func TestFlagsAreReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		"[]":                                 "",
		`[{"schema": 1}]`:                    "",
		`[{"schema": 1, "why": "<script>"}]`: `flags: number 1: json: unknown field "why"`,
		`[{"schema": 1}, {"schema": 2}]`:     "flags: number 2: schema 2; this tool reads schema 1",
		`[{"schema": 2, "why": 7}]`:          "flags: number 1: schema 2; this tool reads schema 1",
		`[{"server": "go-http"}]`:            "flags: number 1: schema 0; this tool reads schema 1",
		`[{"schema": 1}] []`:                 "invalid character '[' after top-level value",
		`[{"schema": 1}`:                     "unexpected end of JSON input",
		"":                                   "unexpected end of JSON input",
	} {
		if _, err := ReadFlags(strings.NewReader(text)); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
