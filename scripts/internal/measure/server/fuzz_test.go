package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func FuzzAnAcceptedManifestIsComplete(f *testing.F) {
	for _, seed := range []string{good, "", "{}", "null", "[]", good + "{}", without("run"), with("build", `[""]`), with("versions", `{"": [""]}`), with("run", "\n5"), "{\"x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := decode(data)
		if err != nil {
			var line int
			lines := 1 + strings.Count(string(data), "\n")
			if _, serr := fmt.Sscanf(err.Error(), "line %d:", &line); serr == nil && (line < 1 || line > lines) {
				t.Errorf("%v; the file has %d lines", err, lines)
			}
			return
		}
		var keys map[string]any
		if err := json.Unmarshal(data, &keys); err != nil {
			t.Fatalf("accepted, but %v", err)
		}
		for _, key := range []string{"workload", "language", "framework", "build", "run", "versions"} {
			if keys[key] == nil {
				t.Errorf("accepted without %s", key)
			}
		}
		if got.Workload == "" || got.Language == "" || got.Framework == "" || len(got.Build) == 0 || len(got.Run) == 0 || len(got.Versions) == 0 {
			t.Errorf("accepted with an empty key: %+v", got)
		}
		for component, argv := range got.Versions {
			if len(argv) == 0 {
				t.Errorf("accepted with an empty command for %q", component)
			}
		}
	})
}
