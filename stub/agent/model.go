package agent

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// A reply is what the model says in one turn: calls of tools, or the last text.
type reply struct {
	tokens []string
	calls  []toolCall
	image  string // data URL; "" without one
}

func (r reply) text() string { return strings.Join(r.tokens, "") }

// arguments are those of lookup, as the model writes them.
type arguments struct {
	Run     string `json:"run"`
	Call    int    `json:"call"`  // number in its turn, from 0
	Turn    int    `json:"turn"`  // from 1
	Bytes   int    `json:"bytes"` // of the result
	DelayMS int64  `json:"delay_ms"`
	Of      int    `json:"of,omitempty"`     // calls that must be open before one is answered
	Broken  bool   `json:"broken,omitempty"` // the tool fails
}

// task is the argument of delegate: the message of a user, for a run of its own.
type task struct {
	Task string `json:"task"`
}

// reply is what the model says in a turn, counted from 1. Parallel says whether a turn may call several tools.
func (s script) reply(turn int, parallel bool) (r reply) {
	if turn == s.turns {
		for i := range s.tokens {
			r.tokens = append(r.tokens, s.token(i))
		}
		if s.image > 0 {
			r.image = "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(text(s.key, s.image)))
		}
		return r
	}
	calls, name := s.tools, "lookup"
	if turn == 1 && s.agents > 0 {
		calls, name = s.agents, "delegate"
	}
	if !parallel {
		calls = min(1, calls)
	}
	for i := range calls {
		var of any = s.task(i)
		if name == "lookup" {
			a := arguments{Run: s.key, Call: i, Turn: turn, Bytes: s.bytes, DelayMS: s.delay.Milliseconds(), Broken: s.broken}
			if s.barrier {
				a.Of = calls
			}
			of = a
		}
		said, err := json.Marshal(of)
		if err != nil {
			panic(err) // plain data always encodes
		}
		r.calls = append(r.calls, toolCall{ID: fmt.Sprintf("call_%s_%d_%d", s.key, turn, i), Type: "function", Function: function{name, string(said)}})
	}
	return r
}

// task is what agent i has to do. A held run has held agents.
func (s script) task(i int) task {
	hold := ""
	if s.Hold {
		hold = " @hold=1"
	}
	return task{fmt.Sprintf("@id=%s-%d @turns=2 @tools=1 @tokens=%d @itl=%v @delay=%v @bytes=%d%s", s.key, i, s.tokens, s.itl, s.delay, s.bytes, hold)}
}

// result is what the server must say about a call: the body of lookup's answer, or the last text of a delegate. Of a
// lookup that fails it may say anything.
func (c toolCall) result() (want string, exact bool, err error) {
	if c.Function.Name == "delegate" {
		var t task
		if err := json.Unmarshal([]byte(c.Function.Arguments), &t); err != nil {
			return "", false, err
		}
		s, err := parseScript(t.Task)
		return s.reply(s.turns, true).text(), true, err
	}
	var a arguments
	if err := json.Unmarshal([]byte(c.Function.Arguments), &a); err != nil {
		return "", false, err
	}
	return a.answer(), !a.Broken, nil
}

// answer is the body of lookup's answer.
func (a arguments) answer() string {
	return fmt.Sprintf(`{"result":%q}`, text(fmt.Sprintf("%s-%d-%d", a.Run, a.Turn, a.Call), a.Bytes))
}

// text is words, cut to a number of bytes.
func text(key string, bytes int) string {
	var b strings.Builder
	for i := 0; b.Len() < bytes; i++ {
		b.WriteString(word(key, i))
	}
	return b.String()[:bytes]
}

// token is a word, or the same word again and again if the script gives a size.
func (s script) token(i int) string {
	w := word(s.key, i)
	if s.size == 0 {
		return w
	}
	return strings.Repeat(w, s.size/len(w)+1)[:s.size]
}

// word is a token: the key and the number, since a text of other runs or in another order must show.
func word(key string, i int) string { return fmt.Sprintf("%s.%d ", key, i) }
