package relay

import (
	"encoding/json"
	"fmt"
	"net"
	"testing"
	"time"

	"fairstream/stub/common"
)

// patience ends a test that hangs. No test passes or fails by being faster.
const patience = 2 * time.Minute

// start runs a stub until the test ends, and returns it with its address.
func start(t *testing.T) (*common.Server, string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return startOn(t, ln), ln.Addr().String()
}

func startOn(t *testing.T, ln net.Listener) *common.Server {
	s := common.NewServer(Routes)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Serve(ln) // until it is closed
	}()
	t.Cleanup(func() {
		ln.Close()
		<-ended
	})
	return s
}

// post renders a chat request; headers are whole lines without their ends.
func post(body string, headers ...string) string {
	head := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: stub\r\nContent-Length: %d\r\n", len(body))
	for _, h := range headers {
		head += h + "\r\n"
	}
	return head + "\r\n" + body
}

// chatBody renders a chat request body. With its system message the prompt has
// two words more than the user's message.
func chatBody(message string, usage bool) string {
	type object map[string]any
	body := object{
		"model":  `fake "1" <é>`,
		"stream": true,
		"messages": []object{
			{"role": "system", "content": "Be brief."},
			{"role": "user", "content": message},
		},
	}
	if usage {
		body["stream_options"] = object{"include_usage": true}
	}
	b, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still not so: %s", what)
		}
	}
}
