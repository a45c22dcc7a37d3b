package relay

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"fairstream/scripts/internal/measure/verify"
)

// answers checks the header while the stub still holds back the rest. A complete answer may have a length;
// one that is still being written cannot.
func answers(_ context.Context, s *subject) error {
	id := s.ID()
	if err := s.Release(id, 1); err != nil {
		return err
	}
	a, err := s.open("hello @hold=1 @tokens=1 @itl=0s @id=" + id)
	if err != nil {
		return noStream(err)
	}
	defer a.c.Close()
	if kind := a.Header["content-type"]; !strings.HasPrefix(kind, "text/event-stream") {
		return fmt.Errorf("Content-Type %q; want text/event-stream", kind)
	}
	for _, name := range []string{"content-length", "content-encoding"} {
		if value, ok := a.Header[name]; ok {
			return fmt.Errorf("%s: %s; want none on a stream", name, value)
		}
	}
	if err := s.Release(id, 3); err != nil {
		return err
	}
	if err := a.Rest(); err != nil {
		if verify.IsSilence(err) {
			return noStream(fmt.Errorf("the body: %w", err))
		}
		return fmt.Errorf("the body: %w", verify.Readable(err))
	}
	return nil
}

// noStream ends the checks, since a server without a stream would fail all of them in the same way.
func noStream(err error) error {
	return verify.Stop{Err: fmt.Errorf("POST /chat gets no stream, so the other checks were not run: %w", err)}
}

// unchanged compares the received bytes with the bytes that the stub sent.
func unchanged(directives string) func(context.Context, *subject) error {
	return func(_ context.Context, s *subject) error {
		id := s.ID()
		a, err := s.open("hello @id=" + id + " " + directives)
		if err != nil {
			return err
		}
		defer a.c.Close()
		return s.whole(a, id)
	}
}

// same compares the received bytes with those that the stub sent under id.
func (s *subject) same(a *answer, id string) error {
	noted, err := s.Entry(id)
	if err != nil {
		return err
	}
	if sent, got := noted.Sent, string(a.Body); got != sent {
		at := 0
		for at < min(len(sent), len(got)) && sent[at] == got[at] {
			at++
		}
		return fmt.Errorf("differs from what the stub sent from byte %d on: sent %.60q, arrived %.60q", at, sent[at:], got[at:])
	}
	return nil
}

// truncated expects everything that the stub sent. Then it expects a clean end where the upstream ended
// cleanly, and a broken one where the upstream was cut.
func truncated(directives string, clean bool) func(context.Context, *subject) error {
	return func(_ context.Context, s *subject) error {
		id := s.ID()
		c, err := dial(s.Port)
		if err != nil {
			return err
		}
		defer c.Close()
		if err := c.chat("hello @tokens=20 @itl=0s @id=" + id + " " + directives); err != nil {
			return err
		}
		a, err := c.head()
		if !clean && (err == nil && (a.Status == 502 || a.Status == 503) || err != nil && !verify.IsSilence(err)) {
			return nil // the reset overtook the bytes before it, and the client saw the error
		}
		if err == nil && a.Status != 200 {
			err = fmt.Errorf("status %d; want 200", a.Status)
		}
		if err != nil {
			return err
		}
		ended := a.Rest()
		if verify.IsSilence(ended) {
			return fmt.Errorf("after the upstream's end, the answer neither ended nor broke off: %w", ended)
		}
		if bytes.Contains(a.Body, []byte("[DONE]")) {
			return fmt.Errorf("a [DONE] arrived that the stub never sent, after %d events", a.seen())
		}
		if clean {
			if ended != nil {
				return fmt.Errorf("the upstream ended cleanly, the answer did not: %w", verify.Readable(ended))
			}
			return s.same(a, id)
		}
		if ended == nil && !bytes.Contains(a.Body, []byte(`"error"`)) {
			return fmt.Errorf("the answer ends cleanly after %d events; want a broken body or an error event", a.seen())
		}
		return nil
	}
}

const stepTokens = 6

// lockStep makes the stub send an event only after the one before has arrived. It needs no clock: a server
// that waits for more never gets more.
func lockStep(request int, directives, header string) func(context.Context, *subject) error {
	return func(_ context.Context, s *subject) error {
		c, err := dial(s.Port)
		if err != nil {
			return err
		}
		defer c.Close()
		for n := 1; n <= request; n++ {
			if err := s.step(c, directives, header); err != nil {
				return fmt.Errorf("request %d on its connection: %w", n, err)
			}
		}
		return nil
	}
}

func (s *subject) step(c *client, directives, header string) error {
	id := s.ID()
	message := fmt.Sprintf(`{"message": "hello @hold=1 @itl=0s @tokens=%d @id=%s %s"}`, stepTokens, id, directives)
	if err := c.Send("POST", "/chat", "Content-Type: application/json\r\n"+header, message); err != nil {
		return err
	}
	var a *answer
	for event := range stepTokens + 3 { // role, tokens, finish, [DONE]
		if err := s.Release(id, 1); err != nil {
			return err
		}
		if a == nil {
			var err error
			if a, err = c.stream(); err != nil {
				return fmt.Errorf("event 1 was sent, but: %w", err)
			}
		}
		if err := a.next(); err != nil {
			return s.unseen(event+1, err)
		}
	}
	return s.whole(a, id)
}

// whole reads an answer to its end and compares it with what the stub sent.
func (s *subject) whole(a *answer, id string) error {
	if err := a.Rest(); err != nil {
		return fmt.Errorf("the body breaks off after %d events: %w", a.seen(), verify.Readable(err))
	}
	return s.same(a, id)
}

// unseen explains why an event of a held stream did not arrive.
func (s *subject) unseen(event int, err error) error {
	select {
	case <-s.Server.Done():
		return fmt.Errorf("event %d: %w", event, s.Server.Gone())
	default:
	}
	if verify.IsSilence(err) {
		return fmt.Errorf("event %d did not arrive before event %d was sent; the response is buffered (%w)", event, event+1, err)
	}
	return fmt.Errorf("event %d: %w", event, verify.Readable(err))
}

// lockStepCrowd keeps crowdSize streams in lock-step at the same time.
func lockStepCrowd(_ context.Context, s *subject) error {
	all, err := s.gather(s.Share(crowdSize))
	defer closeMembers(all)
	if err != nil {
		return err
	}
	for event := 1; event <= stepTokens+3; event++ {
		err := verify.Each(all, func(m *member) (err error) {
			if event == 1 { // already sent
				m.answer, err = m.stream()
			} else {
				err = s.Release(m.id, 1)
			}
			if err != nil {
				return err
			}
			if err := m.next(); err != nil {
				return fmt.Errorf("with %d streams open: %w", len(all), s.unseen(event, err))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return verify.Each(all, func(m *member) error { return s.whole(m.answer, m.id) })
}
