package subset

import (
	"strings"
	"testing"
)

func TestMissing(t *testing.T) {
	for _, c := range []struct{ want, got, text string }{
		{`{}`, `{"a": 1}`, ""},
		{`{"a": 1}`, `{"b": 2, "a": 1}`, ""},
		{`{"a": {"b": [1, {"c": null}]}}`, `{"a": {"b": [1, {"c": null, "d": 3}], "e": 4}}`, ""},
		{`{"a": 1}`, `{"b": 1}`, "a is missing"},
		{`{"a": null}`, `{}`, "a is missing"},
		{`{"a": {"b": true}}`, `{"a": {"b": false}}`, "a.b is false; want true"},
		{`{"a": {"b": 1}}`, `{"a": 1}`, `a is 1; want {"b":1}`},
		{`[1, 2]`, `[1, 2, 3]`, "the value has 3 elements; want 2"},
		{`[]`, `{}`, "the value is {}; want []"},
		{`[{"a": "x"}]`, `[{"a": "y"}]`, `[0].a is "y"; want "x"`},
		{`1`, `1.0`, ""},
		{`100`, `1e2`, ""},
		{`1`, `"1"`, `the value is "1"; want 1`},
		{`null`, `null`, ""},
		{`""`, `null`, `the value is null; want ""`},
		// A float would have the same value.
		{`9007199254740993`, `9007199254740992`, "the value is 9007199254740992; want 9007199254740993"},
		{`1`, `"` + strings.Repeat("x", 100) + `"`, `the value is "` + strings.Repeat("x", 59) + `...; want 1`},
	} {
		want, err := Decode([]byte(c.want))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode([]byte(c.got))
		if err != nil {
			t.Fatal(err)
		}
		if text := Missing(want, got); text != c.text {
			t.Errorf("%s in %s: %q; want %q", c.want, c.got, text, c.text)
		}
	}
}

func TestDecodeWantsOneValue(t *testing.T) {
	for text, want := range map[string]string{"": "EOF", "{": "unexpected EOF", "{} {}": "text after the JSON value", "hello": "invalid character"} {
		if _, err := Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
	if _, err := Decode([]byte(" {} \n")); err != nil {
		t.Error(err)
	}
}
