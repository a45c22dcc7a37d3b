package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// A turn is what a request asks for: the next reply of a run.
type turn struct {
	script
	number   int // from 1
	parallel bool
}

// due follows a conversation to the turn that it asks for. It returns an error where the real API refuses the
// conversation, and where a message is not what the model or the tool said.
func (r chatRequest) due() (turn, error) {
	t := turn{parallel: r.Parallel == nil || *r.Parallel}
	var open []toolCall // calls without a result
	begun, over := false, false
	for i, m := range r.Messages {
		err := func() error {
			if m.Role != "tool" && len(open) > 0 {
				return fmt.Errorf("tool call %s has no result before it", open[0].ID)
			}
			switch m.Role {
			case "system", "developer":
				if i > 0 {
					return errors.New("want it as the first message, and only there")
				}
				return nil
			case "user":
				s, err := parseScript(m.Content.text)
				t.script, t.number, begun, over = s, 1, true, false
				return err
			case "assistant":
				if !begun || over {
					return errors.New("the model said nothing here")
				}
				want := t.reply(t.number, t.parallel)
				if err := want.matches(m); err != nil {
					return err
				}
				open, over = want.calls, len(want.calls) == 0
				return nil
			case "tool":
				err := answers(m, open)
				if err == nil {
					if open = open[1:]; len(open) == 0 {
						t.number++
					}
				}
				return err
			}
			return fmt.Errorf("role %q; want system, user, assistant or tool", m.Role)
		}()
		if err != nil {
			return t, fmt.Errorf("message %d, %s: %w", i, m.Role, err)
		}
	}
	switch {
	case len(open) > 0:
		return t, fmt.Errorf("messages end without a result of tool call %s", open[0].ID)
	case !begun || over:
		return t, errors.New("messages end without a question of the user")
	}
	return t, nil
}

// matches compares a message of the history with what the model said.
func (r reply) matches(m message) error {
	if m.Content.text != r.text() {
		return fmt.Errorf("the text is %.80q; the model said %.80q", m.Content.text, r.text())
	}
	if !slices.EqualFunc(m.ToolCalls, r.calls, toolCall.same) {
		return fmt.Errorf("the tool calls are %+v; the model said %+v", m.ToolCalls, r.calls)
	}
	return nil
}

// same compares calls. A server may parse their arguments and write them again, which the real API accepts. Most pass them
// on as they are, and equal texts need no parser.
func (c toolCall) same(said toolCall) bool {
	got, want := c.Function.Arguments, said.Function.Arguments
	c.Function.Arguments = want
	return c == said && (got == want || sameJSON([]byte(got), []byte(want)))
}

// sameJSON compares values, whatever their form.
func sameJSON(a, b []byte) bool {
	var va, vb any
	return json.Unmarshal(a, &va) == nil && json.Unmarshal(b, &vb) == nil && reflect.DeepEqual(va, vb)
}

// answers checks that a message is the result of the first open call.
func answers(m message, open []toolCall) error {
	i := slices.IndexFunc(open, func(c toolCall) bool { return c.ID == m.ToolCallID })
	switch {
	case i < 0:
		return fmt.Errorf("tool_call_id %q: no call before it has this id and no result", m.ToolCallID)
	case i > 0:
		return fmt.Errorf("tool_call_id %q: want the results in the order of the calls, so %s first", m.ToolCallID, open[0].ID)
	}
	want, exact, err := open[0].result()
	if err != nil {
		return err
	}
	if exact && m.Content.text != want || m.Content.text == "" {
		return fmt.Errorf("the result of %s is %.80q; want %.80q", m.ToolCallID, m.Content.text, want)
	}
	return nil
}
