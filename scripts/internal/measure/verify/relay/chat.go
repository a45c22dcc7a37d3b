package relay

import (
	"bytes"
	"encoding/json"
	"fmt"

	"fairstream/scripts/internal/measure/verify"
)

// chat sends POST /chat with a message.
func (c *client) chat(message string) error {
	body, err := json.Marshal(map[string]string{"message": message})
	if err != nil {
		return err
	}
	return c.Send("POST", "/chat", "Content-Type: application/json\r\n", string(body))
}

// open sends a message on a new connection and reads up to the body.
func (s *subject) open(message string) (*answer, error) {
	c, err := dial(s.Port)
	if err != nil {
		return nil, err
	}
	if err = c.chat(message); err == nil {
		var a *answer
		if a, err = c.stream(); err == nil {
			return a, nil
		}
	}
	c.Close()
	return nil, err
}

// stream reads the head of an answer, which must be a stream.
func (c *client) stream() (*answer, error) {
	a, err := c.head()
	if err == nil && a.Status != 200 {
		err = fmt.Errorf("status %d; want 200", a.Status)
	}
	return a, err
}

// finish reads an answer to its end. It must be a stream.
func (c *client) finish() (*answer, error) {
	a, err := c.stream()
	if err == nil {
		err = a.Rest()
	}
	return a, verify.Readable(err)
}

// seen counts the events that have arrived.
func (a *answer) seen() int { return bytes.Count(a.Body, []byte("\n\n")) }

// next reads up to the end of the next event.
func (a *answer) next() error {
	for from := a.scanned; ; {
		if i := bytes.Index(a.Body[from:], []byte("\n\n")); i >= 0 {
			a.scanned = from + i + 2
			return nil
		}
		from = max(from, len(a.Body)-1) // search only the new part
		if err := a.More(); err != nil {
			return err
		}
	}
}
