package server

import (
	"slices"
	"testing"
)

// A file cannot drop, replace or outweigh a request in silence. Another way to write the same is no change.
func TestDifferencesOfTwoFiles(t *testing.T) {
	const base = `{"path": "/list"}, {"name": "one", "path": "/{id}", "values": {"id": {"pick": [1, 2]}}, "answer": {"json": {"a": 1}}}, {"method": "POST", "path": "/list"}`
	for name, c := range map[string]struct {
		head                    string
		dropped, added, changed []string
	}{
		"the same":          {base, nil, nil, nil},
		"all weights alike": {`{"path": "/list", "weight": 5}, {"name": "one", "weight": 5, "path": "/{id}", "values": {"id": {"pick": [1, 2]}}, "answer": {"json": {"a":1}}}, {"method": "POST", "path": "/list", "weight": 5}`, nil, nil, nil},
		"dropped":           {`{"path": "/list"}`, []string{"one", "POST /list"}, nil, nil},
		"added, and heavy":  {base + `, {"path": "/health", "weight": 100}`, nil, []string{"GET /health"}, nil},
		"reweighed":         {`{"path": "/list", "weight": 9}, {"name": "one", "path": "/{id}", "values": {"id": {"pick": [1, 2]}}, "answer": {"json": {"a": 1}}}, {"method": "POST", "path": "/list"}`, nil, nil, []string{"GET /list"}},
		"another path":      {`{"name": "one", "path": "/health"}, {"path": "/list"}, {"method": "POST", "path": "/list"}`, nil, nil, []string{"one"}},
		"an easier value":   {`{"path": "/list"}, {"name": "one", "path": "/{id}", "values": {"id": {"pick": [1]}}, "answer": {"json": {"a": 1}}}, {"method": "POST", "path": "/list"}`, nil, nil, []string{"one"}},
		"another answer":    {`{"path": "/list", "answer": {"status": 204}}, {"name": "one", "path": "/{id}", "values": {"id": {"pick": [1, 2]}}}, {"method": "POST", "path": "/list"}`, nil, nil, []string{"GET /list", "one"}},
	} {
		dropped, added, changed := Differ(parsed(t, `{"requests": [`+base+`], "ready": "/"}`), parsed(t, `{"requests": [`+c.head+`], "ready": "/"}`))
		if !slices.Equal(dropped, c.dropped) || !slices.Equal(added, c.added) || !slices.Equal(changed, c.changed) {
			t.Errorf("%s: dropped %q, added %q, changed %q; want %q, %q, %q", name, dropped, added, changed, c.dropped, c.added, c.changed)
		}
	}
}
