package files

import (
	"fmt"
	"strings"
	"testing"
)

type versioned struct {
	Schema int `json:"schema"`
	Figure int `json:"figure"`
}

func (versioned) Reads() int { return 2 }

func TestStrict(t *testing.T) {
	for text, want := range map[string]string{
		`{"schema":2,"figure":3}` + "\n":     "<nil>",
		`{"schema":2,"figures":3}`:           "unknown field",
		`{"schema":3,"figures":3}`:           "schema 3; this tool reads schema 2",
		`{"schema":1,"figure":[true]}`:       "schema 1; this tool reads schema 2",
		`{"schema":2,"figure":3,"figure":3}`: `key "figure" is there twice`,
		`{"schema":2,"Figure":3}`:            `unknown field "Figure"`,
		`{"schema":2,"figure":"3"}`:          `key "/figure" is a JSON string`,
		`[]`:                                 "the value is a JSON array",
		"{\"schema\":2,\"\xff\":3}":          "no JSON: invalid UTF-8",
		`{"schema":2,"figure":3}{}`:          "text after the JSON",
		`{"schema":2,"figure":3} and more`:   "text after the JSON",
		`{"schema":2,"figure":4}`:            "figure 4",
		`{"schema":2,`:                       "EOF",
		``:                                   "EOF",
	} {
		_, err := DecodeLine([]byte(text), func(v versioned) error {
			if v.Figure != 3 {
				return fmt.Errorf("figure %d", v.Figure)
			}
			return nil
		})
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}
