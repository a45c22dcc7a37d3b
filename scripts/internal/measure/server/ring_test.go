package server

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Places are by weight, each value has one at least, and the mix depends on the seed alone.
func TestARingHasRequestsByWeight(t *testing.T) {
	l := TrafficOf(parsed(t, `{"requests": [
		{"path": "/often", "weight": 3},
		{"path": "/{id}", "weight": 2, "values": {"id": {"pick": [1, 2, 3, 4, 5, 6, 7]}}}]}`))
	order := l.Order(1)
	places := map[string]int{}
	for _, i := range order {
		places[l.Exchanges[i].Path]++
	}
	if len(order) != 20 || places["/often"] != 12 {
		t.Errorf("%d places, %v; want 12 of 20 for /often", len(order), places)
	}
	for _, path := range []string{"/1", "/7"} {
		if n := places[path]; n != 1 && n != 2 {
			t.Errorf("%s has %d places; want 1 or 2 of 8", path, n)
		}
	}
	if !slices.Equal(order, l.Order(1)) || slices.Equal(order, l.Order(2)) || slices.IsSorted(order) {
		t.Errorf("order %v, then %v, and with another seed %v", order, l.Order(1), l.Order(2))
	}
}

// text is what k6 or the stub reads.
func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestWhatK6Gets(t *testing.T) {
	l := TrafficOf(parsed(t, `{"requests": [
		{"path": "/text", "answer": {"text": "hi", "headers": {"Content-Type": ["a", "b"], "Content-Length": "2"}}},
		{"path": "/json", "answer": {"json": {"id": 1}}},
		{"path": "/sum", "answer": {"sha256": "3f39d5c348e5b79d06e842c114e6cc571583bbf44e4b0ebfda1a01ec05745d43"}},
		{"path": "/any", "headers": {"a": "b"}},
		{"path": "/head", "method": "HEAD"}]}`))
	l.Recorded = []Recorded{{200, map[string]string{"content-type": "b", "content-length": "2", "date": "x"}, []byte("hi")}, {200, nil, []byte(`{"id": 1, "at": 2}`)}, {200, nil, []byte{0xff, 0}}, {200, nil, nil}, {200, nil, nil}}
	server := l.ToServer(1)
	want := []string{
		`{"name":"GET /text","method":"GET","path":"/text","answer":{"status":200,"headers":{"Content-Length":"2","Content-Type":["a","b"]},"body":"hi"}}`,
		`{"name":"GET /json","method":"GET","path":"/json","answer":{"status":200,"json":{"id":1}}}`,
		`{"name":"GET /sum","method":"GET","path":"/sum","answer":{"status":200,"body_base64":"/wA="}}`,
		`{"name":"GET /any","method":"GET","path":"/any","headers":{"a":"b"},"answer":{"status":200,"any_body":true}}`,
		`{"name":"HEAD /head","method":"HEAD","path":"/head","answer":{"status":200,"any_body":true}}`,
	}
	for i, r := range server.Requests {
		if got := text(t, r); got != want[i] {
			t.Errorf("got  %s\nwant %s", got, want[i])
		}
		if err := r.Check(); err != nil {
			t.Errorf("%s: k6 does not take it: %v", want[i], err)
		}
	}
	direct, answers := ToDirect([]Traffic{l, l}, 1)
	if len(direct.Requests) != 10 || len(answers) != 10 || len(direct.Order) != 2*len(server.Order) || slices.Max(direct.Order) != 9 {
		t.Errorf("%d requests, %d answers, order %v", len(direct.Requests), len(answers), direct.Order)
	}
	// The stub answers the recorded body with one of the allowed headers, and k6 compares every byte.
	if got, want := text(t, direct.Requests[5]), `{"method":"GET","path":"/answers/5","answer":{"status":200,"headers":{"Content-Type":"b"},"body":"hi"}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := text(t, answers[1]), `{"status":200,"body":"{\"id\": 1, \"at\": 2}"}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDiffers(t *testing.T) {
	e := func(answer string) Exchange {
		return parsed(t, `{"requests": [{"path": "/", "answer": `+answer+`}]}`).Exchanges()[0]
	}
	got := Recorded{200, map[string]string{"content-type": "text/plain"}, []byte("hello")}
	events := Recorded{200, map[string]string{"content-type": "text/event-stream"}, []byte("data: a\n\ndata: [DONE]\n\n")}
	value := Recorded{200, nil, []byte(`{"id": 1}`)}
	for _, c := range []struct {
		answer string
		got    Recorded
		want   string
	}{
		{`{}`, got, ""},
		{`{"status": 201}`, got, `status 200: "hello"; want 201`},
		{`{"headers": {"Content-Type": ["a", "text/plain"]}}`, got, ""},
		{`{"headers": {"Content-Type": "a"}}`, got, `header Content-Type is "text/plain"; want ["a"]`},
		{`{"headers": {"ETag": "a"}}`, got, `header ETag is missing; want [a]`},
		{`{"text": "hello"}`, got, ""},
		{`{"text": "help"}`, got, `the body has 5 bytes and differs at byte 3: "lo"; want 4 bytes with "p" there`},
		{`{"text": "hello!"}`, got, `differs at byte 5: ""; want 6 bytes with "!" there`},
		{`{"text": ""}`, got, `want 0 bytes`},
		{`{"sha256": "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"}`, got, ""},
		{`{"sha256": "3cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"}`, got, `the body has 5 bytes with sha256 2cf24dba`},
		{`{"json": {}}`, got, `the body is not JSON: invalid character 'h'`},
		{`{"json": {"id": 1}}`, value, ""},
		{`{"json": {"id": 2}}`, value, "JSON of the body: id is 1; want 2"},
		{`{"stream": {}}`, events, ""},
		{`{"stream": {"events": 2, "last": "[DONE]"}}`, events, ""},
		{`{"stream": {"events": 3}}`, events, "the body has 2 events; want 3"},
		{`{"stream": {"last": "end"}}`, events, `the last of 2 events does not begin with "end"`},
		{`{"stream": {}}`, got, `header content-type is "text/plain"; want text/event-stream`},
		{`{"json": {}}`, Recorded{200, nil, []byte(`{"a": "` + strings.Repeat("x", 1<<20) + `"}`)}, "want at most 1048576 of a body that is compared as JSON"},
	} {
		if text := e(c.answer).Differs(c.got); text != c.want && (c.want == "" || !strings.Contains(text, c.want)) {
			t.Errorf("%s: %q; want %q", c.answer, text, c.want)
		}
	}
}
