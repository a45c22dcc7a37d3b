package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"fairstream/scripts/internal/measure/verify"
)

// returns expects that an answer has the value of the request.
func (q request) returns(a *verify.Answer) error {
	err := is(a, 200, "application/json")
	if err == nil {
		err = same(q.body, string(a.Body))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", q, err)
	}
	return nil
}

// roundTrip posts a body on a new connection and expects the same value.
func roundTrip(s *verify.Subject, body string) (*verify.Answer, error) {
	q := post(body)
	a, err := q.to(s)
	if err == nil {
		err = q.returns(a)
	}
	return a, err
}

// each posts bodies one after the other.
func each(s *verify.Subject, bodies ...string) error {
	for _, body := range bodies {
		if _, err := roundTrip(s, body); err != nil {
			return err
		}
	}
	return nil
}

func jsonValues(_ context.Context, s *verify.Subject) error {
	for range 10 {
		if err := each(s, write(object(3)), write([]any{value(2), value(1)})); err != nil {
			return err
		}
	}
	return each(s, "{}", "[]", " { } ")
}

func jsonNumbers(_ context.Context, s *verify.Subject) error {
	var all []any
	for _, n := range numbers {
		if err := each(s, fmt.Sprintf(`{"%s": %s}`, word(), n)); err != nil {
			return err
		}
		all = append(all, n)
	}
	for range 20 {
		all = append(all, number(fmt.Sprint(rand.Int64N(1<<53))), number(fmt.Sprint(rand.NormFloat64())))
	}
	return each(s, write(all))
}

func jsonUnicode(_ context.Context, s *verify.Subject) error {
	for _, text := range []string{
		`é`, `\u00e9`, `\u00E9`, `😀`, `\ud83d\ude00`, `\uD83D\uDE00x`, `\u0001\u001f\u007f`, `\n\r\t\b\f\/\\\"`, "\u2028\u2029", `<script>&amp;</script>`, `日本語`, `\u0041`, `\u0000`,
	} {
		if err := each(s, fmt.Sprintf(`{"%s": "%s%s", "%s": 1, "": {"": "%s"}}`, word(), word(), text, text, text)); err != nil {
			return err
		}
	}
	q := post(write(object(1)))
	q.header = "content-type: application/json; charset=utf-8\r\n"
	a, err := q.to(s)
	if err != nil {
		return err
	}
	return q.returns(a)
}

func jsonNesting(_ context.Context, s *verify.Subject) error {
	const deep = 100
	key := word()
	return each(s,
		strings.Repeat("[", deep)+`"`+word()+`"`+strings.Repeat("]", deep),
		strings.Repeat(`{"`+key+`":`, deep)+"7"+strings.Repeat("}", deep),
		strings.Repeat(`[{"`+key+`": `, deep/2)+"[]"+strings.Repeat("} ]", deep/2))
}

func jsonScalars(_ context.Context, s *verify.Subject) error {
	return each(s, `"`+word()+`"`, fmt.Sprint(rand.IntN(1000)), "true", "false", "null", `""`, "0")
}

// jsonSerialised posts what no serialiser writes: white space at random, and a letter as an escape.
func jsonSerialised(_ context.Context, s *verify.Subject) error {
	for range 5 {
		body := "\n { \"" + word() + "\" :\t\r\n[ 1 ,  \"\\u0041" + word() + "\" ] , " + strings.TrimLeft(write(object(2)), " \t\r\n")[1:]
		a, err := roundTrip(s, body)
		if err != nil {
			return err
		}
		if bytes.Contains(a.Body, []byte(`\u0041`)) || bytes.Contains(a.Body, []byte("\t\r\n[")) {
			return fmt.Errorf("sent %.100q, arrived %.100q: the request's own bytes; want the value as the server writes it", body, a.Body)
		}
	}
	return nil
}

// refuses expects 400 for each body, and a working server afterwards.
func refuses(s *verify.Subject, bodies ...string) error {
	for _, body := range bodies {
		q := post(body)
		a, err := q.to(s)
		if err != nil {
			return err
		}
		if a.Status != 400 {
			return fmt.Errorf("%s: status %d; want 400", q, a.Status)
		}
	}
	if _, err := roundTrip(s, write(object(2))); err != nil {
		return fmt.Errorf("the request after invalid ones: %w", err)
	}
	return nil
}

func jsonInvalid(_ context.Context, s *verify.Subject) error {
	w := word()
	return refuses(s, "", " ", "{", `{"`+w+`": 1`, `{"`+w+`": 1,}`, `{"`+w+`" 1}`, `{'`+w+`': 1}`, `{`+w+`: 1}`, "[1, 2", "[1,]", "[1 2]", `{"`+w+`": 1} x`, `{"`+w+`": 1}{}`, `["`+w+`]`,
		`["\x"]`, `["\u12"]`, "[01]", "[1.]", "[.5]", "[+1]", "[1e]", "[0x1]", "[tru]", "[\"a\nb\"]", "/* */ {}", "<a>"+w+"</a>", "a=1&b="+w)
}

func jsonNotANumber(_ context.Context, s *verify.Subject) error {
	return refuses(s, "[NaN]", `{"`+word()+`": Infinity}`, "[-Infinity]")
}

// long is an object of about n bytes, which are different everywhere.
func long(n int) string {
	var b strings.Builder
	b.WriteString("{")
	for b.Len() < n-30 {
		fmt.Fprintf(&b, `"%s": "%s",`, word(), word())
	}
	return b.String() + `"last": 1}`
}

func jsonBig(_ context.Context, s *verify.Subject) error { return each(s, long(1_000_000)) }

// jsonTooBig accepts a server that closes the connection while the client sends. Then a 413 may be lost.
func jsonTooBig(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	c.Most = 16 << 20
	q := post(long(3_000_000))
	go io.WriteString(c, q.wire()) // it ends with the connection, and the server may read none of it
	a, err := q.answer(c)
	switch {
	case verify.IsSilence(err):
		return err
	case err == nil && a.Status == 200:
		if err := q.returns(a); err != nil {
			return err
		}
	case err == nil && a.Status != 413:
		return fmt.Errorf("a body of 3 MB: status %d; want 200 or 413", a.Status)
	case err != nil && !errors.Is(err, verify.ErrClosed):
		return err
	}
	if _, err := roundTrip(s, write(object(2))); err != nil {
		return fmt.Errorf("the request after a body of 3 MB: %w", err)
	}
	return nil
}
