package agent

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
)

// start runs a stub until the test ends, and returns it with its URL.
func start(t *testing.T) (*common.Server, string) {
	s, address := stubtest.Start(t, Routes)
	t.Cleanup(http.DefaultClient.CloseIdleConnections) // before the stub ends
	return s, "http://" + address
}

// awaitJournal waits until the journal of run a is as wanted: a client has its answer before the stub writes the outcome.
func awaitJournal(t *testing.T, s *common.Server, wanted string, holds func([]common.Entry) bool) (all []common.Entry) {
	t.Helper()
	stubtest.Eventually(t, wanted, func() bool {
		all = s.Journal.Find("a", true)
		return holds(all)
	})
	return all
}

// ask sends a body, and returns the answer's status and body.
func ask(t *testing.T, url string, body any) (int, string, error) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.Post(url, "application/json", strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	got, err := io.ReadAll(r.Body)
	return r.StatusCode, string(got), err
}

func user(text any) object { return object{"role": "user", "content": text} }
func said(text any, calls ...any) object {
	return object{"role": "assistant", "content": text, "tool_calls": calls}
}
func result(id string, text string) object {
	return object{"role": "tool", "tool_call_id": id, "content": text}
}

func request(messages ...any) object {
	tools := []any{}
	for _, name := range []string{"lookup", "delegate"} {
		tools = append(tools, object{"type": "function", "function": object{"name": name, "parameters": object{"type": "object"}}})
	}
	return object{"model": "m", "stream": true, "messages": messages, "tools": tools}
}

// read puts the chunks of a stream together, as a client does.
func read(t *testing.T, body string) (id, text, image, reason string, calls []toolCall) {
	t.Helper()
	events := strings.Split(strings.TrimSuffix(body, "\n\n"), "\n\n")
	if events[len(events)-1] != "data: [DONE]" {
		t.Fatalf("the stream ends with %q", events[len(events)-1])
	}
	for _, event := range events[:len(events)-1] {
		var c struct {
			ID      string
			Choices []struct {
				Delta struct {
					Content   string
					ToolCalls []struct {
						Index int
						toolCall
					} `json:"tool_calls"`
					Images []struct {
						ImageURL struct{ URL string } `json:"image_url"`
					}
				}
				FinishReason string `json:"finish_reason"`
			}
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(event, "data: ")), &c); err != nil {
			t.Fatalf("%v: %s", err, event)
		}
		id = c.ID
		for _, choice := range c.Choices {
			text += choice.Delta.Content
			for _, part := range choice.Delta.Images {
				image += part.ImageURL.URL
			}
			for _, call := range choice.Delta.ToolCalls {
				if call.Index == len(calls) {
					calls = append(calls, toolCall{})
				}
				of := &calls[call.Index]
				of.ID, of.Type, of.Function.Name = of.ID+call.ID, of.Type+call.Type, of.Function.Name+call.Function.Name
				of.Function.Arguments += call.Function.Arguments
			}
			reason += choice.FinishReason
		}
	}
	return id, text, image, reason, calls
}

// loop is a right server: it asks the model until the model stops, and calls the tools.
func loop(t *testing.T, url string, messages ...any) (text string, turns int, ids map[string]bool) {
	t.Helper()
	ids = map[string]bool{}
	for turns = 1; ; turns++ {
		status, body, err := ask(t, url+"/agent/v1/chat/completions", request(messages...))
		if err != nil || status != 200 {
			t.Fatalf("turn %d: status %d, %v: %s", turns, status, err, body)
		}
		id, text, _, reason, calls := read(t, body)
		ids[id] = true
		if len(calls) == 0 {
			if reason != "stop" {
				t.Errorf("finish_reason %q, want stop", reason)
			}
			return text, turns, ids
		}
		if reason != "tool_calls" {
			t.Errorf("finish_reason %q, want tool_calls", reason)
		}
		var all []any
		results := make([]string, len(calls))
		done := make(chan int)
		for i, c := range calls {
			all = append(all, c)
			go func() {
				defer func() { done <- i }()
				if c.Function.Name == "delegate" {
					var of task
					if err := json.Unmarshal([]byte(c.Function.Arguments), &of); err != nil {
						t.Error(err)
					}
					results[i], _, _ = loop(t, url, user(of.Task))
					return
				}
				var err error
				if _, results[i], err = ask(t, url+"/agent/tools/lookup", json.RawMessage(c.Function.Arguments)); err != nil {
					t.Error(err)
				}
			}()
		}
		for range calls {
			<-done
		}
		messages = append(messages, said(nil, all...))
		for i, c := range calls {
			messages = append(messages, result(c.ID, results[i]))
		}
	}
}
