package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal opens a pseudoterminal: the end that programs write to, and the other.
func terminal(t *testing.T) (program, screen *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudoterminals here: ", err)
	}
	t.Cleanup(func() { screen.Close() })
	if err := unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(filepath.Join("/dev/pts", strconv.Itoa(number)), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return program, screen
}

func TestOnATerminalALineIsRedrawnAndClearedAtTheEnd(t *testing.T) {
	program, screen := terminal(t)
	b := NewBar(program, 40*time.Second)
	b.Step("gin", 0) // planned to take no time, so every redrawing is the same
	const clear, line = "\r\x1b[K", "[........................]   0 %  gin  (about 40s left)"
	var mu sync.Mutex
	var seen []byte
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := screen.Read(buffer) // ends when the program's end is closed
			if err != nil {
				return
			}
			mu.Lock()
			seen = append(seen, buffer[:n]...)
			mu.Unlock()
		}
	}()
	until := func(what string, ok func(string) bool) string {
		for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
			mu.Lock()
			text := string(seen)
			mu.Unlock()
			if ok(text) {
				return text
			}
			if time.Now().After(end) {
				t.Fatalf("no %s within 10 s: %q", what, text)
			}
		}
	}
	until("redrawing", func(s string) bool { return strings.Count(s, clear+line) >= 3 })
	b.End()
	text := until("clearing", func(s string) bool { return strings.HasSuffix(s, line+clear) })
	if rest := strings.ReplaceAll(text, clear+line, ""); rest != clear {
		t.Errorf("besides the line: %q", rest)
	}
}

func TestOnlyATerminalIsOne(t *testing.T) {
	program, _ := terminal(t)
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	if !NewBar(program, 0).terminal {
		t.Error("a terminal is none")
	}
	if NewBar(file, 0).terminal || NewBar(write, 0).terminal || NewBar(&bytes.Buffer{}, 0).terminal {
		t.Error("a file, a pipe or a buffer is a terminal")
	}
}
