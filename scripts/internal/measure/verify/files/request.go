package files

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"fairstream/scripts/internal/measure/verify"
	"fairstream/stub/files/content"
)

// An answer is a response whose body is read up to a byte.
type answer struct {
	*verify.Answer
	want []byte // the file
}

// seeded returns a name with a new seed, and the file of that name.
func seeded(form string) (name string, want []byte) {
	seed := 1 + rand.Uint32N(1<<31)
	name = fmt.Sprintf(form, seed)
	text, _, _ := strings.Cut(name, "-")
	size := bytesOf(text)
	if strings.Contains(name, ",binary") {
		return name, content.Binary(size, seed)
	}
	return name, content.Text(size, seed)
}

// ask sends a request; header lines end in CRLF.
func ask(c *verify.Client, method, name, header string) error {
	_, err := fmt.Fprintf(c, "%s /files/%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", method, name, header)
	return verify.Readable(err)
}

// receive reads the head of an answer, which must have a file.
func receive(c *verify.Client, want []byte) (*answer, error) {
	a, err := c.Head()
	if err == nil && a.Status != 200 {
		err = fmt.Errorf("status %d; want 200", a.Status)
	}
	return &answer{a, want}, err
}

// get sends a request on a connection and reads the head of the answer.
func get(c *verify.Client, name string, want []byte) (*answer, error) {
	if err := ask(c, "GET", name, ""); err != nil {
		return nil, err
	}
	return receive(c, want)
}

// file asks for a file with a new seed and compares all of it.
func file(c *verify.Client, form string) error {
	name, want := seeded(form)
	a, err := get(c, name, want)
	if err == nil {
		err = a.whole()
	}
	if err != nil {
		return fmt.Errorf("GET /files/%s: %w", name, err)
	}
	return nil
}

// anew does so on a connection of its own.
func anew(s *verify.Subject, form string) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	return file(c, form)
}

// unchanged compares files with all that the server sends. Their names have a verb for the seed.
func unchanged(forms ...string) func(context.Context, *verify.Subject) error {
	return func(_ context.Context, s *verify.Subject) error {
		for _, form := range forms {
			if err := anew(s, form); err != nil {
				return err
			}
		}
		return nil
	}
}

// hasLength reports whether the body has a Content-Length.
func (a *answer) hasLength() bool {
	_, ok := a.Header["content-length"]
	return ok
}

// upTo reads until n bytes of the body have come. More may come, if the server sends chunks.
func (a *answer) upTo(n int) error {
	for len(a.Body) < n {
		if !a.hasLength() {
			if err := a.More(); err != nil {
				return err
			}
			continue
		}
		text, err := a.Client.Take(min(n-len(a.Body), 64<<10)) // not all at once, so that an error can say how much came
		if err != nil {
			return err
		}
		a.Body = append(a.Body, text...)
	}
	return nil
}

// rest reads the body to its end. A body that breaks off is an error.
func (a *answer) rest() error {
	if !a.hasLength() {
		return a.Rest()
	}
	length, err := strconv.ParseUint(a.Header["content-length"], 10, 32)
	if err != nil || length > verify.MaxPart {
		return fmt.Errorf("Content-Length %q", a.Header["content-length"])
	}
	if err := a.upTo(int(length)); err != nil {
		return err
	}
	a.Ended = true
	return nil
}

// whole reads an answer to its end and compares it with the file.
func (a *answer) whole() error {
	if err := a.rest(); err != nil {
		return fmt.Errorf("the body breaks off after %d of %d bytes: %w", len(a.Body), len(a.want), verify.Readable(err))
	}
	return a.same(len(a.want))
}

// same compares what has come with the first n bytes of the file.
func (a *answer) same(n int) error {
	if want := a.want[:n]; !bytes.Equal(a.Body, want) {
		at := 0
		for at < min(len(want), len(a.Body)) && want[at] == a.Body[at] {
			at++
		}
		return fmt.Errorf("%d bytes arrived, want %d; they differ from byte %d on: sent %.40q, arrived %.40q", len(a.Body), n, at, want[at:], a.Body[at:])
	}
	return nil
}

// sizeOf reads the size of a piece in directives.
func sizeOf(directives string) int {
	_, text, _ := strings.Cut(directives, "piece=")
	text, _, _ = strings.Cut(text, ",")
	return bytesOf(text)
}

// bytesOf reads a size as the stub does: 8k is 8000.
func bytesOf(text string) int {
	unit := 1
	if kilo, ok := strings.CutSuffix(text, "k"); ok {
		text, unit = kilo, 1_000
	} else if mega, ok := strings.CutSuffix(text, "m"); ok {
		text, unit = mega, 1_000_000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err) // all names are in this package
	}
	return n * unit
}
