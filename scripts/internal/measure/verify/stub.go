package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

func (s *Subject) StubURL(path string) string {
	return fmt.Sprintf("http://127.0.0.1:%d%s", s.StubPort, path)
}

// An Entry is the stub's note about a request; see stub/common/journal.go.
type Entry struct {
	Connection int64
	Method     string
	Path       string
	Header     http.Header
	Body       string
	Events     int
	Sent       string
	Outcome    string
}

// stubClient keeps enough connections for checks that open many requests.
var stubClient = &http.Client{Timeout: Patience, Transport: &http.Transport{MaxIdleConnsPerHost: together}}

// Ask sends a request to the stub itself.
func (s *Subject) Ask(method, path string, into any) error {
	req, err := http.NewRequest(method, s.StubURL(path), nil)
	if err != nil {
		return HarnessError{err}
	}
	resp, err := stubClient.Do(req)
	if err != nil {
		return HarnessError{fmt.Errorf("stub: %w", err)}
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != 200 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, bytes.TrimSpace(data))
	}
	if err == nil && into != nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return HarnessError{fmt.Errorf("stub: %w", err)}
	}
	return nil
}

// Release makes the stub send n events of a held answer.
func (s *Subject) Release(id string, n int) error {
	return s.Ask("POST", fmt.Sprintf("/release/%s?n=%d", id, n), nil)
}

// mostPause is the longest pause between two questions to the stub.
const mostPause = 20 * time.Millisecond

// Entries waits until the stub's entries under id fulfil a condition, and otherwise returns the entries at
// the end. They leave out received and sent bytes.
func (s *Subject) Entries(id string, wanted func([]Entry) bool) ([]Entry, bool, error) {
	wait := s.Wait(Patience)
	for pause := time.Millisecond; ; pause = min(2*pause, mostPause) {
		var found []Entry
		if err := s.Ask("GET", "/journal/"+id+"?brief", &found); err != nil {
			return nil, false, err
		}
		if wanted(found) {
			return found, true, nil
		}
		if wait.Over() {
			return found, false, nil
		}
		time.Sleep(pause)
	}
}

// Entry waits for the end of the only request under id, and returns the stub's full note about it.
func (s *Subject) Entry(id string) (Entry, error) {
	found, ok, err := s.Entries(id, func(e []Entry) bool { return len(e) == 1 && e[0].Outcome != "" })
	if err != nil {
		return Entry{}, err
	}
	if !ok {
		return Entry{}, fmt.Errorf("%d requests reached the upstream; want 1, ended", len(found))
	}
	if err := s.Ask("GET", "/journal/"+id, &found); err != nil {
		return Entry{}, err
	}
	return found[0], nil
}

// looks is how often Blocked must see the same count.
const looks = 20

// Blocked waits until the stub can send no more of the answer under id, since the client reads nothing. The count of
// sent pieces then stays while the server answers others. A server that only waits for a processor answers nobody.
func (s *Subject) Blocked(id string, other func() error) error {
	sent := -1
	for same := 0; same < looks; time.Sleep(50 * time.Millisecond) {
		found, ok, err := s.Entries(id, func(e []Entry) bool { return len(e) == 1 })
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("%d requests reached the upstream; want 1", len(found))
		}
		if found[0].Events == sent {
			same++
		} else {
			same, sent = 0, found[0].Events
		}
		if err := other(); err != nil {
			return fmt.Errorf("another client, while one client reads nothing: %w", err)
		}
	}
	return nil
}

// NoneOpen waits until the stub has no request open.
func (s *Subject) NoneOpen() error {
	for wait := s.Wait(Patience); ; time.Sleep(mostPause) {
		var stats struct{ Active int }
		if err := s.Ask("GET", "/stats", &stats); err != nil {
			return err
		}
		if stats.Active == 0 {
			return nil
		}
		if wait.Over() {
			return fmt.Errorf("%d upstream requests still open %v after all clients left", stats.Active, Patience)
		}
	}
}
