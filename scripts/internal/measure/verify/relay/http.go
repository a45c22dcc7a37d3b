package relay

import (
	"context"
	"fmt"

	"fairstream/scripts/internal/measure/verify"
)

// sequential sends 200 requests over one connection.
func sequential(_ context.Context, s *subject) error {
	c, err := dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	for n := range s.Share(200) {
		id := s.ID()
		if err := c.chat("hello @tokens=2 @itl=0s @id=" + id); err != nil {
			return fmt.Errorf("request %d on one connection: %w", n+1, err)
		}
		a, err := c.finish()
		if err == nil {
			err = s.same(a, id)
		}
		if err != nil {
			return fmt.Errorf("request %d on one connection: %w", n+1, err)
		}
	}
	return nil
}

// connectionClose checks that the connection closes after the answer.
func connectionClose(_ context.Context, s *subject) error {
	c, err := dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Send("POST", "/chat", "Content-Type: application/json\r\nConnection: close\r\n", `{"message": "hello @tokens=2 @itl=0s"}`); err != nil {
		return err
	}
	if _, err := c.finish(); err != nil {
		return err
	}
	return c.Closes()
}

// chunkedRequest sends its body in chunks, one of them split.
func chunkedRequest(_ context.Context, s *subject) error {
	c, err := dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	id := s.ID()
	body := `{"message": "hello @tokens=2 @itl=0s @id=` + id + `"}`
	if _, err := fmt.Fprintf(c, "POST /chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n",
		body[:5], len(body)-5, body[5:]); err != nil {
		return err
	}
	a, err := c.finish()
	if err != nil {
		return err
	}
	return s.same(a, id)
}

// quiet checks that the server prints nothing for each token.
func quiet(_ context.Context, s *subject) error {
	const tokens = 1000
	return s.Quiet(tokens, fmt.Sprintf("a stream of %d tokens", tokens), func() error {
		a, err := s.open(fmt.Sprintf("hello @itl=0s @tokens=%d", tokens))
		if err != nil {
			return err
		}
		defer a.c.Close()
		return verify.Readable(a.Rest())
	})
}

// restart starts the server again on the same port, while the kernel still remembers a client's connection to
// the old one.
func restart(ctx context.Context, s *subject) error {
	c, _, err := s.begin("@hold=1", 1)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := s.Restart(ctx); err != nil {
		return err
	}
	return unchanged("@tokens=2 @itl=0s")(ctx, s)
}
