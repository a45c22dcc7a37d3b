package relay

import (
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
)

func TestHeadersWaitAsLongAsAskedFor(t *testing.T) {
	const delay = 40 * time.Millisecond
	_, addr := start(t)
	c := dial(t, addr)
	started := time.Now()
	next := c.begin(chatBody("@headers=40ms @itl=0s", false))
	if came := time.Since(started); came < delay {
		t.Errorf("the headers came after %v, want %v at least", came, delay)
	}
	next()
}

func TestClientThatLeavesBeforeTheHeadersIsCancelled(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	c.write(post(chatBody("@id=a @headers=1h", false)))
	c.isSilent()
	stubtest.Eventually(t, "the stream is started", func() bool { return len(s.Journal.Find("a", false)) == 1 })
	c.Close()
	stubtest.Eventually(t, "the stream is cancelled", func() bool { return s.Journal.Find("a", false)[0].Outcome == common.Cancelled })
	if n := s.Journal.Find("a", false)[0].Events; n != 0 {
		t.Errorf("%d events, want none", n)
	}
}

func TestStatusIsAnErrorThatKeepsTheConnection(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	for status, kind := range map[int]string{400: "invalid_request_error", 429: "invalid_request_error", 500: "server_error", 503: "server_error"} {
		r, body, err := c.body(fmt.Sprintf("@id=s%d @status=%d", status, status))
		want := fmt.Sprintf(`{"error":{"code":null,"message":"as asked","param":null,"type":"%s"}}`, kind)
		if err != nil || r.StatusCode != status || r.Header.Get("Content-Type") != "application/json" || body != want {
			t.Errorf("status %d, %v: %s; want %d: %s", r.StatusCode, err, body, status, want)
		}
		hasFaulted(t, s, fmt.Sprint("s", status))
	}
}

func TestRefusalClosesWithoutAnAnswer(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	c.write(post(chatBody("@id=a @refuse=1", false)))
	if b, err := io.ReadAll(c); err != nil || len(b) != 0 {
		t.Errorf("got %q, %v, want the end", b, err)
	}
	hasFaulted(t, s, "a")
}

func TestJSONIsACompletionInsteadOfAStream(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	r, body, err := c.body("@id=a @json=1")
	if err != nil || r.StatusCode != 200 || r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("status %d, header %v, %v", r.StatusCode, r.Header, err)
	}
	var whole struct {
		Object  string
		Choices []struct {
			Message struct{ Role, Content string }
		}
	}
	if err := json.Unmarshal([]byte(body), &whole); err != nil || whole.Object != "chat.completion" ||
		len(whole.Choices) != 1 || whole.Choices[0].Message.Role != "assistant" || whole.Choices[0].Message.Content == "" {
		t.Errorf("%v: %s", err, body)
	}
	hasFaulted(t, s, "a")
	c.ask(chatBody("@tokens=1 @itl=0s", false))
}
