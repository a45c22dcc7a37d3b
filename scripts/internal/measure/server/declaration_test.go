package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fairstream/k6/shared/request"
)

// numbers are 1 to n, between commas.
func numbers(n int) string {
	var all []string
	for i := range n {
		all = append(all, strconv.Itoa(i+1))
	}
	return strings.Join(all, ", ")
}

// A text may have the name of a key, and a picked value may have braces.
func TestTextsAreNotReadAsKeys(t *testing.T) {
	d := parsed(t, `{"requests": [{"path": "/{a}{b}", "json": {"weight": 5}, "values": {"a": {"pick": ["{b}"]}, "b": {"pick": ["{a}"]}}}]}`)
	if got := d.Exchanges(); d.Requests[0].Weight != 1 || len(got) != 1 || got[0].Path != "/%7Bb%7D%7Ba%7D" {
		t.Errorf("weight %d, %+v", d.Requests[0].Weight, got)
	}
}

// parse reads a file that has only the keys of this package.
func parse(t *testing.T, text string) (Declaration, error) {
	t.Helper()
	var k Keys
	if err := json.Unmarshal([]byte(text), &k); err != nil {
		t.Fatal(text, err)
	}
	return ParseDeclaration(k)
}

func parsed(t *testing.T, text string) Declaration {
	t.Helper()
	d, err := parse(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestWhatEachKeyMeans(t *testing.T) {
	d := parsed(t, `{
		"requests": [
			{"path": "/items/{id}?q={q}", "weight": 3, "values": {"id": {"pick": [1, "a b"]}, "q": {"pick": ["x&y"]}},
				"headers": {"X-Id": "{id}"}, "answer": {"headers": {"Content-Type": ["a", "b"]}, "json": {"id": "{id}", "text": "no {id}"}}},
			{"name": "add", "method": "POST", "path": "/items", "json": {"n": "{n}", "plain": "{}"}, "values": {"n": {"pick": [7]}}, "answer": {"status": 201, "text": "{n}\n"}},
			{"method": "DELETE", "path": "/items", "body": "x", "answer": {"status": 204}}
		],
		"before": ["sh", "prepare.sh"], "env": {"WORKERS": "2"}, "margins": {"cpu_pct": 5, "latency_pct": 50}
	}`)
	if !slices.Equal(d.Before, []string{"sh", "prepare.sh"}) || !maps.Equal(d.Env, map[string]string{"WORKERS": "2"}) || !maps.Equal(d.Margins, map[string]float64{"cpu_pct": 5, "latency_pct": 50}) {
		t.Errorf("before %q, env %q, margins %v", d.Before, d.Env, d.Margins)
	}
	types := map[string]request.OneOf{"Content-Type": {"a", "b"}}
	exchange := func(of int, name, method, path string, headers map[string]string, body string, answer request.Answer) Exchange {
		return Exchange{of, request.Request{Name: name, Method: method, Path: path, Headers: headers, Body: body, Answer: answer}, ""}
	}
	value := func(text string) request.Answer {
		return request.Answer{Status: 200, Headers: types, JSON: json.RawMessage(text)}
	}
	want := []Exchange{
		exchange(0, "GET /items/{id}?q={q}", "GET", "/items/1?q=x%26y", map[string]string{"X-Id": "1"}, "", value(`{"id":1,"text":"no 1"}`)),
		exchange(0, "GET /items/{id}?q={q}", "GET", "/items/a%20b?q=x%26y", map[string]string{"X-Id": "a b"}, "", value(`{"id":"a b","text":"no a b"}`)),
		exchange(1, "add", "POST", "/items", map[string]string{"Content-Type": "application/json"}, `{"n":7,"plain":"{}"}`, request.Answer{Status: 201, Body: request.OneOf{"7\n"}}),
		exchange(2, "DELETE /items", "DELETE", "/items", nil, "x", request.Answer{Status: 204, AnyBody: true}),
	}
	if got := d.Exchanges(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if r := d.Ready; r.Path != "/items/1?q=x%26y" || r.Headers["X-Id"] != "1" || r.Answer.Status != 200 || r.Answer.JSON != nil {
		t.Errorf("ready: %+v", r)
	}
	if r := parsed(t, `{"requests": [{"path": "/"}], "ready": "/up"}`).Ready; r.Path != "/up" || r.Answer.Status != 200 {
		t.Errorf("ready: %+v", r)
	}
}

// Names are compared only among as many requests as a file may have. All of these have one name, so the first comparison
// would find it.
func TestTooManyRequestsAreCountedBeforeTheirNamesAreCompared(t *testing.T) {
	_, err := parse(t, `{"requests": [`+strings.Repeat(`{"path": "/"}, `, 57_999)+`{"path": "/"}]}`)
	if err == nil || !strings.HasPrefix(err.Error(), "requests: 58000 with all of their values; want at most 1000") {
		t.Errorf("%v", err)
	}
}

// Values are counted with their length before any is put in its place, since one text may have a name many times.
func TestRequestsThatWouldBeTooLargeAreNotMade(t *testing.T) {
	body := strings.Repeat("{a}", 10_000)
	for name, text := range map[string]string{
		"a long value, often":   `"body": "` + body + `", "values": {"a": {"pick": ["` + strings.Repeat("x", 10_000) + `"]}}`,
		"a long body, 900 ways": `"json": ["{a}", "` + strings.Repeat("x", 100_000) + `"], "values": {"a": {"pick": [` + numbers(900) + `]}}`,
		"a long answer":         `"answer": {"text": "{a}` + strings.Repeat("x", 100_000) + `"}, "values": {"a": {"pick": [` + numbers(900) + `]}}`,
	} {
		_, err := parse(t, `{"requests": [{"path": "/", `+text+`}]}`)
		if err == nil || !strings.Contains(err.Error(), "MiB with all of their values; want at most 64 MiB, since k6 keeps each in memory") {
			t.Errorf("%s: %v", name, err)
		}
	}
	parsed(t, `{"requests": [{"path": "/{a}", "json": "`+strings.Repeat("x", 10_000)+`", "values": {"a": {"pick": [`+numbers(900)+`]}}}]}`)
}

// Each value of a request is put into each of its exchanges once: the product of both, not its square.
func TestMostValuesOfMostNames(t *testing.T) {
	var path, values strings.Builder
	for i := range 40 {
		fmt.Fprintf(&path, "{v%d}", i)
		fmt.Fprintf(&values, `, "v%d": {"pick": [1]}`, i)
	}
	d := parsed(t, `{"requests": [{"path": "/{a}{b}`+path.String()+`", "values": {"a": {"pick": [1, 2]}, "b": {"pick": [`+numbers(500)+`]}`+values.String()+`}}]}`)
	all := d.Exchanges()
	if len(all) != 1000 || !strings.HasPrefix(all[0].Path, "/111") || !strings.HasPrefix(all[499].Path, "/15001") || !strings.HasPrefix(all[500].Path, "/211") {
		t.Errorf("%d requests, the first %.20s", len(all), all[0].Path)
	}
}

func TestDeclarationsThatCannotBe(t *testing.T) {
	const sum = "abababababababababababababababababababababababababababababababab"
	// one is a request with further keys, answer one with an answer, and beside a file with further keys.
	one := func(keys string) string { return `{"requests": [{"path": "/x", ` + keys + `}]}` }
	answer := func(keys string) string { return one(`"answer": {` + keys + `}`) }
	beside := func(keys string) string { return `{"requests": [{"path": "/x"}], ` + keys + `}` }
	many := `{"pick": [` + strings.TrimSuffix(strings.Repeat("1, ", 40), ", ") + `]}`
	for text, want := range map[string]string{
		`{}`:                 `key "requests" is missing or empty; want a list of requests, such as [{"path": "/"}]`,
		`{"requests": []}`:   `key "requests" is missing or empty`,
		`{"requests": {}}`:   `key "requests" is missing or empty`,
		`{"requests": [1]}`:  `requests: number 1: is a JSON number; want an object such as {"path": "/"}`,
		`{"requests": [{}]}`: `requests: number 1: key "path" is missing; want a path such as "/items/{id}"`,
		`{"requests": [{"path": "/"}, {"path": "/"}]}`: `requests: number 2 (GET /): another request has this name; want a "name" that no other has`,
		`{"requests": [{"path": "/", "methode": ""}]}`: `unknown key "methode"; a request has name, method`,
		`{"requests": [{"path": 7}]}`:                  `requests: number 1: "path" is a JSON number; want a text such as "/items/{id}"`,
		`{"requests": [{"path": "x"}]}`:                `path "x"; want a path that begins with a slash`,
		`{"requests": [{"path": "/a b"}]}`:             `write a space as %20`,
		`{"requests": [{"path": "/a#b"}]}`:             `without spaces and #`,
		`{"requests": [{"path": "/{id}"}]}`:            `path has {id}, and values has no id; want a value for it, or %7B for a brace`,
		one(`"method": "get"`):                         `requests: number 1 (get /x): method "get"; want GET, POST`,
		one(`"method": "CONNECT"`):                     `method "CONNECT"`,
		one(`"weight": 0`):                             `weight 0; want 1 to 100`,
		one(`"weight": 101`):                           `weight 101; want 1 to 100`,
		one(`"name": "a\n@everyone"`):                  `name "a\n@everyone"; want at most 60 letters`,
		`{"requests": [{"path": "/", "weight": 1, "body": "{a}", "values": {"a": {"pick": [` + numbers(901) + `]}}}, {"path": "/x", "weight": 100}, {"path": "/y", "weight": 100}]}`: `make a ring of 181101 requests; want at most 100000`,
		one(`"weight": 1.5`):                                                       `"weight" is a JSON number 1.5; want a whole number`,
		one(`"body": {}`):                                                          `"body" is a JSON object; want a text; "json" takes an object`,
		one(`"body": "x", "json": {}`):                                             `body and json: both are the body; want one of them`,
		one(`"headers": {"a b": "c"}`):                                             `headers: "a b" is not the name of a header; want letters, digits and any of`,
		one(`"headers": {"a\tb": "c"}`):                                            `headers: "a\tb" is not the name of a header`,
		one(`"headers": {"a\u0000": "c"}`):                                         `headers: "a\x00" is not the name of a header`,
		one(`"headers": {"\u00e9": "c"}`):                                          `headers: "é" is not the name of a header`,
		one(`"headers": {"": "c"}`):                                                `headers: "" is not the name of a header`,
		one(`"headers": {"a": "b\nc"}`):                                            `headers: a: "b\nc" has a control character; want one line of text`,
		one(`"headers": {"a": "\u0000"}`):                                          `headers: a: "\x00" has a control character`,
		one(`"headers": {"a": "\u007f"}`):                                          `headers: a: "\x7f" has a control character`,
		one(`"headers": {"X-Id": "1", "x-id": "2"}`):                               `headers: "X-Id" and "x-id" are the same header; want it once`,
		one(`"headers": {"a": "{v}"}, "values": {"v": {"pick": ["\u0001"]}}`):      `values: v: "\x01" has a control character; want texts of one line, and numbers`,
		one(`"headers": {"Host": "x"}`):                                            `headers: Host: the client sets it itself; leave it out`,
		one(`"values": {"id": {"pick": [1]}}`):                                     `values: id: nothing in the request or its answer has {id}; use it, or leave it out`,
		one(`"values": {"id": {"pick": []}}`):                                      `values: id: no value; want a list, such as {"pick": [1, 2, 3]}`,
		one(`"values": {"id": {"list": [1]}}`):                                     `unknown key "list"; a value has pick`,
		one(`"values": {"id": [1]}`):                                               `"values" is a JSON array; want an object such as {"id": {"pick": [1, 2, 3]}}`,
		one(`"values": {"i-d": {"pick": [1]}}`):                                    `values: "i-d"; want a name of letters, digits and _`,
		one(`"body": "{id}", "values": {"id": {"pick": [true]}}`):                  `values: id: true; want texts of one line, and numbers`,
		one(`"body": "{a}{b}", "values": {"a": ` + many + `, "b": ` + many + `}`):  `requests: 1001 with all of their values; want at most 1000`,
		answer(`"status": 100`):                                                    `answer: status 100; want 200 to 599`,
		answer(`"status": "200"`):                                                  `"answer.status" is a JSON string; want a whole number such as 200`,
		answer(`"text": "a", "json": {}`):                                          `answer: want at most one of text, json, sha256 and stream`,
		answer(`"status": 204, "text": ""`):                                        `answer: text, json, sha256 or stream of an answer that has no body; leave it out`,
		answer(`"stream": {"events": -1}`):                                         `answer: stream: -1 events; want 1 or more`,
		answer(`"stream": {"followers": 5}`):                                       `unknown key "followers"; a stream has events, last`,
		answer(`"stream": {"follows": false}`):                                     `unknown key "follows"; a stream has events, last`,
		answer(`"stream": {"count": "x"}`):                                         `unknown key "count"; a stream has events, last`,
		answer(`"headers": {"a": ["b", "\u0001"]}`):                                `answer: headers: a: "\x01" has a control character`,
		answer(`"headers": {"a": "1", "A": "1"}`):                                  `answer: headers: "A" and "a" are the same header; want it once`,
		answer(`"stream": true`):                                                   `"answer.stream" is a JSON bool; want an object such as {} or {"last": "[DONE]"}`,
		answer(`"sha256": "AB"`):                                                   `answer: sha256 "AB"; want 64 lower-case hexadecimal digits`,
		answer(`"json": null`):                                                     `answer: json null has nothing to compare`,
		answer(`"headers": {"a": 1}`):                                              `answer: 1: want a text, or a list of texts that are allowed`,
		answer(`"headers": {"a:": "1"}`):                                           `answer: headers: "a:" is not the name of a header`,
		answer(`"body": "x"`):                                                      `unknown key "body"; an answer has status, headers`,
		`{"requests": [{"path": "/x", "method": "HEAD", "answer": {"json": {}}}]}`: `of an answer that has no body`,
		`{"requests": [{"path": "/x", "method": "POST"}]}`:                         `key "ready" is missing, and no request is a GET; want a path`,
		beside(`"ready": "up"`):                                                    `key "ready" is "up"; want a path that answers 200`,
		beside(`"ready": 1`):                                                       `key "ready" is 1; want a path`,
		beside(`"before": "make"`):                                                 `key "before" is "make"; want a command as a list of words`,
		beside(`"before": []`):                                                     `key "before" is []; want a command`,
		beside(`"env": ["A=1"]`):                                                   `key "env" is ["A=1"]; want an object of names to texts, such as {"WORKERS": "2"}`,
		beside(`"env": {"A": 1}`):                                                  `key "env" is {"A":1}; want an object`,
		beside(`"env": {"A B": ""}`):                                               `env: "A B" is not the name of a variable`,
		beside(`"env": {"PORT": "80"}`):                                            `env: PORT: Fairstream sets it, since base and head run at the same time; read $PORT in the server`,
		beside(`"env": {"LD_PRELOAD": "x.so"}`):                                    `env: LD_PRELOAD: it decides which code runs, and that must be the program that was built`,
		beside(`"env": {"PATH": "."}`):                                             `env: PATH: it decides which code runs`,
		beside(`"margins": {"cpu": 5}`):                                            `margins: unknown key "cpu"; known are cpu_pct, latency_pct, memory_pct, throughput_pct`,
		beside(`"margins": {"cpu_pct": 0.5}`):                                      `margins: cpu_pct: 0.5 per cent; want 1 to 50`,
		beside(`"margins": {"cpu_pct": 51}`):                                       `margins: cpu_pct: 51 per cent; want 1 to 50`,
		beside(`"margins": 5`):                                                     `key "margins" is 5; want an object of names to per cent`,
		one(`"answer": {"text": "` + sum + `", "sha256": "` + sum + `"}`):          `at most one of`,
	} {
		if _, err := parse(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
	if _, err := parse(t, answer(`"sha256": "`+sum+`", "headers": {"etag": "x"}`)); err != nil {
		t.Error(err)
	}
}
