package relay

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"fairstream/stub/common"
)

// A chatRequest is the part of an OpenAI chat completion request that the stub reads. It ignores
// other fields, since the real API accepts many.
type chatRequest struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// A parsed is a request that was read, and the encoder of its answers. A repeated request reuses
// them, since reused memory is in the caches.
type parsed struct {
	chat         chatRequest
	promptTokens int
	script       script
	err          error
	encoder      encoder
}

// parse reads the body as a chat request, once.
func parse(r *common.Request) *parsed {
	if p, ok := r.Memo.(*parsed); ok {
		return p
	}
	p := &parsed{}
	p.chat, p.script, p.err = parseChat(r.Body)
	for _, m := range p.chat.Messages {
		p.promptTokens += len(strings.Fields(m.Content)) // each word counts as a token
	}
	r.Memo = p
	return p
}

// parseChat reads a request body and the script in its last user message.
func parseChat(body []byte) (chatRequest, script, error) {
	var chat chatRequest
	if err := json.Unmarshal(body, &chat); err != nil {
		return chat, script{}, fmt.Errorf("request body: %w", err)
	}
	if !chat.Stream {
		return chat, script{}, errors.New("request body: this model only streams; want \"stream\": true")
	}
	for i := len(chat.Messages) - 1; i >= 0; i-- {
		if chat.Messages[i].Role == "user" {
			s, err := parseScript(chat.Messages[i].Content)
			return chat, s, err
		}
	}
	return chat, script{}, errors.New("request body: no message with role \"user\"")
}
