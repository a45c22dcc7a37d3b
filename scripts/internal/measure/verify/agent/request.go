package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"fairstream/scripts/internal/measure/verify"
)

// A subject is a running server, with what this package asks of it.
type subject struct{ *verify.Subject }

// must, should and first make checks of this package.
var (
	must   = verify.Must(own)
	should = verify.Should(own)
	first  = verify.First
)

func own(s *verify.Subject) *subject { return &subject{s} }

// call sends a request with a JSON body on a new connection, and reads the whole answer.
func call(port int, method, path, body string) (status int, text []byte, err error) {
	c, err := verify.Dial(port)
	if err != nil {
		return 0, nil, err
	}
	defer c.Close()
	a, err := send(c, method, path, "", body)
	if err == nil {
		err = verify.Readable(whole(a))
	}
	if err != nil {
		return 0, nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return a.Status, a.Body, nil
}

// send sends a request, and reads the header of the answer.
func send(c *verify.Client, method, path, header, body string) (*verify.Answer, error) {
	if body != "" {
		header += "Content-Type: application/json\r\n"
	}
	if err := c.Send(method, path, header, body); err != nil {
		return nil, verify.Readable(err)
	}
	return c.Head()
}

// whole reads a body to its end. 204 has none.
func whole(a *verify.Answer) error {
	if a.Status == 204 {
		return nil
	}
	return a.Rest()
}

// expect sends a request, and returns an error unless the answer has a status. It decodes the body.
func expect(port int, method, path, body string, status int, into any) error {
	got, text, err := call(port, method, path, body)
	if err != nil {
		return err
	}
	if got != status {
		return fmt.Errorf("%s %s: status %d: %.200s; want %d", method, path, got, bytes.TrimSpace(text), status)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s %s: %.200q: %w", method, path, text, err)
	}
	return nil
}

// A thread is what a server says about one.
type thread struct {
	ID        int64  `json:"id"`
	Title     string `json:"title"`
	CreatedAt string `json:"created_at"`
}

func (t thread) path(rest string) string { return fmt.Sprintf("/threads/%d%s", t.ID, rest) }

// create makes a thread.
func (s *subject) create(title string) (t thread, err error) {
	err = expect(s.Port, "POST", "/threads", fmt.Sprintf(`{"title": %s}`, quoted(title)), 201, &t)
	return t, err
}

// quoted is a text in JSON.
func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text always encodes
	}
	return string(data)
}

// A row is a message of a thread, as the server or the database has it.
type row struct {
	ID      int64
	Message json.RawMessage
}

// role is that of the message.
func (r row) role() string {
	var m struct{ Role string }
	if err := json.Unmarshal(r.Message, &m); err != nil {
		return err.Error()
	}
	return m.Role
}

// messages asks a server for the messages of a thread.
func messages(port int, t thread) ([]row, error) {
	var all struct{ Messages []row }
	err := expect(port, "GET", t.path("/messages"), "", 200, &all)
	return all.Messages, err
}

// rows reads the messages of a thread from the database.
func (s *subject) rows(ctx context.Context, t thread) (all []row, err error) {
	err = s.sql(ctx, func(c *pgx.Conn) error {
		found, err := c.Query(ctx, "select id, message::text from messages where thread_id = $1 order by id", t.ID)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(found, func(r pgx.CollectableRow) (m row, err error) {
			var text string
			err = r.Scan(&m.ID, &text)
			m.Message = json.RawMessage(text)
			return m, err
		})
		return err
	})
	return all, err
}

// someRows reads the messages of a thread, which has at least that many.
func (s *subject) someRows(ctx context.Context, t thread, least int) ([]row, error) {
	rows, err := s.rows(ctx, t)
	if err == nil && len(rows) < least {
		err = fmt.Errorf("the database has %d messages of the thread; want %d at least", len(rows), least)
	}
	return rows, err
}

// insert adds messages to a thread, behind the server's back.
func (s *subject) insert(ctx context.Context, t thread, messages ...string) error {
	return s.sql(ctx, func(c *pgx.Conn) error {
		for _, m := range messages {
			if _, err := c.Exec(ctx, "insert into messages (thread_id, message) values ($1, $2::text::json)", t.ID, m); err != nil {
				return err
			}
		}
		return nil
	})
}

// sql does something in the server's database. Its errors are the harness's.
func (s *subject) sql(ctx context.Context, do func(*pgx.Conn) error) error {
	c, err := s.Database.Connect(ctx)
	if err == nil {
		err = do(c)
		c.Close(ctx) // nothing is open on it
	}
	if err != nil {
		return verify.Harness(fmt.Errorf("database: %w", err))
	}
	return nil
}

// An event of a run.
type event struct {
	id, name, data string
}

// fields are those of the data that checks compare.
type fields struct {
	ID                                  int64
	Call                                string // an id of a call is a text
	Role, Text, URL, Name, Error, Agent string
}

func (e event) fields() (f fields) {
	var raw struct {
		ID                                           json.RawMessage
		Role, Text, URL, Name, Error, Agent, Message string
	}
	if json.Unmarshal([]byte(e.data), &raw) != nil {
		return f
	}
	f = fields{Role: raw.Role, Text: raw.Text, URL: raw.URL, Name: raw.Name, Error: raw.Error, Agent: raw.Agent}
	json.Unmarshal(raw.ID, &f.ID)   // a number,
	json.Unmarshal(raw.ID, &f.Call) // or a text
	return f
}

// String is what a check compares: without the ids of rows, which are the database's.
func (e event) String() string {
	f := e.fields()
	words := []string{e.name}
	for _, w := range []string{f.Role, f.Call, f.Name, f.Text, f.URL} {
		if w != "" {
			words = append(words, w)
		}
	}
	if f.Agent != "" {
		words = append(words, "of "+f.Agent)
	}
	return strings.Join(words, " ")
}

// A stream is an answer that has events.
type stream struct {
	*verify.Answer
	scanned int // bytes of Body that next has passed
}

// open sends a request whose answer has events.
func open(port int, method, path, header, body string) (*stream, error) {
	c, err := verify.Dial(port)
	if err != nil {
		return nil, err
	}
	c.Most = verify.MaxPart // an image is one event
	// A server stores a message and reads it back before it answers. So it gets 2 s more for each MB.
	c.Patience += time.Duration(len(body)/1_000_000) * 2 * time.Second
	a, err := send(c, method, path, header, body)
	if err == nil && a.Status != 200 {
		whole(a) // for the message
		err = fmt.Errorf("status %d: %.200s; want 200", a.Status, bytes.TrimSpace(a.Body))
	}
	if kind := ""; err == nil {
		if kind = a.Header["content-type"]; !strings.HasPrefix(kind, "text/event-stream") {
			err = fmt.Errorf("Content-Type %q; want text/event-stream", kind)
		}
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return &stream{Answer: a}, nil
}

// close leaves.
func (s *stream) close() { s.Client.Close() }

// say begins a run with a text.
func say(port int, t thread, text string) (*stream, error) {
	return open(port, "POST", t.path("/messages"), "", fmt.Sprintf(`{"content": %s}`, quoted(text)))
}

// follow subscribes to a thread. last is the id of the last event that was seen, or "".
func follow(port int, t thread, last string) (*stream, error) {
	header := ""
	if last != "" {
		header = "Last-Event-ID: " + last + "\r\n"
	}
	return open(port, "GET", t.path("/events"), header, "")
}

// next reads an event. io.EOF is the end of the answer.
func (s *stream) next() (e event, err error) {
	for {
		text, _, ok := bytes.Cut(s.Body[s.scanned:], []byte("\n\n"))
		if !ok {
			if err := s.More(); err != nil {
				return e, err
			}
			continue
		}
		s.scanned += len(text) + 2
		for line := range strings.SplitSeq(string(text), "\n") {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\r"), ":")
			value = strings.TrimPrefix(value, " ")
			switch name {
			case "id":
				e.id = value
			case "event":
				e.name = value
			case "data":
				e.data += value
			}
		}
		if e.name != "" { // otherwise a comment
			return e, nil
		}
	}
}

// toEnd reads the events of a run up to its last one: done, or error.
func (s *stream) toEnd() (all []event, err error) {
	for {
		e, err := s.next()
		if err != nil {
			return all, fmt.Errorf("after %d events, the last %s: %w", len(all), last(all), verify.Readable(err))
		}
		if all = append(all, e); e.name == "done" || e.name == "error" {
			return all, nil
		}
	}
}

func last(all []event) string {
	if len(all) == 0 {
		return "none"
	}
	return all[len(all)-1].String()
}

// begin says a text in a new thread.
func (s *subject) begin(text string) (thread, *stream, error) {
	t, err := s.create("a thread")
	if err != nil {
		return t, nil, err
	}
	answer, err := say(s.Port, t, text)
	return t, answer, err
}

// run says a text, and returns the events of a run that must end with done.
func (s *subject) run(t thread, text string) ([]event, error) {
	return runAt(s.Port, t, text)
}

// runAt does that at a port.
func runAt(port int, t thread, text string) ([]event, error) {
	a, err := say(port, t, text)
	if err != nil {
		return nil, err
	}
	defer a.close()
	return a.done()
}

// done reads a run to its end, and the answer too.
func (s *stream) done() ([]event, error) {
	all, err := s.toEnd()
	if err != nil {
		return all, err
	}
	if e := all[len(all)-1]; e.name != "done" {
		return all, fmt.Errorf("the run ends with %s %s; want done", e.name, e.data)
	}
	if _, err := s.next(); err != io.EOF {
		return all, fmt.Errorf("after done: %v; want the end of the answer", err)
	}
	return all, nil
}
