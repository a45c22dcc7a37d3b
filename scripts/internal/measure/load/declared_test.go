package load

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/server"
)

func loadOf(t *testing.T, list string) server.Traffic {
	t.Helper()
	d, err := server.ParseDeclaration(server.Keys{Requests: json.RawMessage(list)})
	if err != nil {
		t.Fatal(err)
	}
	l := server.TrafficOf(d)
	for range l.Exchanges {
		l.Recorded = append(l.Recorded, server.Recorded{Status: 200, Body: []byte("recorded")})
	}
	return l
}

// Both sides of a server get the same ring, and direct those of all servers, with the answers that the stub gives.
func TestDeclaredRequestsAreInTheFileOfTargets(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	job := K6Command{
		Targets: []K6Target{{Name: "a@base"}, {Name: "a@head"}, {Name: "b@base"}, {Name: "b@head"}, {Name: "direct"}}, Seed: 3, LoadChange: raw.LoadChange{RatePerS: 500},
		Loads: map[string]server.Traffic{"a": loadOf(t, `[{"path": "/a"}, {"path": "/{x}", "values": {"x": {"pick": [1, 2]}}}]`), "b": loadOf(t, `[{"path": "/b"}]`)},
	}
	file, _, err := job.WriteTargets()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Rings map[string]struct {
			Requests []struct{ Path string }
			Order    []int
		}
		Answers []struct{ Body string }
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	paths := func(target string) (all []string) {
		for _, r := range got.Rings[target].Requests {
			all = append(all, r.Path)
		}
		return all
	}
	for target, want := range map[string][]string{
		"a@base": {"/a", "/1", "/2"}, "a@head": {"/a", "/1", "/2"}, "b@base": {"/b"}, "b@head": {"/b"},
		"direct": {"/answers/0", "/answers/1", "/answers/2", "/answers/3"},
	} {
		if !slices.Equal(paths(target), want) {
			t.Errorf("%s: %q; want %q", target, paths(target), want)
		}
	}
	if a, b := got.Rings["a@base"].Order, got.Rings["a@head"].Order; !reflect.DeepEqual(a, b) || len(a) != 4 {
		t.Errorf("orders %v and %v", a, b)
	}
	if len(got.Answers) != 4 || got.Answers[0].Body != "recorded" {
		t.Errorf("%+v", got.Answers)
	}
	if line := strings.Join(job.RunArgs(file), " "); !strings.Contains(line, "-e RATE_PER_S=500 ") {
		t.Error(line)
	}
	solo := K6Command{Targets: []K6Target{{Name: "direct"}}, Loads: job.Loads}
	if n := len(solo.given().Rings["direct"].Requests); n != 4 {
		t.Errorf("direct alone has %d requests; want those of both servers", n)
	}
}
