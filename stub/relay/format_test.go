package relay

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// The types below are the OpenAI API's CreateChatCompletionStreamResponse, as
// far as the stub sends it. A nil field was absent.
type chunk struct {
	ID                *string         `json:"id"`
	Object            *string         `json:"object"`
	CreatedS          *int64          `json:"created"`
	Model             *string         `json:"model"`
	SystemFingerprint *string         `json:"system_fingerprint"`
	Choices           *[]choice       `json:"choices"`
	Usage             json.RawMessage `json:"usage"`
}

type choice struct {
	Index        *int            `json:"index"`
	Delta        *delta          `json:"delta"`
	Logprobs     json.RawMessage `json:"logprobs"`
	FinishReason json.RawMessage `json:"finish_reason"`
}

type delta struct {
	Role    *string `json:"role"`
	Content *string `json:"content"`
}

// decode fails the test on a field that v lacks, and on anything after the value.
func decode(t *testing.T, text string, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("more than one value: %s", text)
	}
}

// chunks asks for three tokens and decodes all events but [DONE]. What all
// chunks have in common is checked here.
func chunks(t *testing.T, usage bool) []chunk {
	t.Helper()
	_, addr := start(t)
	beforeS := time.Now().Unix()
	events := dial(t, addr).ask(chatBody("one two @tokens=3 @itl=0s @id=name", usage))
	afterS := time.Now().Unix()

	last := len(events) - 1
	if events[last] != "[DONE]" {
		t.Fatalf("the last event is %s", events[last])
	}
	var all []chunk
	for _, event := range events[:last] {
		var k chunk
		decode(t, event, &k)
		if k.ID == nil || k.Object == nil || k.CreatedS == nil || k.Model == nil || k.SystemFingerprint == nil || k.Choices == nil {
			t.Fatalf("a field is absent or null: %s", event)
		}
		if *k.ID != "chatcmpl-name" || *k.Object != "chat.completion.chunk" || *k.Model != `fake "1" <é>` {
			t.Errorf("wrong id, object or model: %s", event)
		}
		all = append(all, k)
		if *k.CreatedS < beforeS || *k.CreatedS > afterS || *k.CreatedS != *all[0].CreatedS {
			t.Errorf("created is not the one time of the request: %s", event)
		}
	}
	return all
}

// shape renders what a chunk's choice says, with ... for a token.
func shape(t *testing.T, k chunk) string {
	t.Helper()
	if len(*k.Choices) == 0 {
		return "no choices"
	}
	only := (*k.Choices)[0]
	if len(*k.Choices) != 1 || only.Index == nil || *only.Index != 0 || only.Delta == nil || string(only.Logprobs) != "null" {
		t.Fatalf("not one whole choice: %+v", *k.Choices)
	}
	role, content := "none", "none"
	if only.Delta.Role != nil {
		role = *only.Delta.Role
	}
	if only.Delta.Content != nil {
		content = "empty"
		if *only.Delta.Content != "" {
			content = "..."
		}
	}
	return fmt.Sprintf("role %s, content %s, finish_reason %s", role, content, only.FinishReason)
}

func TestChunksAreInTheFormOfTheOpenAIAPI(t *testing.T) {
	const token = "role none, content ..., finish_reason null"
	want := []string{
		"role assistant, content empty, finish_reason null",
		token, token, token,
		`role none, content none, finish_reason "stop"`,
	}
	all := chunks(t, false)
	var got []string
	for i, k := range all {
		got = append(got, shape(t, k))
		if k.Usage != nil {
			t.Errorf("chunk %d has usage %s, which was not asked for", i, k.Usage)
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestUsageComesLastWithoutChoicesAndIsNullBefore(t *testing.T) {
	all := chunks(t, true)
	if len(all) != 6 {
		t.Fatalf("%d chunks, want 6", len(all))
	}
	total := all[5]
	for i, k := range all[:5] {
		if string(k.Usage) != "null" || shape(t, k) == "no choices" {
			t.Errorf("chunk %d: %s, usage %q; want a choice and null", i, shape(t, k), k.Usage)
		}
	}
	if got := shape(t, total); got != "no choices" {
		t.Errorf("usage comes with %s", got)
	}
	var usage struct {
		PromptTokens     *int `json:"prompt_tokens"`
		CompletionTokens *int `json:"completion_tokens"`
		TotalTokens      *int `json:"total_tokens"`
	}
	decode(t, string(total.Usage), &usage)
	if usage.PromptTokens == nil || usage.CompletionTokens == nil || usage.TotalTokens == nil {
		t.Fatalf("a count is absent: %s", total.Usage)
	}
	// The prompt is "Be brief." and "one two", and three directives.
	if *usage.PromptTokens != 7 || *usage.CompletionTokens != 3 || *usage.TotalTokens != 10 {
		t.Errorf("usage %s, want 7 + 3 = 10", total.Usage)
	}
}
