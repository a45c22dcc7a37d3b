package strict

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDecodeWantsItsForm(t *testing.T) {
	for text, want := range map[string]string{
		"": "EOF", "{": "unexpected EOF", "hello": "invalid character", "{} {}": "text after the JSON value", "{} x": "text after the JSON value",
		`{"m": 1}`: `unknown field "m"`, `{"inner": {"m": 1}}`: `unknown field "m"`, `{"n": "1"}`: "cannot unmarshal string",
	} {
		var v struct {
			N     int
			Inner struct{ N int }
		}
		if err := Decode([]byte(text), &v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
	var v struct{ N any }
	if err := Decode([]byte(" {\"n\": 9007199254740993}\n"), &v); err != nil || v.N != json.Number("9007199254740993") {
		t.Errorf("%v, %v", v, err)
	}
}
