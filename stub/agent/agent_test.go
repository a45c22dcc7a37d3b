package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fairstream/stub/common"
)

// The stub times a server between turns, and not after the last one.
func TestGapsBetweenTurns(t *testing.T) {
	_, url := start(t)
	for message, want := range map[string]int64{"@turns=3 @tools=2 @tokens=1 @itl=0s @tally=a": 2, "@tokens=1 @itl=0s @tally=b": 0, "@turns=3 @tokens=1 @itl=0s": 0} {
		loop(t, url, user(message))
		r, err := http.Get(url + "/stats")
		if err != nil {
			t.Fatal(err)
		}
		var stats struct {
			Gaps map[string]struct{ Count int64 } `json:"gaps_us"`
		}
		err = json.NewDecoder(r.Body).Decode(&stats)
		r.Body.Close()
		_, name, _ := strings.Cut(message, "@tally=")
		if got := stats.Gaps[name].Count; err != nil || got != want {
			t.Errorf("%q: %d gaps, %v; want %d", message, got, err, want)
		}
	}
}

func TestARunEndsWithItsText(t *testing.T) {
	for message, want := range map[string]struct {
		turns int
		text  string
	}{
		"@id=a @itl=0s @tokens=3":                               {1, "a.0 a.1 a.2 "},
		"@id=b @itl=0s @tokens=1 @turns=3 @tools=2 @barrier=1":  {3, "b.0 "},
		"@id=c @itl=0s @tokens=2 @turns=2 @agents=2":            {2, "c.0 c.1 "},
		"@id=d @itl=0s @tokens=1 @turns=16 @tools=1 @bytes=0":   {16, "d.0 "},
		"@id=e @itl=0s @tokens=1 @turns=2 @tools=3 @delay=30ms": {2, "e.0 "},
		"@id=f @itl=0s @tokens=1 @turns=2 @tools=1 @broken=1":   {2, "f.0 "},
		"@id=g @itl=0s @tokens=2 @size=9":                       {1, "g.0 g.0 gg.1 g.1 g"},
	} {
		_, url := start(t)
		text, turns, ids := loop(t, url, object{"role": "system", "content": "Be brief."}, user(message))
		if text != want.text || turns != want.turns || len(ids) != turns {
			t.Errorf("%s: %q after %d turns, with %d ids; want %q after %d", message, text, turns, len(ids), want.text, want.turns)
		}
	}
}

// The journal of a run has the requests to the model and to the tools, in the order in which they came.
func TestTheJournalHasTheToolsToo(t *testing.T) {
	s, url := start(t)
	loop(t, url, user("@id=a @itl=0s @tokens=1 @turns=2 @tools=2"))
	var paths []string
	for _, e := range awaitJournal(t, s, "all calls have an outcome", func(all []common.Entry) bool {
		return !slices.ContainsFunc(all, func(e common.Entry) bool { return e.Outcome == "" })
	}) {
		paths = append(paths, e.Path[strings.LastIndex(e.Path, "/")+1:]+" "+e.Outcome)
	}
	if got := strings.Join(paths, ", "); got != "completions completed, lookup completed, lookup completed, completions completed" {
		t.Errorf("the journal has %s", got)
	}
}

// A later run may have an earlier one in its history: whole, without tools, or broken off after a turn.
func TestHistoryOfEarlierRuns(t *testing.T) {
	_, url := start(t)
	parts := user([]any{object{"type": "text", "text": "@id=a @tokens=1 "}, object{"type": "image_url", "image_url": object{"url": "data:image/png;base64,AA=="}}})
	if text, _, _ := loop(t, url, parts, said("a.0 "), user("@id=b @itl=0s @tokens=1")); text != "b.0 " {
		t.Errorf("after a whole run: %q", text)
	}
	s, err := parseScript("@id=c @turns=3 @tools=1")
	if err != nil {
		t.Fatal(err)
	}
	call := s.reply(1, true).calls[0]
	want, _, err := call.result()
	if err != nil {
		t.Fatal(err)
	}
	if text, _, _ := loop(t, url, user("@id=c @turns=3 @tools=1"), said(nil, call), result(call.ID, want), user("@id=d @itl=0s @tokens=1")); text != "d.0 " {
		t.Errorf("after a part of a run: %q", text)
	}
}

// A server may parse the arguments of a call, and write them again in another form.
func TestArgumentsAreComparedAsValues(t *testing.T) {
	_, url := start(t)
	for message, written := range map[string]func(string) string{
		"@id=a @itl=0s @turns=2 @tools=1 @tokens=1": func(text string) string {
			spaced := strings.NewReplacer(":", ": ", ",", ", ").Replace(text)
			return strings.Replace(spaced, `"a"`, `"\u0061"`, 1)
		},
		"@id=b @itl=0s @turns=2 @tools=1 @tokens=1": func(text string) string { // in the order of the names
			var of map[string]any
			if err := json.Unmarshal([]byte(text), &of); err != nil {
				t.Fatal(err)
			}
			again, err := json.MarshalIndent(of, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			return string(again)
		},
	} {
		s, err := parseScript(message)
		if err != nil {
			t.Fatal(err)
		}
		call := s.reply(1, true).calls[0]
		want, _, err := call.result()
		if err != nil {
			t.Fatal(err)
		}
		was := call.Function.Arguments
		if call.Function.Arguments = written(was); call.Function.Arguments == was {
			t.Fatalf("the arguments are not written in another form: %s", was)
		}
		if text, _, _ := loop(t, url, user(message), said(nil, call), result(call.ID, want)); text != s.key+".0 " {
			t.Errorf("%s: the last text is %q", call.Function.Arguments, text)
		}
	}
}

func TestHistoryThatDoesNotFitIsRefused(t *testing.T) {
	_, url := start(t)
	const message = "@id=a @turns=3 @tools=2 @bytes=5"
	s, err := parseScript(message)
	if err != nil {
		t.Fatal(err)
	}
	calls := s.reply(1, true).calls
	results := make([]string, 2)
	for i := range calls {
		if results[i], _, err = calls[i].result(); err != nil {
			t.Fatal(err)
		}
	}
	both := said(nil, calls[0], calls[1])
	first, second := result(calls[0].ID, results[0]), result(calls[1].ID, results[1])
	other := calls[1]
	other.Function.Arguments = strings.Replace(other.Function.Arguments, `"call":1`, `"call": 2`, 1)
	more := calls[1]
	more.Function.Arguments = strings.Replace(more.Function.Arguments, "{", `{"of": 0, `, 1)
	broken := calls[1]
	broken.Function.Arguments += "}"
	instructed := func(role string) object { return object{"role": role, "content": "Be brief."} }
	for name, c := range map[string]struct {
		want     string
		messages []any
	}{
		"two system messages":    {"message 1, developer: want it as the first message", []any{instructed("system"), instructed("developer"), user("hi")}},
		"a late system message":  {"message 1, system: want it as the first message", []any{user("hi"), instructed("system")}},
		"nothing":                {"messages end without a question of the user", nil},
		"no question":            {"messages end without a question of the user", []any{user("@id=b @tokens=1"), said("b.0 ")}},
		"another text":           {`message 1, assistant: the text is "b.1 "; the model said "b.0 "`, []any{user("@id=b @tokens=1"), said("b.1 "), user("hi")}},
		"a text that came first": {"message 0, assistant: the model said nothing here", []any{said("b.0 "), user("hi")}},
		"a text twice":           {"message 2, assistant: the model said nothing here", []any{user("@id=b @tokens=1"), said("b.0 "), said("b.0 "), user("hi")}},
		"no calls":               {"message 1, assistant: the tool calls are []", []any{user(message), said(nil), first, second}},
		"another call":           {"message 1, assistant: the tool calls are", []any{user(message), said(nil, calls[0], other), first, second}},
		"another value more":     {"message 1, assistant: the tool calls are", []any{user(message), said(nil, calls[0], more), first, second}},
		"arguments not in JSON":  {"message 1, assistant: the tool calls are", []any{user(message), said(nil, calls[0], broken), first, second}},
		"no result":              {"messages end without a result of tool call call_a_1_0", []any{user(message), both}},
		"one result":             {"messages end without a result of tool call call_a_1_1", []any{user(message), both, first}},
		"a question in between":  {"message 3, user: tool call call_a_1_1 has no result before it", []any{user(message), both, first, user("hi")}},
		"another order":          {`message 2, tool: tool_call_id "call_a_1_1": want the results in the order of the calls`, []any{user(message), both, second, first}},
		"an unknown id":          {`message 2, tool: tool_call_id "x": no call before it has this id`, []any{user(message), both, result("x", "1")}},
		"another result":         {`message 2, tool: the result of call_a_1_0 is "{}"`, []any{user(message), both, result(calls[0].ID, "{}"), second}},
		"a result twice":         {`message 4, tool: tool_call_id "call_a_1_1": no call before it has this id`, []any{user(message), both, first, second, second}},
		"an unknown role":        {`message 0, robot: role "robot"; want system`, []any{object{"role": "robot", "content": "hi"}}},
		"an unknown directive":   {"message 0, user: directive @speed: unknown; known are @agents", []any{user("@speed=3")}},
		"an unknown part":        {`part 0: type "video"; want text or image_url`, []any{user([]any{object{"type": "video"}})}},
		"an image from the web":  {"want data:image/", []any{user([]any{object{"type": "image_url", "image_url": object{"url": "https://example.org/a.png"}}})}},
	} {
		status, body, err := ask(t, url+"/agent/v1/chat/completions", request(c.messages...))
		quoted, _ := json.Marshal(c.want) // a string always encodes
		if err != nil || status != 400 || !strings.Contains(body, strings.Trim(string(quoted), `"`)) {
			t.Errorf("%s: status %d, %v: %s; want %s", name, status, err, body, c.want)
		}
	}
	without := request(user(message))
	without["tools"] = []any{}
	if status, body, err := ask(t, url+"/agent/v1/chat/completions", without); err != nil || status != 400 || !strings.Contains(body, "wants the tool lookup, and tools does not have it") {
		t.Errorf("without tools: status %d: %s", status, body)
	}
}

// A model that may not call several tools at once calls one.
func TestOneCallAtATime(t *testing.T) {
	_, url := start(t)
	r := request(user("@id=a @itl=0s @turns=2 @tools=3"))
	r["parallel_tool_calls"] = false
	_, body, err := ask(t, url+"/agent/v1/chat/completions", r)
	if _, _, _, _, calls := read(t, body); err != nil || len(calls) != 1 {
		t.Errorf("%d calls, %v", len(calls), err)
	}
}

func TestAWholeAnswerIsThatOfTheStream(t *testing.T) {
	_, url := start(t)
	for _, message := range []string{"@id=a @itl=0s @tokens=2 @image=9", "@id=a @itl=0s @turns=2 @tools=2"} {
		r := request(user(message))
		_, streamed, err := ask(t, url+"/agent/v1/chat/completions", r)
		if err != nil {
			t.Fatal(err)
		}
		r["stream"] = false
		_, body, err := ask(t, url+"/agent/v1/chat/completions", r)
		if err != nil {
			t.Fatal(err)
		}
		var all struct {
			ID      string
			Choices []struct {
				Message struct {
					Content   string
					ToolCalls []toolCall `json:"tool_calls"`
					Images    []struct {
						ImageURL struct{ URL string } `json:"image_url"`
					}
				}
				FinishReason string `json:"finish_reason"`
			}
			Usage struct {
				Total int `json:"total_tokens"`
			}
		}
		if err := json.Unmarshal([]byte(body), &all); err != nil || len(all.Choices) != 1 {
			t.Fatalf("%v: %s", err, body)
		}
		m, image := all.Choices[0].Message, ""
		for _, part := range m.Images {
			image += part.ImageURL.URL
		}
		id, text, streamedImage, reason, calls := read(t, streamed)
		if got, want := fmt.Sprint(all.ID, m.Content, image, all.Choices[0].FinishReason, m.ToolCalls), fmt.Sprint(id, text, streamedImage, reason, calls); got != want || all.Usage.Total == 0 {
			t.Errorf("%s: %s, %d tokens; the stream has %s", message, got, all.Usage.Total, want)
		}
	}
}

func TestFaultsOfATurn(t *testing.T) {
	_, url := start(t)
	if status, body, err := ask(t, url+"/agent/v1/chat/completions", request(user("@id=a @itl=0s @fail=1"))); err != nil || status != 500 || !strings.Contains(body, "as asked") {
		t.Errorf("fail: status %d, %v: %s", status, err, body)
	}
	if _, body, err := ask(t, url+"/agent/v1/chat/completions", request(user("@id=a @itl=0s @cut=1 @tokens=4"))); !errors.Is(err, syscall.ECONNRESET) || !strings.Contains(body, "a.0 ") || strings.Contains(body, "a.3 ") {
		t.Errorf("cut: %v: %s", err, body)
	}
	_, body, err := ask(t, url+"/agent/v1/chat/completions", request(user("@id=a @itl=0s @end=1 @tokens=4")))
	if err != nil || !strings.Contains(body, "a.0 ") || strings.Contains(body, "a.3 ") || strings.Contains(body, "[DONE]") || strings.Contains(body, "stop") {
		t.Errorf("end: %v: %s", err, body)
	}
	for directives, want := range map[string]string{"@turns=0": "want at least one answer", "@turns=2 @cut=3": "a fault in a turn after the last", "@turns=2 @end=3": "a fault in a turn after the last", "@tokens=17 @size=1000000": "directive @size=1000000: 17 tokens of it have more than 16777216 bytes", "@hold=1": "needs @id"} {
		if _, body, err := ask(t, url+"/agent/v1/chat/completions", request(user(directives))); err != nil || !strings.Contains(body, want) {
			t.Errorf("%s: %s; want %s", directives, body, want)
		}
	}
}

// Calls of a turn that are not open at once wait for each other, also after one of them left.
func TestABarrierWaitsForAllCalls(t *testing.T) {
	s, url := start(t)
	call := func(i int) string {
		text, err := json.Marshal(arguments{Run: "a", Turn: 1, Call: i, Bytes: 3, Of: 2})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	open := func(body string) net.Conn {
		c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintf(c, "POST /agent/tools/lookup HTTP/1.1\r\nHost: stub\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			t.Fatal(err)
		}
		return c
	}
	ended := func(n int, outcome string) {
		t.Helper()
		awaitJournal(t, s, fmt.Sprintf("the journal has %d, the last %q", n, outcome), func(all []common.Entry) bool { return len(all) == n && all[n-1].Outcome == outcome })
	}
	gone := open(call(0))
	ended(1, "")
	gone.Close()
	ended(1, common.Cancelled)
	defer open(call(0)).Close()
	ended(2, "") // the one that left does not count
	if status, body, err := ask(t, url+"/agent/tools/lookup", json.RawMessage(call(1))); err != nil || status != 200 || body != `{"result":"a-1"}` {
		t.Errorf("status %d, %v: %s", status, err, body)
	}
}

func TestArgumentsThatTheModelDidNotWriteAreRefused(t *testing.T) {
	_, url := start(t)
	for body, want := range map[string]string{`{"key": 1}`: `unknown field`, `{"run": "a", "bytes": -1}`: "want those that the model wrote", `{"run": "a b"}`: `run \"a b\"`, `"x"`: "cannot unmarshal"} {
		if status, got, err := ask(t, url+"/agent/tools/lookup", json.RawMessage(body)); err != nil || status != 400 || !strings.Contains(got, want) {
			t.Errorf("%s: status %d, %v: %s; want %s", body, status, err, got, want)
		}
	}
}
