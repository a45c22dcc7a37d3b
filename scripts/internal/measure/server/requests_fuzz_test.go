package server

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Anybody's server.json is read. One that is accepted gives requests that can be sent and a ring within its limits.
func FuzzParseDeclaration(f *testing.F) {
	files, err := filepath.Glob("../../../../servers/*/*/server.json")
	if err != nil {
		f.Fatal(err)
	}
	seeds := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var k Keys
		if err := json.Unmarshal(text, &k); err == nil && k.Requests != nil {
			f.Add(text)
			seeds++
		}
	}
	if seeds == 0 {
		f.Fatal("no server declares requests")
	}
	f.Add([]byte(`{"requests": [{"path": "/{a}?{b}", "method": "PUT", "json": {"{a}": ["{b}"]}, "values": {"a": {"pick": [1, "\u00e9 %"]}, "b": {"pick": ["{a}"]}},
		"answer": {"status": 201, "headers": {"X": ["{a}", "b"]}, "json": ["{b}", null]}}], "ready": "/", "before": ["x"], "env": {"A": ""}, "margins": {"cpu_pct": 5}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var k Keys
		if json.Unmarshal(text, &k) != nil {
			return
		}
		d, err := ParseDeclaration(k)
		if err != nil {
			return
		}
		all := d.Exchanges()
		if len(all) == 0 || len(all) > mostExchanges || d.Ready.Method != "GET" {
			t.Fatalf("%d requests with their values, ready by %q", len(all), d.Ready.Method)
		}
		for _, e := range append(all, d.Ready) {
			if !pathForm.MatchString(e.Path) || e.Answer.Status < 200 || e.Answer.Status > 599 {
				t.Errorf("%s: path %q, status %d", e.Name, e.Path, e.Answer.Status)
			}
			for name, value := range e.Headers {
				if !tokenForm.MatchString(name) || control.MatchString(value) {
					t.Errorf("%s: header %q: %q would be several lines", e.Name, name, value)
				}
			}
			e.Differs(Recorded{Status: e.Answer.Status, Headers: map[string]string{}, Body: text})
		}
		if n := TrafficOf(d).places(); n < 1 || n > mostPlaces {
			t.Errorf("a ring of %d requests", n)
		}
	})
}
