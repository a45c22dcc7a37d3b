package verify

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"

	"golang.org/x/sys/unix"
)

// The tests of this package need neither stub nor server: their own program is both, by
// its first argument. What a whole server fails is tested in e2e/contract.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 {
		if chat, ok := roles[os.Args[1]]; ok {
			serve(chat)
		}
	}
	flag.Set("test.parallel", "8") // it is there; nearly all tests wait
	os.Exit(m.Run())
}

// roles are what the test's program answers to /chat.
var roles = map[string]func(io.Writer){
	"silent": func(io.Writer) {},
	"talks":  func(io.Writer) {},
	"exits":  func(io.Writer) {},
	"drips": func(w io.Writer) {
		for {
			io.WriteString(w, "d") // until it is ended
			time.Sleep(50 * time.Millisecond)
		}
	},
	"burns":    func(w io.Writer) { burn(1500 * time.Millisecond); io.WriteString(w, "done") }, // the check sees a failure
	"burns-on": func(io.Writer) { burn(time.Hour) },
	"sleeps":   func(w io.Writer) { time.Sleep(1500 * time.Millisecond); io.WriteString(w, "done") }, // as above
}

// burn uses CPU time.
func burn(most time.Duration) {
	var used unix.Rusage
	for n := 0; time.Duration(used.Utime.Nano()) < most; n++ {
		if n%1_000_000 == 0 {
			unix.Getrusage(unix.RUSAGE_SELF, &used) // it has no other error than a wrong argument
		}
	}
}

func serve(chat func(io.Writer)) {
	if os.Args[1] == "exits" {
		fmt.Println("cannot start")
		os.Exit(4)
	}
	http.HandleFunc("/healthz", func(http.ResponseWriter, *http.Request) {})
	if os.Args[1] == "talks" {
		fmt.Println("Error: before any check")
	}
	http.HandleFunc("/chat", func(w http.ResponseWriter, _ *http.Request) {
		http.NewResponseController(w).Flush() // so that it comes in chunks
		chat(flushed{w})
	})
	fmt.Println(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

// flushed sends each write at once.
type flushed struct{ http.ResponseWriter }

func (f flushed) Write(b []byte) (int, error) {
	n, err := f.ResponseWriter.Write(b)
	if err == nil {
		err = http.NewResponseController(f.ResponseWriter).Flush()
	}
	return n, err
}

// project makes a project whose stub is the silent role, after what a script does.
func project(t *testing.T, script string) (root string) {
	root = t.TempDir()
	script = "#!/bin/sh\n" + script + "\nexec " + os.Args[0] + " silent\n"
	testfile.Program(t, filepath.Join(root, "stub/bin/stub"), script)
	return root
}

// testServer is one that plays a role.
func testServer(t *testing.T, role string) server.Server {
	return server.Server{Name: role, Dir: t.TempDir(), Run: []string{os.Args[0], role}}
}

// checks are the ready check and some more.
func checks(more ...Check) []Check { return append([]Check{Ready("C1")}, more...) }

// chat reads the answer of a role to its end.
func chat(_ context.Context, s *Subject) error { return s.chat(Patience) }

func (s *Subject) chat(patience time.Duration) error {
	c, err := Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	c.Patience = patience
	if err := c.Send("POST", "/chat", "", ""); err != nil {
		return err
	}
	a, err := c.Head()
	if err != nil {
		return err
	}
	return a.Rest()
}
