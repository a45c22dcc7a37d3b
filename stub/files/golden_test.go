package files

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestWholeAnswerIsTheGoldenBytes(t *testing.T) {
	for name, request := range map[string]string{
		"plain":    "GET /files/40-1",
		"empty":    "GET /files/0-1",
		"types":    "GET /files/10-2,type=unknown",
		"chunked":  "GET /files/40-1,chunked,piece=16",
		"trailers": "GET /files/20-1,trailers",
		"close":    "GET /files/20-1,close",
		"pieces":   "GET /files/40-1,piece=16",
		"none":     "GET /files/40-1,status=404",
		"head":     "HEAD /files/8k-1,type=png",
		"no-head":  "HEAD /files/8k-1,status=404",
	} {
		t.Run(name, func(t *testing.T) {
			_, addr := start(t)
			c := dial(t, addr)
			if _, err := fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: stub\r\nConnection: close\r\n\r\n", request); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(c)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("got:\n%q\nwant:\n%q", got, want)
			}
		})
	}
}
