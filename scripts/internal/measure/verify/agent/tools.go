package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/measure/verify"
)

// tools compares the events of a run, and the rows that it leaves.
func tools(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	c := s.script(3, 2, 3)
	if _, err := s.runs(t, c); err != nil {
		return err
	}
	if err := s.roles(ctx, t, "user assistant tool tool assistant tool tool assistant"); err != nil {
		return err
	}
	_, err = s.runs(t, s.script(1, 0, 1)) // the model checks each result
	return err
}

// roles compares those of the messages of a thread with the expected ones.
func (s *subject) roles(ctx context.Context, t thread, want string) error {
	rows, err := s.rows(ctx, t)
	if err != nil {
		return err
	}
	var got []string
	for _, r := range rows {
		got = append(got, r.role())
	}
	if !slices.Equal(got, strings.Fields(want)) {
		return fmt.Errorf("the stored messages are %s; want %s", strings.Join(got, " "), want)
	}
	return nil
}

// atOnce asks for three tools that are answered when all are open.
func atOnce(_ context.Context, s *subject) error {
	c := s.script(3, 3, 1)
	_, a, err := s.begin(c.String() + " @barrier=1")
	if err != nil {
		return err
	}
	defer a.close()
	all, err := a.done()
	if silent := verify.IsSilence(err); silent {
		return fmt.Errorf("three tools of a turn are not called at the same time: one is answered when all are open (%w)", err)
	}
	if err != nil {
		return err
	}
	return sameEvents(all, c.events())
}

func sixteen(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	if _, err := s.runs(t, s.script(16, 1, 1)); err != nil {
		return err
	}
	return s.roles(ctx, t, "user"+strings.Repeat(" assistant tool", 15)+" assistant")
}

func seventeen(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	c := s.script(17, 1, 1)
	if err := s.failing(t, c.String()); err != nil {
		return err
	}
	found, _, err := s.Entries(c.id, func([]verify.Entry) bool { return true })
	if err != nil {
		return err
	}
	if asked := count(found, "/completions"); asked != 16 {
		return fmt.Errorf("the model was asked %d times; want 16", asked)
	}
	if err := s.roles(ctx, t, "user"+strings.Repeat(" assistant tool", 16)); err != nil {
		return err
	}
	_, err = s.runs(t, s.script(1, 0, 1))
	return err
}

// count counts the requests whose path ends so.
func count(all []verify.Entry, path string) (n int) {
	for _, e := range all {
		if strings.HasSuffix(e.Path, path) {
			n++
		}
	}
	return n
}

// failing expects a run that ends with error.
func (s *subject) failing(t thread, text string) error {
	a, err := say(s.Port, t, text)
	if err != nil {
		return err
	}
	defer a.close()
	_, err = a.failed()
	return err
}

// failed reads a run up to its last event, which must be error.
func (s *stream) failed() ([]event, error) {
	all, err := s.toEnd()
	if err != nil {
		return all, err
	}
	e := all[len(all)-1]
	var data struct{ Message string }
	if e.name != "error" || json.Unmarshal([]byte(e.data), &data) != nil || data.Message == "" {
		err = fmt.Errorf(`the run ends with %s %.100s; want error {"message": "..."}`, e.name, e.data)
	}
	return all, err
}

// failedTool lets the tools of a turn answer 500. The model takes any result of such a tool but an empty one.
func failedTool(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	all, err := s.run(t, s.script(2, 2, 1).String()+" @broken=1")
	if err != nil {
		return err
	}
	failed := 0
	for _, e := range all {
		if e.name == "tool_finished" && e.fields().Error != "" {
			failed++
		}
	}
	if failed != 2 {
		return fmt.Errorf("%d of the 2 failed tools have an error in tool_finished", failed)
	}
	return s.roles(ctx, t, "user assistant tool tool assistant")
}

// agents compares the events of two agents, and the rows. Nothing of an agent is stored but its result.
func agents(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	c := s.script(2, 0, 3)
	all, err := s.run(t, c.String()+" @agents=2")
	if err != nil {
		return err
	}
	if err := sameEvents(all, c.delegated(2)); err != nil {
		return err
	}
	if err := s.roles(ctx, t, "user assistant tool tool assistant"); err != nil {
		return err
	}
	_, err = s.runs(t, s.script(1, 0, 1)) // the model knows the result of each agent
	return err
}

// delegated are the events of a run whose first turn calls n agents. Each agent has a turn with one tool, and a text.
func (c script) delegated(n int) map[string][]string {
	all := script{c.id, 1, 0, c.tokens}.events()
	own := []string{"stored user", "stored assistant"}
	for i := range n {
		call := fmt.Sprintf("call_%s_1_%d", c.id, i)
		of := " of " + call
		agent := script{fmt.Sprintf("%s-%d", c.id, i), 2, 1, c.tokens}
		tool := fmt.Sprintf("call_%s_1_0", agent.id)
		all[call] = slices.Concat([]string{"agent_started " + call, "tool_started " + tool + " lookup" + of, "tool_finished " + tool + of}, agent.said(of), []string{"agent_finished " + call})
		own = append(own, "stored tool")
	}
	all[""] = append(own, all[""][1:]...)
	return all
}

// agentsAtOnce holds the model's answers to both agents, until both have asked.
func agentsAtOnce(_ context.Context, s *subject) error {
	c := s.script(2, 0, 1)
	_, a, err := s.begin(c.String() + " @agents=2 @hold=1")
	if err != nil {
		return err
	}
	defer a.close()
	if err := s.Release(c.id, 100); err != nil {
		return err
	}
	ids := []string{c.id + "-0", c.id + "-1"}
	for _, id := range ids {
		if err := s.asks(id); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if err := s.Release(id, 100); err != nil {
			return err
		}
	}
	_, err = a.done()
	return err
}

// asks waits until an agent has asked the model, which holds the answer to another one back.
func (s *subject) asks(id string) error {
	found, ok, err := s.Entries(id, func(all []verify.Entry) bool { return len(all) == 1 })
	if err == nil && !ok {
		err = fmt.Errorf("while the model answers one agent, the other has asked %d times; want both to run", len(found))
	}
	return err
}

// imageBytes is the size of an image in a message.
const imageBytes = 8_000_000

func imageIn(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	c := s.script(1, 0, 1)
	url := "data:image/png;base64," + strings.Repeat("iVBORw0K", imageBytes/6) // 6 bytes each
	content := fmt.Sprintf(`[{"type": "text", "text": %s}, {"type": "image_url", "image_url": {"url": %s}}]`, quoted(c.String()), quoted(url))
	a, err := open(s.Port, "POST", t.path("/messages"), "", `{"content": `+content+`}`)
	if err != nil {
		return err
	}
	defer a.close()
	if _, err := a.done(); err != nil {
		return err
	}
	noted, err := s.Entry(c.id)
	if err != nil {
		return err
	}
	if !bytes.Contains([]byte(noted.Body), []byte(quoted(url))) {
		return errors.New("the image is not in the request to the model as it was sent")
	}
	rows, err := s.someRows(ctx, t, 1)
	if err != nil {
		return err
	}
	var m struct{ Content json.RawMessage }
	if err := json.Unmarshal(rows[0].Message, &m); err != nil || !sameJSON(m.Content, json.RawMessage(content)) {
		return fmt.Errorf("the message with the image is not stored as it was sent: %.200s", rows[0].Message)
	}
	_, err = s.runs(t, s.script(1, 0, 1)) // the image is in the history
	return err
}

func imageOut(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	all, err := s.run(t, s.script(1, 0, 2).String()+" @image=1000000")
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(e event) bool { return e.name == "image" })
	if i < 0 {
		return errors.New("the model drew an image, and the run has no event image")
	}
	rows, err := s.someRows(ctx, t, 1)
	if err != nil {
		return err
	}
	var m struct {
		Images []struct {
			ImageURL struct{ URL string } `json:"image_url"`
		}
	}
	if err := json.Unmarshal(rows[len(rows)-1].Message, &m); err != nil || len(m.Images) != 1 {
		return fmt.Errorf("the stored answer has %d images; want 1: %.200s", len(m.Images), rows[len(rows)-1].Message)
	}
	// A million bytes of the stub's text, in base64.
	for where, url := range map[string]string{"the event": all[i].fields().URL, "the stored answer": m.Images[0].ImageURL.URL} {
		if !strings.HasPrefix(url, "data:image/png;base64,") || len(url) != len("data:image/png;base64,")+1_333_336 {
			return fmt.Errorf("the image in %s has %d bytes and begins with %.40q; want the model's", where, len(url), url)
		}
	}
	if all[i].fields().URL != m.Images[0].ImageURL.URL {
		return errors.New("the image in the event differs from the stored one")
	}
	return nil
}
