package web

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/measure/verify"
)

// file is the name of the file in a server's working directory.
const file = "data.json"

// loads is the file whose content the load expects, and copyIt says what to do without a copy.
const (
	loads  = "k6/web/lib/" + file
	copyIt = "copy " + loads + " of Fairstream to the server's directory"
)

// read expects the content of the file.
func read(a *verify.Answer, want []byte) error {
	err := is(a, 200, "application/json")
	if err == nil && string(a.Body) != string(want) {
		err = fmt.Errorf("body %.100q; want the %d bytes of %s, which begin with %.100q", a.Body, len(want), file, want)
	}
	if err != nil {
		return fmt.Errorf("GET /data: %w", err)
	}
	return nil
}

func data(_ context.Context, s *verify.Subject) error {
	want, err := os.ReadFile(filepath.Join(s.Dir(), file))
	if err != nil {
		return fmt.Errorf("%w; %s", err, copyIt)
	}
	expected, err := os.ReadFile(filepath.Join(s.Root, loads))
	if err != nil {
		return verify.Harness(err)
	}
	if string(want) != string(expected) {
		return fmt.Errorf("%s differs from the file that the load expects; %s", file, copyIt)
	}
	a, err := get("/data").to(s)
	if err != nil {
		return err
	}
	return read(a, want)
}

// fresh changes the file between requests: in place or by another file of that name, with the same length or
// another, always with the same time of its last change. It does so in a copy of the server's directory, since
// another process may use the directory.
func fresh(ctx context.Context, s *verify.Subject) error {
	if err := s.Move(ctx, file); err != nil {
		return err
	}
	path := filepath.Join(s.Dir(), file)
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("%w; %s", err, copyIt)
	}
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	for n := range 8 {
		length := max(20, int(info.Size()))
		if n%4 > 1 {
			length += rand.IntN(2000)
		}
		if n == 7 {
			length = 100_000
		}
		key := pick(alphanumeric, 4)
		content := fmt.Sprintf("{\"%s\": \"%s\"}\n", key, pick(alphanumeric, length-len("{\"1234\": \"\"}\n")))
		if err := replace(path, content, info.ModTime(), n%2 == 1); err != nil {
			return verify.Harness(err)
		}
		a, err := get("/data").on(c)
		if err == nil {
			err = read(a, []byte(content))
		}
		if err != nil {
			return fmt.Errorf("after change %d of the file: %w", n+1, err)
		}
	}
	return nil
}

// replace writes a file in place, or puts another in its place.
func replace(path, content string, changed time.Time, another bool) error {
	to := path
	if another {
		to += ".new"
	}
	err := errors.Join(os.WriteFile(to, []byte(content), 0o644), os.Chtimes(to, changed, changed))
	if err == nil && another {
		err = os.Rename(to, path)
	}
	return err
}
