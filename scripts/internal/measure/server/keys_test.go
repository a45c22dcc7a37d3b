package server

import (
	"strings"
	"testing"
)

// encoding/json takes the last of two equal keys, and a key in another case. Another reader may take the other one.
func TestKeysAreThereOnceAndInLowerCase(t *testing.T) {
	own := func(request string) string {
		return strings.Replace(with("workload", `"`+declares(t)+`"`), "{", "{\n  \"requests\": [\n    "+request+"\n  ],", 1)
	}
	for name, c := range map[string]struct{ content, want string }{
		"twice":                {strings.Replace(good, "{", "{\n  \"run\": [\"x\"],", 1), `line 7: key "run" is there twice; want it once`},
		"twice, one escaped":   {strings.Replace(good, "{", "{\n  \"r\\u0075n\": [\"x\"],", 1), `line 7: key "run" is there twice; want it once`},
		"in capitals":          {strings.Replace(good, `"workload"`, `"WORKLOAD"`, 1), `line 2: key "WORKLOAD" is unknown; want "workload"`},
		"in capitals, besides": {strings.Replace(good, "{", "{\n  \"Language\": \"x\",", 1), `line 2: key "Language" is unknown; want "language"`},
		"a Kelvin sign":        {strings.Replace(good, `"workload"`, "\"wor\u212aload\"", 1), "line 2: key \"wor\u212aload\" is unknown; want \"workload\""},
		"a version twice":      {with("versions", "{\n    \"go\": [\"go\"], \"go\": [\"x\"]}"), `line 8: key "go" is there twice; want it once`},
		"in a request":         {own(`{"path": "/", "path": "/b"}`), `line 3: key "path" is there twice; want it once`},
		"a request's capitals": {own(`{"Path": "/"}`), `line 3: key "Path" is unknown; want "path"`},
		"an answer's capitals": {own(`{"path": "/", "answer": {"Status": 200}}`), `line 3: key "Status" is unknown; want "status"`},
		"a stream's capitals":  {own(`{"path": "/", "answer": {"stream": {"LAST": "x"}}}`), `line 3: key "LAST" is unknown; want "last"`},
		"a value's capitals":   {own(`{"path": "/{Id}", "values": {"Id": {"PICK": [1]}}}`), `line 3: key "PICK" is unknown; want "pick"`},
		"a header twice":       {own(`{"path": "/", "headers": {"a": "b", "a": "c"}}`), `line 3: key "a" is there twice; want it once`},
		"in a body":            {own(`{"path": "/", "method": "POST", "json": [{"n": 1, "n": 2}]}`), `line 3: key "n" is there twice; want it once`},
	} {
		t.Run(name, func(t *testing.T) { refused(t, "mine", c.content, c.want) })
	}
	free := own(`{"path": "/{Id}{id}", "json": {"Path": 1, "path": 2}, "headers": {"X-Id": "1"}, "answer": {"json": {"Status": 1}},
		"values": {"Id": {"pick": [1]}, "id": {"pick": [1e999]}}}`)
	if _, err := Load(server(t, "mine", free)); err != nil {
		t.Errorf("keys of any form: %v", err)
	}
	if _, err := Load(server(t, "mine", with("versions", `{"go": ["go"], "Go": ["x"]}`))); err != nil {
		t.Errorf("components whose names differ in case: %v", err)
	}
}
