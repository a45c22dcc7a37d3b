package agent

import (
	"encoding/json"
	"fmt"
	"time"

	"fairstream/stub/common"
)

// A parsed is a request that was read. A repeated request is not read again.
type parsed struct {
	chat chatRequest
	turn turn
	said reply
	err  error
}

func parse(r *common.Request) *parsed {
	if p, ok := r.Memo.(*parsed); ok {
		return p
	}
	p := &parsed{}
	if p.chat, p.err = parseChat(r.Body); p.err == nil {
		p.turn, p.err = p.chat.due()
	}
	if p.err == nil {
		p.said = p.turn.reply(p.turn.number, p.turn.parallel)
		for _, c := range p.said.calls {
			if !p.chat.offers(c.Function.Name) {
				p.err = fmt.Errorf("the user's message wants the tool %s, and tools does not have it", c.Function.Name)
				break
			}
		}
	}
	r.Memo = p
	return p
}

// chat answers one chat request. It returns false when the connection must not be reused.
func chat(c *common.Conn, r *common.Request) bool {
	start := time.Now()
	number := c.Server.Stats.Requests.Add(1)
	p := parse(r)
	if p.err != nil {
		return c.Fail(400, p.err.Error())
	}
	a, err := c.Begin(r, number, start, p.turn.Script)
	if err != nil {
		return c.Fail(400, err.Error())
	}
	if p.turn.Tally != "" {
		c.Server.Gaps.Asked(p.turn.key, p.turn.Tally, start)
	}
	s := &stream{Answer: a, turn: p.turn, said: p.said, model: p.chat.Model, prompt: p.chat.words()}
	outcome := s.send(p.chat.Stream, p.chat.StreamOptions.IncludeUsage)
	a.End(outcome)
	return outcome != common.Cancelled && !s.spent
}

// A stream is one answer of the model that is being sent.
type stream struct {
	*common.Answer
	turn
	said   reply
	model  string
	prompt int  // tokens
	spent  bool // the connection must close after it
}

// Object is a JSON object.
type object map[string]any

const streamHeader = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n"

func (s *stream) send(streamed, usage bool) (outcome string) {
	if s.number == s.fail {
		if !s.Fail(500, "as asked") {
			return common.Cancelled
		}
		return common.Faulted
	}
	if !streamed {
		return s.whole()
	}
	if _, err := s.Write([]byte(streamHeader)); err != nil {
		return common.Cancelled
	}
	deltas := s.deltas()
	for i, delta := range deltas {
		if half := (len(deltas) + 1) / 2; i == half && s.number == s.cut {
			s.spent = true
			if !s.Drained() || !s.Resets() {
				return common.Cancelled
			}
			return common.Faulted
		} else if i == half && s.number == s.end {
			return s.endBody(common.Faulted)
		}
		due := s.Start
		if i > 0 { // the role comes at once
			due = s.Start.Add(s.ttft + time.Duration(i-1)*s.itl)
		}
		if !s.Await(due) || !s.event(s.chunk(delta, nil, usage)) {
			return common.Cancelled
		}
		if i > 0 {
			s.Written.Store(int64(i))
		}
	}
	// The end of an answer takes a step of the model too.
	if !s.Await(s.Start.Add(s.ttft+time.Duration(len(deltas)-1)*s.itl)) || !s.event(s.chunk(object{}, s.reason(), usage)) {
		return common.Cancelled
	}
	if usage {
		last := s.completion("chat.completion.chunk")
		last["choices"], last["usage"] = []any{}, s.usage()
		if !s.Await(s.Start) || !s.event(last) {
			return common.Cancelled
		}
	}
	if !s.Await(s.Start) {
		return common.Cancelled
	}
	s.beginGap()
	if !s.data([]byte("[DONE]")) {
		return common.Cancelled
	}
	return s.endBody(common.Completed)
}

// endBody ends the answer as HTTP wants it.
func (s *stream) endBody(outcome string) string {
	s.Write([]byte("0\r\n\r\n")) // may fail: a client that leaves on [DONE] has the whole answer
	return outcome
}

// whole answers without streaming.
func (s *stream) whole() string {
	if !s.Await(s.Start.Add(s.ttft + time.Duration(len(s.said.tokens))*s.itl)) {
		return common.Cancelled
	}
	m := object{"role": "assistant", "content": nil, "refusal": nil}
	if len(s.said.calls) > 0 {
		m["tool_calls"] = s.said.calls
	} else {
		m["content"] = s.said.text()
	}
	if s.said.image != "" {
		m["images"] = images(s.said.image)
	}
	all := s.completion("chat.completion")
	all["choices"] = []any{object{"index": 0, "message": m, "logprobs": nil, "finish_reason": s.reason()}}
	all["usage"] = s.usage()
	s.beginGap()
	if !s.Reply(200, all) {
		return common.Cancelled
	}
	return common.Completed
}

// beginGap begins the server's time after a turn with calls, just before the last event is written: a server may act on it at
// once.
func (s *stream) beginGap() {
	if s.Tally != "" && len(s.said.calls) > 0 {
		s.Server.Gaps.Said(s.key)
	}
}

// deltas are those of the answer's chunks: the role, then text and image, or the calls of tools. A call comes in pieces:
// its id and name, then its arguments in two.
func (s *stream) deltas() (all []object) {
	first := object{"role": "assistant", "content": ""}
	if len(s.said.calls) > 0 {
		first["content"] = nil
	}
	all = append(all, first)
	for _, t := range s.said.tokens {
		all = append(all, object{"content": t})
	}
	if s.said.image != "" {
		all = append(all, object{"images": images(s.said.image)})
	}
	for i, c := range s.said.calls {
		add := func(call object) {
			call["index"] = i
			all = append(all, object{"tool_calls": []any{call}})
		}
		add(object{"id": c.ID, "type": c.Type, "function": object{"name": c.Function.Name, "arguments": ""}})
		half := len(c.Function.Arguments) / 2
		for _, part := range []string{c.Function.Arguments[:half], c.Function.Arguments[half:]} {
			add(object{"function": object{"arguments": part}})
		}
	}
	return all
}

// images is the form in which OpenRouter's API returns images.
func images(url string) []any {
	return []any{object{"type": "image_url", "image_url": object{"url": url}}}
}

// completion has what all chunks and answers have. The id differs between the turns of a run, since LangGraph takes an
// equal one for a new version of the same message.
func (s *stream) completion(kind string) object {
	return object{"id": fmt.Sprintf("chatcmpl-%s-%d", s.key, s.number), "object": kind, "created": s.Start.Unix(), "model": s.model, "system_fingerprint": "fp_stub"}
}

// chunk is an event of the stream. Reason is nil before the last one.
func (s *stream) chunk(delta object, reason any, usage bool) object {
	c := s.completion("chat.completion.chunk")
	c["choices"] = []any{object{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": reason}}
	if usage {
		c["usage"] = nil
	}
	return c
}

func (s *stream) reason() string {
	if len(s.said.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

// usage counts words of the prompt, and events of the answer.
func (s *stream) usage() object {
	completion := len(s.deltas()) - 1
	return object{"prompt_tokens": s.prompt, "completion_tokens": completion, "total_tokens": s.prompt + completion}
}

// event writes one event.
func (s *stream) event(v object) bool {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data always encodes
	}
	return s.data(text)
}

// data writes the data of one event, in one write.
func (s *stream) data(text []byte) bool {
	event := fmt.Appendf(nil, "data: %s\n\n", text)
	if _, err := s.Write(fmt.Appendf(nil, "%x\r\n%s\r\n", len(event), event)); err != nil {
		return false
	}
	s.Note(event)
	return true
}
