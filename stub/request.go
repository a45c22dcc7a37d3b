package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// A chatRequest is the part of an OpenAI chat completion request that the stub
// reads; other fields are accepted and ignored, as the real API accepts many.
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

// maxBody bounds a request body, in bytes.
const maxBody = 64 << 20

// readBody reads a whole request body.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err == nil && len(body) > maxBody {
		err = fmt.Errorf("request body: more than %d bytes", maxBody)
	}
	return body, err
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
