package relay

import (
	"encoding/json"
	"strings"
	"testing"

	"fairstream/stub/common"
)

// isError fails the test unless the next answer is an error in the form of the
// OpenAI API, with exactly its four keys, whose message holds want.
func (c *client) isError(status int, want string) {
	c.t.Helper()
	r, body := c.receive()
	if r.StatusCode != status || r.Header.Get("Content-Type") != "application/json" {
		c.t.Fatalf("status %d, header %v, want %d: %s", r.StatusCode, r.Header, status, body)
	}
	var whole map[string]map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &whole); err != nil {
		c.t.Fatalf("%v: %s", err, body)
	}
	e := whole["error"]
	if len(whole) != 1 || len(e) != 4 || string(e["type"]) != `"invalid_request_error"` ||
		string(e["param"]) != "null" || string(e["code"]) != "null" {
		c.t.Errorf("not the form of the OpenAI API: %s", body)
	}
	var message string
	if err := json.Unmarshal(e["message"], &message); err != nil || !strings.Contains(message, want) {
		c.t.Errorf("message %q, want %q", message, want)
	}
}

func TestBadChatRequestsGetAnOpenAIErrorAndKeepTheConnection(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	cases := []struct{ body, want string }{
		{"", "request body: unexpected end of JSON input"},
		{"tokens please", "request body: invalid character"},
		{chatBody("hello", false) + "{}", "request body: invalid character"},
		{`{"stream":true,"messages":"hello"}`, "request body: json: cannot unmarshal string"},
		{`{"messages":[{"role":"user","content":"hello"}]}`, `want "stream": true`},
		{`{"stream":false,"messages":[{"role":"user","content":"hello"}]}`, `want "stream": true`},
		{`{"stream":true,"messages":[]}`, `no message with role "user"`},
		{`{"stream":true,"messages":[{"role":"system","content":"hello"}]}`, `no message with role "user"`},
		{chatBody("@speed=3", false), "directive @speed: " + wantKnown},
		{chatBody("@itl=soon", false), "directive @itl=soon: " + wantWait},
	}
	for _, tc := range cases {
		c.write(post(tc.body))
		c.isError(400, tc.want)
	}
	if events := c.ask(chatBody("@tokens=1 @itl=0s", false)); len(events) != 4 {
		t.Errorf("%d events after the errors, want 4", len(events))
	}
}

func TestUnknownPathsAndMethodsAreNotFound(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	for _, line := range []string{
		"GET /", "GET /v1/chat/completions", "POST /v1/completions", "POST /healthz", "POST /journal/x", "GET /stats/",
	} {
		c.write(line + " HTTP/1.1\r\nHost: stub\r\n\r\n")
		c.isError(404, "no "+line+" here")
	}
}

func TestServerErrorsSayThatTheyAreTheServers(t *testing.T) {
	r := &recorder{}
	(&common.Conn{Conn: r}).Fail(503, "overloaded")
	want := "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: 81\r\n\r\n" +
		`{"error":{"code":null,"message":"overloaded","param":null,"type":"server_error"}}`
	if len(r.writes) != 1 || r.writes[0] != want {
		t.Errorf("got %q, want %q", r.writes, want)
	}
}
