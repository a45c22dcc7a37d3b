package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"fairstream/scripts/internal/measure/verify"
)

// upstreamFails expects a gateway error in JSON, and a working server afterwards.
func upstreamFails(directives string) func(context.Context, *subject) error {
	return func(ctx context.Context, s *subject) error {
		c, err := dial(s.Port)
		if err != nil {
			return err
		}
		defer c.Close()
		if err := c.chat("hello " + directives); err != nil {
			return err
		}
		a, err := c.head()
		if err != nil {
			return err
		}
		if a.Status != 502 && a.Status != 503 {
			return fmt.Errorf("status %d; want 502 or 503", a.Status)
		}
		if err := a.isJSON(); err != nil {
			return err
		}
		if err := unchanged("@tokens=2 @itl=0s")(ctx, s); err != nil {
			return fmt.Errorf("the request after it: %w", err)
		}
		return nil
	}
}

// isJSON reads the body, which must be a JSON object.
func (a *answer) isJSON() error {
	if kind := a.Header["content-type"]; !strings.HasPrefix(kind, "application/json") {
		return fmt.Errorf("status %d with Content-Type %q; want application/json", a.Status, kind)
	}
	if err := a.Rest(); err != nil {
		return fmt.Errorf("the error's body: %w", verify.Readable(err))
	}
	var object map[string]any
	if err := json.Unmarshal([]byte(a.Body), &object); err != nil {
		return fmt.Errorf("the error's body is not a JSON object: %.80q", a.Body)
	}
	return nil
}

func badInput(_ context.Context, s *subject) error {
	id := s.ID()
	for _, body := range []string{
		"", "{", "hello @id=" + id, `{}`, `{"message": null}`, `{"message": 7}`, `{"message": ["hello @id=` + id + `"]}`,
		`{"message": "hello @id=` + id + `"`, `["hello @id=` + id + `"]`,
	} {
		c, err := dial(s.Port)
		if err != nil {
			return err
		}
		defer c.Close()
		if err := c.Send("POST", "/chat", "Content-Type: application/json\r\n", body); err != nil {
			return err
		}
		a, err := c.head()
		if err != nil {
			return fmt.Errorf("body %q: %w", body, err)
		}
		if a.Status != 400 {
			return fmt.Errorf("body %q: status %d; want 400", body, a.Status)
		}
		if err := a.isJSON(); err != nil {
			return fmt.Errorf("body %q: %w", body, err)
		}
	}
	for _, r := range []struct {
		method, path string
		status       []int
	}{{"GET", "/chat", []int{404, 405}}, {"GET", "/nowhere", []int{404}}} {
		c, err := dial(s.Port)
		if err != nil {
			return err
		}
		defer c.Close()
		if err := c.Send(r.method, r.path, "", ""); err != nil {
			return err
		}
		a, err := c.head()
		if err != nil {
			return fmt.Errorf("%s %s: %w", r.method, r.path, err)
		}
		if a.Status != r.status[0] && a.Status != r.status[len(r.status)-1] {
			return fmt.Errorf("%s %s: status %d; want %v", r.method, r.path, a.Status, r.status)
		}
	}
	var found []entry
	if err := s.Ask("GET", "/journal/"+id, &found); err != nil {
		return err
	}
	if len(found) > 0 {
		return fmt.Errorf("the upstream was asked %d times for bad input", len(found))
	}
	return nil
}

// messageFidelity sends unusual text and reads what the stub received.
func messageFidelity(_ context.Context, s *subject) error {
	for _, text := range []string{
		`quotes " \ and / <b>&amp;`, "controls \u0001\u001f\t\r\n", "emoji \U0001f600 and \u2028 \u6f22\u5b57", strings.Repeat("1 MB ", 200_000),
	} {
		id := s.ID()
		message := text + " @tokens=1 @itl=0s @id=" + id
		a, err := s.open(message)
		if err != nil {
			return fmt.Errorf("message %.40q: %w", text, err)
		}
		defer a.c.Close()
		e, err := s.Entry(id)
		if err != nil {
			return fmt.Errorf("message %.40q: %w", text, err)
		}
		var got struct {
			Stream   bool
			Messages []struct{ Role, Content string }
		}
		if err := json.Unmarshal([]byte(e.Body), &got); err != nil {
			return fmt.Errorf("message %.40q: the upstream got no JSON: %w", text, err)
		}
		if e.Method != "POST" || !strings.HasPrefix(e.Header.Get("Content-Type"), "application/json") || !got.Stream || len(got.Messages) != 1 || got.Messages[0].Role != "user" {
			return fmt.Errorf("message %.40q: the upstream got %s with Content-Type %q, stream %v, %d messages; want a POST of application/json, stream true, one message of the user",
				text, e.Method, e.Header.Get("Content-Type"), got.Stream, len(got.Messages))
		}
		if got.Messages[0].Content != message {
			return fmt.Errorf("message %.40q: the upstream got %.60q", message, got.Messages[0].Content)
		}
	}
	return nil
}
