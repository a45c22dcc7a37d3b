package web

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"fairstream/scripts/internal/measure/verify"
)

func hello(_ context.Context, s *verify.Subject) error {
	q := get("/")
	a, err := q.to(s)
	if err != nil {
		return verify.Stop{Err: fmt.Errorf("GET / gets no answer, so the other checks were not run: %w", err)}
	}
	return q.text(a, "hi")
}

func idAndName(_ context.Context, s *verify.Subject) error {
	for range 5 {
		q, want := greeting()
		if err := q.expects(s, want); err != nil {
			return err
		}
	}
	return nil
}

func poweredBy(_ context.Context, s *verify.Subject) error {
	named, _ := greeting()
	for _, q := range []request{named, get("/id/" + word())} {
		a, err := q.to(s)
		if err != nil {
			return err
		}
		if got := a.Header["x-powered-by"]; got != "benchmark" {
			return fmt.Errorf("%s: x-powered-by: %q; want benchmark", q, got)
		}
	}
	return nil
}

func idAlone(_ context.Context, s *verify.Subject) error {
	for _, query := range []string{"", "?x=" + word(), "?id=" + word(), "?names=" + word(), "?surname=" + word(), "?x=name", "?Name=" + word()} {
		id := word()
		if err := get("/id/"+id+query).expects(s, id); err != nil {
			return err
		}
	}
	return nil
}

// unusual are characters that a path and a query must escape, or may.
const unusual = "äßéñ中文字😀🚀&=?#%+;:@!$'()*,[]|\"<>{}^`~ "

// escape is a text in percent-encoding: letters sometimes, everything else always.
func escape(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if strings.IndexByte(alphanumeric, c) >= 0 && rand.IntN(4) > 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, []string{"%%%02x", "%%%02X"}[rand.IntN(2)], c)
	}
	return b.String()
}

// mixed is a random text with unusual characters between letters. It neither begins nor ends with a space.
func mixed() string {
	return word() + pick(unusual, 3) + word() + pick(unusual, 3) + word()
}

func pathEscapes(_ context.Context, s *verify.Subject) error {
	for _, id := range []string{
		"%20", "%25%41", "a+b", "100%", "é", "日本語", "😀", "a b", "a&b=c", "a?b#c", mixed(), mixed(), mixed(),
	} {
		id, name := id+word(), word()
		if err := get("/id/"+escape(id)+"?name="+name).expects(s, id+" "+name); err != nil {
			return err
		}
	}
	id, name := word()+"+"+word(), word()
	return get("/id/"+id+"?name="+name).expects(s, id+" "+name)
}

func queryEscapes(_ context.Context, s *verify.Subject) error {
	for _, name := range []string{
		"%20", "%25%41", "a+b", "100%", "é", "日本語", "😀", "a b", "a&b=c", "a?b#c", "a/b", "name=", mixed(), mixed(), mixed(),
	} {
		id, name := word(), name+word()
		if err := get("/id/"+id+"?name="+escape(name)).expects(s, id+" "+name); err != nil {
			return err
		}
	}
	for query, want := range map[string]string{
		"name=a+b%20c%2Bd": "a b c+d", "n%61me=%C3%A9+": "é ", "name=a=b": "a=b", "name=a?b/c": "a?b/c",
	} {
		id, tail := word(), word()
		if err := get("/id/"+id+"?"+query+tail).expects(s, id+" "+want+tail); err != nil {
			return err
		}
	}
	return nil
}

func escapedSlash(_ context.Context, s *verify.Subject) error {
	id, end, name := word(), word(), word()
	for _, slash := range []string{"%2F", "%2f"} {
		if err := get("/id/"+id+slash+end+"?name="+name).expects(s, id+"/"+end+" "+name); err != nil {
			return err
		}
	}
	return nil
}

func parameters(_ context.Context, s *verify.Subject) error {
	for _, form := range []string{
		"x=1&name=NAME", "name=NAME&x=1", "id=2&name=NAME", "names=3&surname=4&name=NAME", "x=name&name=NAME", "x=a=b&name=NAME",
		"x=?name=wrong&name=NAME", "x=/id/1?name=wrong&name=NAME", "x&name=NAME", "&&name=NAME&", "=1&name=NAME", "x=1&x=2&name=NAME&x=3", "Name=wrong&name=NAME", "x=%26name%3Dwrong&name=NAME",
	} {
		id, name := word(), word()
		if err := get("/id/"+id+"?"+strings.ReplaceAll(form, "NAME", name)).expects(s, id+" "+name); err != nil {
			return err
		}
	}
	for range 3 {
		id, name := word(), word()
		all := []string{"name=" + name}
		for i := range 20 {
			all = append(all, fmt.Sprintf("p%d%s=%s", i, word(), escape(mixed())))
		}
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if err := get("/id/"+id+"?"+strings.Join(all, "&")).expects(s, id+" "+name); err != nil {
			return err
		}
	}
	return nil
}

func firstName(_ context.Context, s *verify.Subject) error {
	for _, form := range []string{"name=%s&name=%s", "x=1&name=%s&y=2&name=%s&name=3"} {
		id, name := word(), word()
		if err := get("/id/"+id+"?"+fmt.Sprintf(form, name, word())).expects(s, id+" "+name); err != nil {
			return err
		}
	}
	return nil
}
