package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"golang.org/x/sync/errgroup"
)

// An agent is a conversation with the model: that of the run, or one that the model delegates.
type agent struct {
	*run
	ctx      context.Context // ends with the run, or when another call of the same turn fails
	call     string          // id of the call of delegate; "" is the run's own
	messages []json.RawMessage
}

// said is a message of the model.
type said struct {
	Role    string     `json:"role"`
	Content *string    `json:"content"`
	Calls   []toolCall `json:"tool_calls,omitempty"`
	Images  []image    `json:"images,omitempty"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type image struct {
	Type     string `json:"type"`
	ImageURL struct {
		URL string `json:"url"`
	} `json:"image_url"`
}

// of is the part of an event's data that says which agent it belongs to.
type of struct {
	Agent string `json:"agent,omitempty"`
}

const maxTurns = 16

// loop asks the model and calls tools until the model stops. It returns the last text.
func (a *agent) loop() (string, error) {
	for range maxTurns {
		m, err := a.ask()
		if err != nil {
			return "", err
		}
		results, err := a.callTools(m.Calls)
		if err != nil {
			return "", err
		}
		text, err := json.Marshal(m)
		if err != nil {
			return "", err
		}
		turn := append([]json.RawMessage{text}, results...)
		if a.call == "" {
			if err := a.keep(turn); err != nil {
				return "", err
			}
		}
		a.messages = append(a.messages, turn...)
		if len(m.Calls) == 0 {
			if m.Content == nil {
				return "", nil
			}
			return *m.Content, nil
		}
	}
	return "", fmt.Errorf("the model has not stopped after %d turns", maxTurns)
}

// keep stores a turn, and announces it.
func (a *agent) keep(turn []json.RawMessage) error {
	all := make([][]byte, len(turn))
	for i, m := range turn {
		all[i] = m
	}
	ids, err := a.store(a.thread, all...)
	if err != nil {
		return err
	}
	for i, id := range ids {
		role := "tool"
		if i == 0 {
			role = "assistant"
		}
		if err := a.emit("stored", stored{id, role}); err != nil {
			return err
		}
	}
	return nil
}

// Tools that the model may call. An agent that was delegated cannot delegate.
const (
	lookup   = `{"type":"function","function":{"name":"lookup","description":"Looks something up.","parameters":{"type":"object"}}}`
	delegate = `{"type":"function","function":{"name":"delegate","description":"Lets an agent do a task.","parameters":{"type":"object","properties":{"task":{"type":"string"}},"required":["task"]}}}`
)

// ask sends the conversation to the model, and passes on what it says.
func (a *agent) ask() (m said, err error) {
	tools := []json.RawMessage{json.RawMessage(lookup)}
	if a.call == "" {
		tools = append(tools, json.RawMessage(delegate))
	}
	body, err := json.Marshal(map[string]any{"model": "stub", "stream": true, "messages": a.messages, "tools": tools})
	if err != nil {
		return m, err
	}
	resp, err := a.request(a.ctx, a.model, body)
	if err != nil {
		return m, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 1000)) // only for the message
		return m, fmt.Errorf("model: %s: %s", resp.Status, text)
	}
	m.Role = "assistant"
	var content strings.Builder
	for lines := bufio.NewReader(resp.Body); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return m, fmt.Errorf("model: the answer breaks off: %w", err)
		}
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok {
			continue
		}
		if bytes.HasPrefix(data, []byte("[DONE]")) {
			if len(m.Calls) == 0 {
				text := content.String()
				m.Content = &text
			}
			io.Copy(io.Discard, lines) // so that the connection can be used again
			return m, nil
		}
		if err := a.hear(&m, &content, data); err != nil {
			return m, err
		}
	}
}

// hear adds a chunk to a message.
func (a *agent) hear(m *said, content *strings.Builder, data []byte) error {
	var chunk struct {
		Choices []struct {
			Delta struct {
				Content string
				Images  []image
				Calls   []struct {
					Index int
					toolCall
				} `json:"tool_calls"`
			}
		}
	}
	if err := json.Unmarshal(data, &chunk); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	for _, choice := range chunk.Choices {
		if text := choice.Delta.Content; text != "" {
			content.WriteString(text)
			if err := a.emit("token", struct {
				Text string `json:"text"`
				of
			}{text, of{a.call}}); err != nil {
				return err
			}
		}
		for _, i := range choice.Delta.Images {
			m.Images = append(m.Images, i)
			if err := a.emit("image", struct {
				URL string `json:"url"`
				of
			}{i.ImageURL.URL, of{a.call}}); err != nil {
				return err
			}
		}
		for _, part := range choice.Delta.Calls {
			if part.Index == len(m.Calls) {
				m.Calls = append(m.Calls, part.toolCall)
				continue
			}
			if part.Index > len(m.Calls) {
				return errors.New("model: a part of a call that has not begun")
			}
			m.Calls[part.Index].Function.Arguments += part.Function.Arguments
		}
	}
	return nil
}

// callTools calls all tools of a turn at once, and returns their messages in the order of the calls. The first error ends
// all of them.
func (a *agent) callTools(calls []toolCall) ([]json.RawMessage, error) {
	results := make([]json.RawMessage, len(calls))
	all, ctx := errgroup.WithContext(a.ctx)
	for i, c := range calls {
		all.Go(func() error {
			text, err := a.callTool(ctx, c)
			if err != nil {
				return err
			}
			results[i], err = json.Marshal(map[string]string{"role": "tool", "tool_call_id": c.ID, "content": text})
			return err
		})
	}
	return results, all.Wait()
}

func (a *agent) callTool(ctx context.Context, c toolCall) (string, error) {
	if c.Function.Name == "delegate" && a.call == "" {
		return a.delegate(ctx, c)
	}
	if err := a.emit("tool_started", struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		of
	}{c.ID, c.Function.Name, of{a.call}}); err != nil {
		return "", err
	}
	text, failed := a.lookup(ctx, c)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	finished := struct {
		ID    string `json:"id"`
		Error string `json:"error,omitempty"`
		of
	}{ID: c.ID, of: of{a.call}}
	if failed != nil {
		finished.Error = failed.Error()
		text = "error: " + failed.Error() // for the model
	}
	return text, a.emit("tool_finished", finished)
}

// lookup calls the tool of that name.
func (a *agent) lookup(ctx context.Context, c toolCall) (string, error) {
	if c.Function.Name != "lookup" {
		return "", fmt.Errorf("no tool %q", c.Function.Name)
	}
	resp, err := a.request(ctx, a.tool, []byte(c.Function.Arguments))
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = errors.New(resp.Status)
	}
	return string(text), err
}

// delegate runs another agent.
func (a *agent) delegate(ctx context.Context, c toolCall) (string, error) {
	var arguments struct{ Task string }
	if err := json.Unmarshal([]byte(c.Function.Arguments), &arguments); err != nil {
		return "", fmt.Errorf("delegate: %w", err)
	}
	task, err := json.Marshal(map[string]string{"role": "user", "content": arguments.Task})
	if err != nil {
		return "", err
	}
	if err := a.emit("agent_started", map[string]string{"id": c.ID}); err != nil {
		return "", err
	}
	b := agent{run: a.run, ctx: ctx, call: c.ID, messages: []json.RawMessage{task}}
	text, err := b.loop()
	if err != nil {
		return "", err
	}
	return text, a.emit("agent_finished", map[string]string{"id": c.ID})
}

// request posts JSON upstream.
func (a *agent) request(ctx context.Context, url string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, "POST", url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	return a.client.Do(req)
}
