package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestACommandIsALineForAShell(t *testing.T) {
	for _, c := range []struct {
		want string
		Command
	}{
		{"go build -o bin/server .", Command{Args: []string{"go", "build", "-o", "bin/server", "."}}},
		{"k6 run --address '' -e URL=http://127.0.0.1:80/a,b@c%d+e", Command{Args: []string{"k6", "run", "--address", "", "-e", "URL=http://127.0.0.1:80/a,b@c%d+e"}}},
		{"cd /srv/a && PORT=80 NAME='' bin/server", Command{Args: []string{"bin/server"}, Dir: "/srv/a", Env: []string{"PORT=80", "NAME="}}},
		{`cd '/a b' && X='it'\''s=1 $' sh -c 'exit $?'`, Command{Args: []string{"sh", "-c", "exit $?"}, Dir: "/a b", Env: []string{"X=it's=1 $"}}},
		{`echo 'ä' '*' '~' '!' '#' '\'`, Command{Args: []string{"echo", "ä", "*", "~", "!", "#", `\`}}},
	} {
		if got := c.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestAShellReadsACommandAsItWas(t *testing.T) {
	args := []string{
		"", "plain", "-n", "two words", " ", "\t", "a\nb", "\n", "it's", `"`, `\`, `\n`, `'\''`, "''", "$HOME", "$(pwd)", "`pwd`",
		"*", "?", "[a-z]", "{a,b}", "~", "~root", "#", "!", "!!", "&", "|", ";", "<", ">", "(", ")", "a=b", "%s", "^", "ünï", "\x7f", "\xff",
	}
	dir := filepath.Join(t.TempDir(), "it's a \"dir\" $X")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	c := Command{Args: append([]string{"printf", `%s\n`}, args...)}
	got, err := Output(t.Context(), sh(c.String()))
	if want := strings.Join(args, "\n") + "\n"; err != nil || got != want {
		t.Errorf("%s:\ngot  %q, %v\nwant %q", c, got, err, want)
	}
	for _, value := range args {
		c := Command{Dir: dir, Env: []string{"X=" + value, "Y=y"}, Args: []string{"sh", "-c", `printf '%s|%s|%s' "$X" "$Y" "$(pwd)"`}}
		got, err := Output(t.Context(), sh(c.String()))
		if want := value + "|y|" + dir; err != nil || got != want {
			t.Errorf("%s:\ngot  %q, %v\nwant %q", c, got, err, want)
		}
	}
}

func TestATailKeepsTheEnd(t *testing.T) {
	const text = "0123456789abcdefghijklmnopqrstuvwxyz"
	for _, c := range []struct{ chunk, limit, least, most int }{
		{1, 10, 10, 20}, {3, 10, 10, 20}, {7, 10, 10, 20}, {30, 10, 10, 40}, {1, 0, len(text), len(text)}, {36, 36, 36, 36},
	} {
		all := tail{limit: c.limit}
		for rest := text; rest != ""; rest = rest[min(c.chunk, len(rest)):] {
			chunk := rest[:min(c.chunk, len(rest))]
			if n, err := all.Write([]byte(chunk)); n != len(chunk) || err != nil {
				t.Fatalf("wrote %d, %v", n, err)
			}
		}
		if got := all.String(); !strings.HasSuffix(text, got) || len(got) < c.least || len(got) > c.most {
			t.Errorf("limit %d, written by %d: kept %q", c.limit, c.chunk, got)
		}
		if begin := text[:c.limit]; !strings.HasPrefix(all.whole(), begin) {
			t.Errorf("limit %d, written by %d: %q does not begin with %q", c.limit, c.chunk, all.whole(), begin)
		}
	}
}

// Trace is the package's, so this test runs alone.
func TestEveryCommandIsTracedBeforeItRuns(t *testing.T) {
	var traced bytes.Buffer
	Trace = &traced
	defer func() { Trace = nil }()
	if _, err := Output(t.Context(), Command{Args: []string{"echo", "a b"}, Dir: "/", Env: []string{"X=1"}}); err != nil {
		t.Fatal(err)
	}
	p, err := Start(Command{Args: []string{"sh", "-c", "exit 1"}}, os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	if _, err := Output(t.Context(), Command{Args: []string{"no-such-program-here"}}); err == nil {
		t.Error("a program that is not there: no error")
	}
	want := "cd / && X=1 echo 'a b'\nsh -c 'exit 1'\nno-such-program-here\n"
	if got := traced.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
