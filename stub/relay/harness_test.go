package relay

import (
	"encoding/json"
	"fmt"
	"testing"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
)

func start(t *testing.T) (*common.Server, string) { return stubtest.Start(t, Routes) }

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
