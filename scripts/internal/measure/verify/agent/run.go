package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"fairstream/scripts/internal/measure/services"
	"fairstream/scripts/internal/measure/verify"
)

const connections = services.Connections

// answers is the smallest run.
func answers(_ context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err == nil {
		_, err = s.run(t, "@tokens=3 @itl=0s")
	}
	if err != nil {
		return verify.Stop{Err: fmt.Errorf("a run does not work, so the other checks were not run: %w", err)}
	}
	return nil
}

// A script is a run as the stub's directives describe it.
type script struct {
	id                   string
	turns, tools, tokens int
}

func (c script) String() string {
	return fmt.Sprintf("hello @id=%s @turns=%d @tools=%d @tokens=%d @itl=0s", c.id, c.turns, c.tools, c.tokens)
}

// events are those of a run, in order, by call; "" has those of the run itself. Tools of a turn run at once, so the order
// between them is open.
func (c script) events() map[string][]string {
	all := map[string][]string{"": {"stored user"}}
	for turn := 1; turn < c.turns; turn++ {
		all[""] = append(all[""], "stored assistant")
		for i := range c.tools {
			call := fmt.Sprintf("call_%s_%d_%d", c.id, turn, i)
			all[call] = []string{"tool_started " + call + " lookup", "tool_finished " + call}
			all[""] = append(all[""], "stored tool")
		}
	}
	all[""] = append(all[""], c.said("")...)
	all[""] = append(all[""], "stored assistant", "done")
	return all
}

// said are the tokens of the last answer.
func (c script) said(suffix string) (all []string) {
	for i := range c.tokens {
		all = append(all, fmt.Sprintf("token %s.%d %s", c.id, i, suffix))
	}
	return all
}

// byCall orders events as script.events does.
func byCall(all []event) map[string][]string {
	by := map[string][]string{}
	for _, e := range all {
		f := e.fields()
		call := f.Agent
		if call == "" {
			call = f.Call
		}
		by[call] = append(by[call], e.String())
	}
	return by
}

// sameEvents compares the events of a run with the expected ones.
func sameEvents(all []event, want map[string][]string) error {
	got := byCall(all)
	if reflect.DeepEqual(got, want) {
		return nil
	}
	for _, call := range slices.Sorted(maps.Keys(want)) {
		if !slices.Equal(got[call], want[call]) {
			of := "the run"
			if call != "" {
				of = call
			}
			return fmt.Errorf("events of %s: %s; want %s", of, list(got[call]), list(want[call]))
		}
	}
	return fmt.Errorf("%d calls have events; want %d: %q", len(got)-1, len(want)-1, slices.Sorted(maps.Keys(got)))
}

// list shows the first of many events.
func list(all []string) string {
	if len(all) > 12 {
		return fmt.Sprintf("%s, and %d more", strings.Join(all[:12], ", "), len(all)-12)
	}
	return strings.Join(all, ", ")
}

// runs runs a script, and compares its events.
func (s *subject) runs(t thread, c script) ([]event, error) {
	all, err := s.run(t, c.String())
	if err != nil {
		return all, err
	}
	return all, sameEvents(all, c.events())
}

// script returns one with a new id.
func (s *subject) script(turns, tools, tokens int) script {
	return script{s.ID(), turns, tools, tokens}
}

func eventsOfARun(_ context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	for range 3 { // on one thread
		if _, err := s.runs(t, s.script(1, 0, 20)); err != nil {
			return err
		}
	}
	return nil
}

// lockStep lets the model say a token only after the one before has arrived.
func lockStep(_ context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	m := held{script: s.script(1, 0, 6), thread: t}
	defer m.close()
	if err := m.begin(s); err != nil {
		return err
	}
	for range m.tokens {
		if err := m.next(s); err != nil {
			return err
		}
	}
	return m.end(s)
}

// A held is a run whose answers the stub holds back.
type held struct {
	script
	thread thread
	*stream
	seen int // tokens
}

// begin starts the run, and waits for its first event.
func (h *held) begin(s *subject) (err error) {
	if h.stream, err = say(s.Port, h.thread, h.String()+" @hold=1"); err != nil {
		return err
	}
	if err := s.Release(h.id, 1); err != nil { // the role has no event
		return err
	}
	return h.expects(s, "stored user")
}

// next releases a token and expects it.
func (h *held) next(s *subject) error {
	if err := s.Release(h.id, 1); err != nil {
		return err
	}
	h.seen++
	return h.expects(s, h.said("")[h.seen-1])
}

func (h *held) expects(s *subject, want string) error {
	e, err := h.stream.next()
	select {
	case <-s.Server.Done():
		return s.Server.Gone()
	default:
	}
	switch {
	case verify.IsSilence(err):
		return fmt.Errorf("%q did not arrive before the model said more; the server holds it back (%w)", want, err)
	case err != nil:
		return fmt.Errorf("%q: %w", want, verify.Readable(err))
	case e.String() != want:
		return fmt.Errorf("event %q; want %q", e, want)
	}
	return nil
}

// end releases the rest, and expects that the run is complete.
func (h *held) end(s *subject) error {
	if err := s.Release(h.id, 100); err != nil {
		return err
	}
	_, err := h.done()
	return err
}

func (h *held) close() {
	if h.stream != nil {
		h.stream.close()
	}
}

const crowdSize = 200

// gather begins n held runs, each on a thread of its own.
func (s *subject) gather(n, turns, tools, tokens int) (all []held, err error) {
	all = make([]held, n)
	for i := range all {
		all[i].script = s.script(turns, tools, tokens)
	}
	return all, verify.Each(all, func(h *held) (err error) {
		if h.thread, err = s.create("one of many"); err != nil {
			return err
		}
		return h.begin(s)
	})
}

func closeAll(all []held) {
	for i := range all {
		all[i].close()
	}
}

func lockStepCrowd(_ context.Context, s *subject) error {
	all, err := s.gather(s.Share(crowdSize), 1, 0, 4)
	defer closeAll(all)
	for token := 0; err == nil && token < 4; token++ {
		err = verify.Each(all, func(h *held) error { return h.next(s) })
	}
	if err == nil {
		err = verify.Each(all, func(h *held) error { return h.end(s) })
	}
	if err != nil {
		return fmt.Errorf("with %d runs open: %w", len(all), err)
	}
	return nil
}

// history adds messages behind the server's back. The model refuses a request that lacks one of them, and the check
// compares what it got with the rows.
func history(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	for round := range 2 {
		for i := range 10 {
			key := fmt.Sprintf("h%d-%d", round, i)
			if err := s.insert(ctx, t, fmt.Sprintf(`{"role": "user", "content": "@id=%s @tokens=2"}`, key), fmt.Sprintf(`{"role": "assistant", "content": "%[1]s.0 %[1]s.1 "}`, key)); err != nil {
				return err
			}
		}
		c := s.script(1, 0, 1)
		if _, err := s.runs(t, c); err != nil {
			return err
		}
		noted, err := s.Entry(c.id)
		if err != nil {
			return err
		}
		var asked struct{ Messages []json.RawMessage }
		if err := json.Unmarshal([]byte(noted.Body), &asked); err != nil {
			return fmt.Errorf("the request to the model: %w", err)
		}
		rows, err := s.someRows(ctx, t, 1)
		if err != nil {
			return err
		}
		rows = rows[:len(rows)-1] // the answer came later
		if len(asked.Messages) > 0 && slices.Contains([]string{"system", "developer"}, row{Message: asked.Messages[0]}.role()) {
			asked.Messages = asked.Messages[1:] // the server's own
		}
		if len(asked.Messages) != len(rows) {
			return fmt.Errorf("the model got %d messages; the thread has %d", len(asked.Messages), len(rows))
		}
		for i, r := range rows {
			if !sameJSON(asked.Messages[i], r.Message) {
				return fmt.Errorf("message %d to the model is %.100s; the thread has %.100s", i, asked.Messages[i], r.Message)
			}
		}
	}
	return nil
}

// sameJSON compares values, whatever their form.
func sameJSON(a, b json.RawMessage) bool {
	var va, vb any
	return json.Unmarshal(a, &va) == nil && json.Unmarshal(b, &vb) == nil && reflect.DeepEqual(va, vb)
}

func unicode(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	for _, text := range []string{"“Grüße” 😀 \\ \" \n\t\r ﷽ <b>&amp;</b> \u2028 日本語", strings.Repeat("long ", 40_000), "' ; drop table messages; -- $1 %s"} {
		if _, err := s.run(t, text+" @tokens=1 @itl=0s"); err != nil {
			return err
		}
		rows, err := s.someRows(ctx, t, 2)
		if err != nil {
			return err
		}
		var m struct{ Content string }
		if err := json.Unmarshal(rows[len(rows)-2].Message, &m); err != nil {
			return fmt.Errorf("the text %.60q is stored as %.60q: %w", text, rows[len(rows)-2].Message, err)
		}
		if m.Content != text+" @tokens=1 @itl=0s" {
			return fmt.Errorf("the text %.60q is stored as %.60q", text, m.Content)
		}
	}
	return nil
}
