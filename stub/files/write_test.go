package files

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"fairstream/stub/common"
)

// A recorder is a connection that notes what each write carries. A write fails once broken says so.
type recorder struct {
	net.Conn
	writes []string
	broken func(write string) bool
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.broken != nil && r.broken(string(b)) {
		return len(b) / 2, errors.New("broken")
	}
	r.writes = append(r.writes, string(b))
	return len(b), nil
}

func record(r *recorder, name string) (*common.Server, bool) {
	c := common.NewConn(r, common.NewServer(Routes))
	ok := answer(c, &common.Request{Request: &http.Request{Method: "GET", URL: &url.URL{Path: prefix + name}}})
	return c.Server, ok
}

func TestUsualAnswerIsOneWrite(t *testing.T) {
	for _, name := range []string{"8k-1", "200k-1", "1m-1,binary", "0-1", "8k-1,hangup", "8k-1,type=png"} {
		r := &recorder{}
		record(r, name)
		if len(r.writes) != 1 || !strings.HasPrefix(r.writes[0], "HTTP/1.1 200 OK\r\n") {
			t.Errorf("%s: %d writes, want one", name, len(r.writes))
		}
	}
}

func TestEachPieceIsOneWriteAfterTheHead(t *testing.T) {
	r := &recorder{}
	record(r, "1001-1,piece=100")
	if len(r.writes) != 1+11 || !strings.HasSuffix(r.writes[0], "\r\n\r\n") || len(r.writes[1]) != 100 || len(r.writes[11]) != 1 {
		t.Errorf("writes of %d", len(r.writes))
	}
}

// Nothing is made again for a file that was asked for before.
func TestFileIsMadeOnce(t *testing.T) {
	k := key{size: 200_000, seed: 77, kind: "bytes"}
	first := ready.get(k)
	if n := testing.AllocsPerRun(100, func() { ready.get(k) }); n > 0 || ready.get(k) != first {
		t.Errorf("%.0f allocations for a file that is ready", n)
	}
}

func TestShelfIsBounded(t *testing.T) {
	s := &shelf{files: map[key]*file{}, most: 10_000}
	for seed := uint32(1); seed <= 100; seed++ {
		s.get(key{size: 900, seed: seed, kind: "bytes"})
	}
	if s.bytes > s.most || len(s.files) != 10 || len(s.order) != 10 || s.files[key{size: 900, seed: 100, kind: "bytes"}] == nil {
		t.Errorf("%d files in %d bytes, want the 10 newest", len(s.files), s.bytes)
	}
	if f := s.get(key{size: 20_000, seed: 1, kind: "bytes"}); len(f.body) != 20_000 || len(s.files) != 1 {
		t.Errorf("%d bytes of a file that is larger than the shelf; %d files", len(f.body), len(s.files))
	}
}

func TestWriteThatFailsEndsTheAnswerAsCancelled(t *testing.T) {
	for name, part := range map[string]string{
		"8k-1,id=a":                   "200 OK",
		"8k-1,id=a,piece=1k":          "200 OK",
		"1001-1,id=a,piece=1k":        "512d4711",
		"8k-1,id=a,chunked,piece=4k":  "fa0",
		"8k-1,id=a,chunked,piece=8k":  "0\r\n\r\n",
		"8k-1,id=a,trailers,piece=8k": "0;stub=1",
	} {
		r := &recorder{broken: func(write string) bool { return strings.Contains(write, part) }}
		s, ok := record(r, name)
		e := s.Journal.Find("a", false)[0]
		if ok || e.Outcome != common.Cancelled || s.Stats.Cancelled.Load() != 1 || s.Stats.Completed.Load() != 0 || s.Stats.Active.Load() != 0 {
			t.Errorf("%s broken at %q: connection usable %v, outcome %s, stats %v", name, part, ok, e.Outcome, s.Snapshot())
		}
	}
}
