package request

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"fairstream/k6/shared/strict"
)

// A ring is read as it was written. Absent keys stay absent, since most requests have few.
func TestARingIsReadAsItWasWritten(t *testing.T) {
	empty := ""
	for want, ring := range map[string]Ring{
		`{"requests":[{"path":"/","answer":{"any_body":true}}],"order":[0,0]}`: {Requests: []Request{{Path: "/", Answer: Answer{AnyBody: true}}}, Order: []int{0, 0}},
		`{"requests":[{"path":"","answer":{"body":""}},{"path":"","answer":{"body_base64":""}}],"order":null}`: {
			Requests: []Request{{Answer: Answer{Body: OneOf{""}}}, {Answer: Answer{Base64: &empty}}}},
		`{"requests":[{"name":"n","method":"POST","path":"/x","paths":{"direct":"/y"},"headers":{"a":"b"},"body":"z","answer":{"status":201,"headers":{"c":["d","e"],"f":"g"},"json":[0]}}],"order":null}`: {
			Requests: []Request{{"n", "POST", "/x", map[string]string{"direct": "/y"}, map[string]string{"a": "b"}, "z", Answer{Status: 201, Headers: map[string]OneOf{"c": {"d", "e"}, "f": {"g"}}, JSON: json.RawMessage("[0]")}}}},
	} {
		text, err := json.Marshal(ring)
		if err != nil || string(text) != want {
			t.Errorf("%v\ngot  %s\nwant %s", err, text, want)
		}
		var read Ring
		if err := strict.Decode(text, &read); err != nil || !reflect.DeepEqual(read, ring) {
			t.Errorf("%v\nread %+v\nfrom %+v", err, read, ring)
		}
	}
}

func TestWhatCannotBeSentOrCompared(t *testing.T) {
	for text, want := range map[string]string{
		`{"answer": {"body": "a"}}`:                           "",
		`{"method": "HEAD", "answer": {}}`:                    "",
		`{"method": "HEAD", "answer": {"body": ""}}`:          "",
		`{"method": "HEAD", "answer": {"body": "a"}}`:         "the answer to HEAD has none",
		`{"method": "get", "answer": {"body": "a"}}`:          `method "get"; want GET, POST`,
		`{"method": "CONNECT", "answer": {"body": "a"}}`:      `method "CONNECT"`,
		`{"headers": {"a:": "b"}, "answer": {"body": "a"}}`:   `headers: "a:": "b" is not a header line`,
		`{"headers": {"a": "b\n"}, "answer": {"body": "a"}}`:  "is not a header line",
		`{"headers": {"Host": "b"}, "answer": {"body": "a"}}`: "headers: Host: the client sets it itself; leave it out",
		`{"answer": {}}`: "answer: no body; want the expected one",
		`{"answer": {"json": 1, "any_body": true}}`: "want one of body, body_base64, json, any_body and stream",
		`{"answer": {"body": []}}`:                  "answer: []: want a text, or a list of texts that are allowed",
		`{"answer": {"headers": {"a": [1]}}}`:       "answer: [1]: want a text",
	} {
		var r Request
		err := strict.Decode([]byte(text), &r)
		if err == nil {
			err = r.Check()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}
