package common

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
)

// A Request is a received request. Memo is what a workload keeps of it, such as its parsed body. It
// is nil at first. A request that repeats the last on its connection is the same Request, so its
// memo is found again. Only one answer uses it at a time.
type Request struct {
	*http.Request
	Body []byte
	Memo any
}

// requests reads the requests of one connection. Under load a connection repeats the same request.
// A request that equals the last one, byte for byte, is not parsed again: parsing costs 11 % of a
// bare loop, with tokens 2 ms apart. Neither are headers that equal the last ones.
type requests struct {
	conn  io.ReadWriter
	in    *bufio.Reader
	reads int // reads of the connection so far
	last  *Request
	text  []byte // bytes of last; empty if not kept
	// simple says that the headers of last, which is kept, mean the same after another first line.
	simple bool
}

func newRequests(conn io.ReadWriter) *requests {
	q := &requests{conn: conn}
	q.in = bufio.NewReader(q)
	return q
}

func (q *requests) Read(b []byte) (int, error) {
	q.reads++
	return q.conn.Read(b)
}

// next reads a request, or returns the last one if it repeats.
func (q *requests) next() (*Request, error) {
	if _, err := q.in.Peek(1); err != nil {
		return nil, err
	}
	came, _ := q.in.Peek(q.in.Buffered()) // buffered bytes are always available
	if len(q.text) > 0 && bytes.HasPrefix(came, q.text) {
		q.in.Discard(len(q.text)) // it is buffered
		return q.last, nil
	}
	if r := q.sameHeaders(came); r != nil {
		return r, nil
	}
	reads := q.reads
	q.text = append(q.text[:0], came...) // copied before net/http changes the names of headers in place
	r, err := http.ReadRequest(q.in)
	if err != nil {
		return nil, err
	}
	expects := r.Header.Get("Expect") == "100-continue"
	if expects {
		fmt.Fprint(q.conn, "HTTP/1.1 100 Continue\r\n\r\n") // a client that has left sends no body
	}
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	q.last = &Request{Request: r, Body: body}
	if q.reads == reads && !expects { // all of it was in came
		q.text = q.text[:len(came)-q.in.Buffered()]
	} else {
		q.text = q.text[:0]
	}
	q.simple = isSimple(q.last, q.text, expects)
	return q.last, nil
}

// MaxBody limits a request body, in bytes.
const MaxBody = 64 << 20

// readBody reads a whole request body.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxBody+1))
	if err == nil && len(body) > MaxBody {
		err = fmt.Errorf("request body: more than %d bytes", MaxBody)
	}
	return body, err
}
