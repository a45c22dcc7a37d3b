package plain

import (
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"fairstream/k6/common/moduletest"
)

// A stream begins when its followers wait. They see its events later, and leave after the last one, though their own answer
// goes on.
func TestAStreamBeginsWhenItsFollowersWait(t *testing.T) {
	const late = 20 * time.Millisecond
	var mu sync.Mutex
	var followers []net.Conn
	begun := 0
	s := moduletest.Serve(t, func(w net.Conn, _ int64) bool {
		moduletest.Write(w, streamHead)
		mu.Lock()
		defer mu.Unlock()
		if len(followers) < 3 {
			followers = append(followers, w)
			return true
		}
		begun++
		moduletest.Write(w, eventChunks("a", "end")+streamEnd)
		time.Sleep(late)
		for _, f := range followers {
			moduletest.Write(f, eventChunks("a", "end"))
		}
		followers = nil
		return true
	})
	const follow = `{answer: {stream: {last: "end", follows: true}}}`
	series, _ := load(t, s.URL, `[{level: "x", targets: [0], vus: 4, ms: 60000, requests: 8}]`,
		`[], rings: {a: {once: true, requests: [`+strings.Repeat(follow+",", 3)+`{answer: {stream: {last: "end", followers: 3}}}]}}`)
	r := series[0]
	if begun != 2 || r.OK != 8 || r.TTFT.Count != 2 || r.FanOut == nil || r.FanOut.Count != 12 || r.FanOut.MinUS < late.Microseconds()/2 {
		t.Errorf("%d streams began: %+v", begun, r)
	}
}

func TestAStreamWithoutItsFollowersFails(t *testing.T) {
	series, _ := load(t, moduletest.ServeText(t, streamHead+streamEnd, true).URL, one, `[{answer: {stream: {followers: 3}}}]`)
	if r := series[0]; r.Failed["timeout"] != 1 || r.Reasons["timeout"] != "3 followers did not come within 500ms" {
		t.Errorf("%+v", r)
	}
}

// Followers and the VU that begins their stream meet within one k6. So their load is not shared.
func TestFollowersWantOneInstance(t *testing.T) {
	for _, stream := range []string{`{followers: 3}`, `{follows: true}`} {
		s := moduletest.NewScript(t, "plain", newModule())
		s.Run(t, `plain.schedule({targets: [{name: "a", url: "http://127.0.0.1:1"}], slices: `+one+`, drain_ms: 100})`)
		_, err := s.Start("1/2:1").RunString(`plain.load({x: {timeout_ms: 500, requests: [{answer: {stream: ` + stream + `}}]}})`)
		if err == nil || !strings.Contains(err.Error(), `level "x": followers of a stream: want one instance`) {
			t.Errorf("%s: %v", stream, err)
		}
	}
}
