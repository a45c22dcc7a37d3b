package files

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"fairstream/scripts/internal/measure/verify"
)

// answers checks the header of a file.
func answers(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	name, want := seeded("20k-%d,type=png,piece=10k,hold,id=" + s.ID())
	if err := ask(c, "GET", name, ""); err != nil {
		return err
	}
	if err := s.Release(idOf(name), 2); err != nil {
		return err
	}
	a, err := receive(c, want)
	if err != nil {
		return verify.Stop{Err: fmt.Errorf("GET /files/%s gets no file, so the other checks were not run: %w", name, err)}
	}
	for field, value := range map[string]string{"content-type": "image/png", "content-encoding": ""} {
		if got := a.Header[field]; got != value {
			return fmt.Errorf("%s: %q; want %q, as the upstream has it", field, got, value)
		}
	}
	return a.whole()
}

// length checks a header while the stub holds back a part of the body. A server that has all of it knows the
// length anyway.
func length(_ context.Context, s *verify.Subject) error {
	m := held(s, "piece=10k", 2)
	err := m.begin(s, 1)
	if m.Client != nil {
		defer m.Client.Close()
	}
	if err == nil {
		err = m.seen(s)
	}
	if err != nil {
		return err
	}
	if a := m.answer; a.Header["content-length"] != "20000" || a.Header["transfer-encoding"] != "" {
		return fmt.Errorf("Content-Length %q, Transfer-Encoding %q; want 20000 and none, as the upstream has it", a.Header["content-length"], a.Header["transfer-encoding"])
	}
	return m.finish(s)
}

// idOf returns the id in a name.
func idOf(name string) string {
	_, id, _ := strings.Cut(name, "id=")
	id, _, _ = strings.Cut(id, ",")
	return id
}

func exact(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, size := range []string{"8k", "200k", "0", "1", "65536", "65537", "2m", "8k"} {
		c.Most = verify.MaxPart
		if err := file(c, size+"-%d"); err != nil {
			return err
		}
	}
	return nil
}

func binary(ctx context.Context, s *verify.Subject) error {
	return unchanged("8k-%d,binary", "200k-%d,binary", "200k-%d,binary,chunked,piece=777", "200k-%d,binary,type=text", "8k-%d,binary,type=json")(ctx, s)
}

func pieces(ctx context.Context, s *verify.Subject) error {
	return unchanged("300-%d,piece=1", "200k-%d,piece=50k,pace=50ms", "200k-%d,piece=777", "100-%d,piece=50,pace=200ms,headers=200ms")(ctx, s)
}

func types(_ context.Context, s *verify.Subject) error {
	for name, want := range map[string]string{
		"bytes": "application/octet-stream", "html": "text/html; charset=utf-8", "json": "application/json", "png": "image/png",
		"text": "text/plain; charset=iso-8859-1", "unknown": `application/x-fairstream; part="a, b"`,
	} {
		for _, form := range []string{"", ",chunked"} {
			if err := hasType(s, "8k-%d,type="+name+form, want); err != nil {
				return err
			}
		}
	}
	return nil
}

func hasType(s *verify.Subject, form, kind string) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	name, want := seeded(form)
	a, err := get(c, name, want)
	if err == nil && a.Header["content-type"] != kind {
		err = fmt.Errorf("Content-Type %q; want %q", a.Header["content-type"], kind)
	}
	if err == nil {
		err = a.whole()
	}
	if err != nil {
		return fmt.Errorf("GET /files/%s: %w", name, err)
	}
	return nil
}

// gzip uses text, which some servers compress and others do not.
func gzip(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, kind := range []string{"text", "json", "html", "bytes"} {
		name, want := seeded("200k-%d,type=" + kind)
		if err := ask(c, "GET", name, "Accept-Encoding: gzip, deflate, br, zstd\r\n"); err != nil {
			return err
		}
		a, err := receive(c, want)
		if err == nil && a.Header["content-encoding"] != "" {
			err = fmt.Errorf("Content-Encoding %s; want none", a.Header["content-encoding"])
		}
		if err == nil && a.hasLength() && a.Header["content-length"] != strconv.Itoa(len(want)) {
			err = fmt.Errorf("Content-Length %q; want %d", a.Header["content-length"], len(want))
		}
		if err == nil {
			err = a.whole()
		}
		if err != nil {
			return fmt.Errorf("GET /files/%s: %w", name, err)
		}
	}
	return nil
}

// head expects no byte between the header and the next answer.
func head(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	for range 2 {
		name, want := seeded("8k-%d,type=png")
		if err := ask(c, "HEAD", name, ""); err != nil {
			return err
		}
		a, err := receive(c, want)
		if err != nil {
			return fmt.Errorf("HEAD /files/%s: %w", name, err)
		}
		if kind, length := a.Header["content-type"], a.Header["content-length"]; kind != "image/png" || length != "8000" {
			return fmt.Errorf("HEAD /files/%s: Content-Type %q, Content-Length %q; want image/png, 8000", name, kind, length)
		}
	}
	if err := file(c, "8k-%d"); err != nil {
		return fmt.Errorf("after HEAD: %w", err)
	}
	return nil
}
