package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
)

// An agent is a conversation with the model: that of the run, or one that the model delegates. Eino's agent asks the
// model, calls the tools, and asks again.
//
// Own code, and why:
//   - toEino and toOpenAI: Eino has its own form of messages, and the contract stores the form of the OpenAI API.
//   - turns stores a turn before the model is asked again. It counts turns, since Eino's own limit ends a run before the
//     last turn is stored.
//   - hear makes an error of an answer that breaks off. Eino takes it for complete. Tools wait until it has passed the answer
//     on, since Eino goes on beside it.
//   - toTheEnd reads an answer to its end, so that its connection is used again.
//   - lookup returns its errors as text, since an error of a tool ends the run.
//   - delegate runs another agent. Eino's own tool for that does not say which call its events belong to. When that agent
//     fails, delegate ends the run. Eino would wait for the other tools of the turn.
type agent struct {
	*run
	ctx      context.Context // ends with the run, or when another call of the same turn fails
	fail     context.CancelCauseFunc
	call     string // id of the call of delegate; "" is the run's own
	messages []json.RawMessage
	stored   int // messages, before the turn that is going on
	turns    int
	heard    chan error // what became of the model's answer in this turn
}

// of is the part of an event's data that says which agent it belongs to.
type of struct {
	Agent string `json:"agent,omitempty"`
}

const maxTurns = 16

// agentKey is the key of the agent in the context of its tools and hooks.
type agentKey struct{}

func agentOf(ctx context.Context) *agent { return ctx.Value(agentKey{}).(*agent) }

// Runners of agents. One that was delegated cannot delegate.
var delegating, delegated *adk.Runner

func init() {
	delegating, delegated = newRunner(lookupTool{}, delegateTool()), newRunner(lookupTool{})
}

// modelClient has the settings of main.go. It reads an answer to its end: Eino closes it after [DONE], and net/http then
// closes the connection too, unless the end has been read.
var modelClient = &http.Client{Transport: toTheEnd{&http.Transport{MaxIdleConnsPerHost: 1024, IdleConnTimeout: 90 * time.Second}}}

type toTheEnd struct{ http.RoundTripper }

func (t toTheEnd) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Body = restRead{resp.Body}
	}
	return resp, err
}

type restRead struct{ io.ReadCloser }

func (b restRead) Close() error {
	io.CopyN(io.Discard, b.ReadCloser, 1<<10) // an error is EOF, or the run has ended
	return b.ReadCloser.Close()
}

func newRunner(tools ...tool.BaseTool) *adk.Runner {
	ctx := context.Background()
	model, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{
		BaseURL: os.Getenv("STUB_URL") + "/v1", Model: "stub", HTTPClient: modelClient,
	})
	if err != nil {
		panic(err)
	}
	a, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Model:         model,
		ToolsConfig:   adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: tools}},
		MaxIterations: maxTurns + 1, // turns ends the run before
		Handlers:      []adk.ChatModelAgentMiddleware{turns{&adk.BaseChatModelAgentMiddleware{}}},
	})
	if err != nil {
		panic(err)
	}
	return adk.NewRunner(ctx, adk.RunnerConfig{Agent: a, EnableStreaming: true})
}

// turns is what Eino calls before it asks the model.
type turns struct {
	*adk.BaseChatModelAgentMiddleware
}

func (turns) BeforeModelRewriteState(ctx context.Context, s *adk.ChatModelAgentState, _ *adk.ModelContext) (context.Context, *adk.ChatModelAgentState, error) {
	a := agentOf(ctx)
	turn := s.Messages[a.stored:]
	a.heard = make(chan error, 1)
	if len(turn) == 0 {
		return ctx, s, nil
	}
	a.stored += len(turn)
	a.turns++
	err := a.keep(turn)
	if err == nil && a.turns == maxTurns {
		err = fmt.Errorf("the model has not stopped after %d turns", maxTurns)
	}
	return ctx, s, err
}

// loop asks the model and calls tools until the model stops. It returns the last text.
func (a *agent) loop() (string, error) {
	messages, err := toEino(a.messages)
	if err != nil {
		return "", err
	}
	a.stored = len(messages)
	runner := delegating
	if a.call != "" {
		runner = delegated
	}
	ctx, fail := context.WithCancelCause(a.ctx)
	a.fail = fail
	events := runner.Run(context.WithValue(ctx, agentKey{}, a), messages)
	defer func() {
		fail(nil)
		for ok := true; ok; { // until Eino does nothing any more
			_, ok = events.Next()
		}
	}()
	var last *schema.Message
	for {
		e, ok := events.Next()
		if !ok && last == nil {
			return "", errors.New("the agent has no answer")
		}
		if !ok {
			return last.Content, a.keep([]*schema.Message{last})
		}
		if e.Err != nil {
			return "", cmp.Or(context.Cause(ctx), e.Err)
		}
		if o := e.Output; o != nil && o.MessageOutput != nil && o.MessageOutput.Role == schema.Assistant {
			last, err = a.hear(o.MessageOutput.MessageStream)
			a.heard <- err
			if err != nil {
				return "", err
			}
		}
	}
}

// wait returns when the model's answer has been passed on. Its error ends the tool, too.
func (a *agent) wait(ctx context.Context) error {
	select {
	case err := <-a.heard:
		a.heard <- err // for the other tools of the turn
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hear passes on what the model says. It returns the whole message.
func (a *agent) hear(stream *schema.StreamReader[*schema.Message]) (*schema.Message, error) {
	defer stream.Close()
	var chunks []*schema.Message
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		chunks = append(chunks, chunk)
		if chunk.Content != "" {
			if err := a.emit("token", struct {
				Text string `json:"text"`
				of
			}{chunk.Content, of{a.call}}); err != nil {
				return nil, err
			}
		}
	}
	m, err := schema.ConcatMessages(chunks)
	if err == nil && (m.ResponseMeta == nil || m.ResponseMeta.FinishReason == "") {
		err = errors.New("model: the answer breaks off")
	}
	return m, err
}

// keep stores a turn, and announces it. Nothing of an agent that was delegated is stored.
func (a *agent) keep(turn []*schema.Message) error {
	if a.call != "" {
		return nil
	}
	all := make([][]byte, len(turn))
	for i, m := range turn {
		var err error
		if all[i], err = toOpenAI(m); err != nil {
			return err
		}
	}
	ids, err := a.store(a.thread, all...)
	if err != nil {
		return err
	}
	for i, id := range ids {
		if err := a.emit("stored", stored{id, string(turn[i].Role)}); err != nil {
			return err
		}
	}
	return nil
}

// lookupTool passes the arguments of the model on as they are.
type lookupTool struct{}

func (lookupTool) Info(context.Context) (*schema.ToolInfo, error) {
	return &schema.ToolInfo{Name: "lookup", Desc: "Looks something up."}, nil
}

func (lookupTool) InvokableRun(ctx context.Context, arguments string, _ ...tool.Option) (string, error) {
	a, id := agentOf(ctx), compose.GetToolCallID(ctx)
	if err := a.wait(ctx); err != nil {
		return "", err
	}
	if err := a.emit("tool_started", struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		of
	}{id, "lookup", of{a.call}}); err != nil {
		return "", err
	}
	text, failed := a.lookup(ctx, arguments)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	finished := struct {
		ID    string `json:"id"`
		Error string `json:"error,omitempty"`
		of
	}{ID: id, of: of{a.call}}
	if failed != nil {
		finished.Error = failed.Error()
		text = "error: " + failed.Error() // for the model
	}
	return text, a.emit("tool_finished", finished)
}

func (a *agent) lookup(ctx context.Context, arguments string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, "POST", a.tool, strings.NewReader(arguments))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := a.client.Do(req)
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

// task is the argument of delegate.
type task struct {
	Task string `json:"task" jsonschema:"required"`
}

// delegateTool runs another agent.
func delegateTool() tool.BaseTool {
	t, err := utils.InferTool("delegate", "Lets an agent do a task.", func(ctx context.Context, t task) (string, error) {
		a, id := agentOf(ctx), compose.GetToolCallID(ctx)
		message, err := json.Marshal(map[string]string{"role": "user", "content": t.Task})
		if err != nil {
			return "", err
		}
		if err := a.wait(ctx); err != nil {
			return "", err
		}
		if err := a.emit("agent_started", map[string]string{"id": id}); err != nil {
			return "", err
		}
		b := agent{run: a.run, ctx: ctx, call: id, messages: []json.RawMessage{message}}
		text, err := b.loop()
		if err != nil {
			a.fail(err)
			return "", err
		}
		return text, a.emit("agent_finished", map[string]string{"id": id})
	})
	if err != nil {
		panic(err) // the type is known
	}
	return t
}

// toEino converts messages of the OpenAI API. Eino's have the same names but for parts of content.
func toEino(messages []json.RawMessage) ([]*schema.Message, error) {
	all := make([]*schema.Message, len(messages))
	for i, text := range messages {
		var m struct {
			schema.Message
			Content json.RawMessage `json:"content"`
		}
		if err := json.Unmarshal(text, &m); err != nil {
			return nil, err
		}
		all[i] = &m.Message
		if !bytes.HasPrefix(m.Content, []byte("[")) {
			if err := json.Unmarshal(m.Content, &all[i].Content); err != nil {
				return nil, err
			}
			continue
		}
		var parts []struct {
			Type     schema.ChatMessagePartType
			Text     string
			ImageURL struct{ URL string } `json:"image_url"`
		}
		if err := json.Unmarshal(m.Content, &parts); err != nil {
			return nil, err
		}
		for _, p := range parts {
			part := schema.MessageInputPart{Type: p.Type, Text: p.Text}
			if p.ImageURL.URL != "" {
				part.Image = &schema.MessageInputImage{MessagePartCommon: schema.MessagePartCommon{URL: &p.ImageURL.URL}}
			}
			all[i].UserInputMultiContent = append(all[i].UserInputMultiContent, part)
		}
	}
	return all, nil
}

// toOpenAI converts a message of the model, or the result of a tool.
func toOpenAI(m *schema.Message) ([]byte, error) {
	type call struct {
		ID       string              `json:"id"`
		Type     string              `json:"type"`
		Function schema.FunctionCall `json:"function"`
	}
	said := struct {
		Role    schema.RoleType `json:"role"`
		Content *string         `json:"content"`
		Calls   []call          `json:"tool_calls,omitempty"`
		ID      string          `json:"tool_call_id,omitempty"`
	}{Role: m.Role, Content: &m.Content, ID: m.ToolCallID}
	for _, c := range m.ToolCalls {
		said.Calls = append(said.Calls, call{c.ID, c.Type, c.Function})
		said.Content = nil
	}
	return json.Marshal(said)
}
