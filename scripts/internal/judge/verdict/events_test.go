package verdict

import (
	"strings"
	"testing"
)

func TestEventsAreReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		"[]": "",
		`[{"schema": 3, "verdict": "unchanged"}]`:               "",
		`[{"schema": 3}]`:                                       `events: number 1: verdict ""; want one of ["regressed" `,
		`[{"schema": 3, "verdict": "slower"}]`:                  `verdict "slower"; want`,
		`[{"schema": 3, "why": "<script>"}]`:                    `events: number 1: unknown field "why"`,
		`[{"schema": 3, "verdict": "improved"}, {"schema": 4}]`: "events: number 2: schema 4; this tool reads schema 3",
		`[{"schema": 4, "why": 7}]`:                             "events: number 1: schema 4; this tool reads schema 3",
		`[{"server": "go-http"}]`:                               "events: number 1: schema 0; this tool reads schema 3",
		`[{"schema": 3, "verdict": "identical"}] []`:            "invalid character '[' after top-level value",
		`[{"schema": 3}`:                                        "unexpected end of JSON input",
		"":                                                      "unexpected end of JSON input",
	} {
		if _, err := ReadEvents(strings.NewReader(text)); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
