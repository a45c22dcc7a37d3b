package relay

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The masks keep the length, so that the golden files hold true chunk sizes.
var (
	createdForm = regexp.MustCompile(`"created":\d{10},`)
	stampForm   = regexp.MustCompile(`("content":"\d+:)[0-9a-z]{12}([. ])`)
)

func mask(b []byte) string {
	b = createdForm.ReplaceAll(b, []byte(`"created":`+strings.Repeat("C", 10)+`,`))
	return string(stampForm.ReplaceAll(b, []byte(`${1}`+strings.Repeat("T", 12)+`${2}`)))
}

func TestWholeAnswerIsTheGoldenBytes(t *testing.T) {
	cases := []struct {
		name    string
		message string
		usage   bool
	}{
		{"plain", "Hello! @tokens=3 @itl=0s", false},
		{"usage", "Hello! @tokens=2 @itl=0s @size=32 @id=golden-1", true},
		{"empty", "Hello! @tokens=0 @itl=0s", false},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			_, addr := start(t)
			c := dial(t, addr)
			c.write(post(chatBody(tc.message, tc.usage), "Connection: close"))
			raw, err := io.ReadAll(c)
			if err != nil {
				t.Fatal(err)
			}
			got := mask(raw)

			path := filepath.Join("testdata", tc.name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got:\n%q\nwant:\n%q", got, want)
			}
		})
	}
}
