package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A chatRequest is the part of a chat completion request that the stub reads. It ignores other fields, since the real
// API accepts many.
type chatRequest struct {
	Model         string    `json:"model"`
	Stream        bool      `json:"stream"`
	Messages      []message `json:"messages"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Tools []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
	// Parallel says whether a turn may call several tools. Nil is yes.
	Parallel *bool `json:"parallel_tool_calls"`
}

// A message is one of a conversation.
type message struct {
	Role       string     `json:"role"`
	Content    content    `json:"content"`
	ToolCalls  []toolCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"` // of the call that a tool's message answers
}

// A toolCall asks the server to call a tool. Arguments is JSON in a string.
type toolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Content is null, a text, or a list of parts. The texts of parts belong together.
type content struct {
	text   string
	images int
}

// UnmarshalJSON reads each of the three forms.
func (c *content) UnmarshalJSON(data []byte) error {
	*c = content{}
	if data[0] != '[' {
		return json.Unmarshal(data, &c.text) // null leaves ""
	}
	var parts []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		ImageURL struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	var text strings.Builder
	for i, p := range parts {
		switch p.Type {
		case "text":
			text.WriteString(p.Text)
		case "image_url":
			if !strings.HasPrefix(p.ImageURL.URL, "data:image/") {
				return fmt.Errorf("part %d: image_url.url begins with %.20q; want data:image/", i, p.ImageURL.URL)
			}
			c.images++
		default:
			return fmt.Errorf("part %d: type %q; want text or image_url", i, p.Type)
		}
	}
	c.text = text.String()
	return nil
}

// parseChat reads the body of a request.
func parseChat(body []byte) (r chatRequest, err error) {
	if err := json.Unmarshal(body, &r); err != nil {
		return r, fmt.Errorf("request body: %w", err)
	}
	if r.Model == "" {
		return r, errors.New("request body: no model")
	}
	return r, nil
}

// offers reports whether the server can call a tool.
func (r chatRequest) offers(tool string) bool {
	for _, t := range r.Tools {
		if t.Function.Name == tool {
			return true
		}
	}
	return false
}

// words counts those of all texts. Each counts as a token of the prompt.
func (r chatRequest) words() (n int) {
	for _, m := range r.Messages {
		n += len(strings.Fields(m.Content.text))
	}
	return n
}
