package files

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"

	"fairstream/stub/common"
)

// A transfer is one answer that is being sent.
type transfer struct {
	*common.Answer
	*script
	headOnly bool
	spent    bool // the connection must close after it
}

// send sends the whole answer, or the part that its faults allow. It returns the outcome.
func (t *transfer) send(f *file) string {
	if !t.SleepUntil(t.Start.Add(t.headers)) {
		return common.Cancelled
	}
	if outcome, ok := t.refusal(); ok {
		return outcome
	}
	if t.usual() {
		return t.once(f)
	}
	if !t.write([]byte(t.head())) {
		return common.Cancelled
	}
	if t.headOnly {
		return common.Completed
	}
	due := t.Start.Add(t.headers)
	for piece := range slices.Chunk(f.body[:t.reach()], t.step()) {
		if !t.Await(due) || !t.event(piece) {
			return common.Cancelled
		}
		due = due.Add(t.pace) // counts from the request, so that a late piece does not delay the others
	}
	return t.last()
}

// usual reports whether the answer is ready bytes in one write.
func (t *transfer) usual() bool {
	return !t.headOnly && !t.Hold && t.piece == 0 && !t.chunked && !t.close && t.cut == never && t.end == never && t.stall == never
}

// once sends the usual answer.
func (t *transfer) once(f *file) string {
	n, err := t.Write(f.whole)
	t.Written.Store(int64(max(0, n-(len(f.whole)-len(f.body)))))
	if err != nil {
		return common.Cancelled
	}
	t.Note(f.body)
	return common.Completed
}

// head is the head of an answer that is not usual.
func (t *transfer) head() string {
	switch {
	case t.chunked:
		return t.key.head() + "Transfer-Encoding: chunked\r\n\r\n"
	case t.close:
		return t.key.head() + "Connection: close\r\n\r\n"
	}
	return fmt.Sprintf("%sContent-Length: %d\r\n\r\n", t.key.head(), t.size)
}

// reach is how many bytes of the body are sent.
func (t *transfer) reach() int {
	for _, at := range []int{t.cut, t.end, t.stall} {
		if at != never {
			return at
		}
	}
	return t.size
}

// step is the size of a piece.
func (t *transfer) step() int {
	if t.piece == 0 {
		return max(1, t.size)
	}
	return t.piece
}

// event writes one piece.
func (t *transfer) event(piece []byte) bool {
	sent := false
	if t.chunked {
		sent = t.chunk(piece)
	} else {
		sent = t.write(piece)
	}
	if sent {
		t.Written.Add(int64(len(piece)))
		t.Note(piece)
	}
	return sent
}

// chunk writes a piece as one chunk, without copying it.
func (t *transfer) chunk(piece []byte) bool {
	line := strconv.AppendInt(nil, int64(len(piece)), 16)
	if t.trailers {
		line = append(line, ";stub=1"...)
	}
	parts := net.Buffers{append(line, "\r\n"...), piece, []byte("\r\n")}
	_, err := parts.WriteTo(t.Conn.Conn)
	return err == nil
}

func (t *transfer) write(b []byte) bool {
	_, err := t.Write(b)
	return err == nil
}

// refusal answers without a file, if the script asks for it.
func (t *transfer) refusal() (outcome string, ok bool) {
	sent := true
	switch {
	case t.refuse:
		t.spent = true
	case t.status != 0 && t.headOnly:
		sent = t.write(fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Length: 0\r\n\r\n", t.status, http.StatusText(t.status)))
	case t.status != 0:
		sent = t.Fail(t.status, "as asked")
	default:
		return "", false
	}
	if !sent {
		return common.Cancelled, true
	}
	return common.Faulted, true
}

// last ends or stalls the answer after its last piece, as the script asks for.
func (t *transfer) last() string {
	sent := true
	switch {
	case t.cut != never:
		t.spent = true
		sent = t.Drained() && t.Resets()
	case t.end != never:
		t.spent = true
	case t.stall != never:
		t.UntilGone()
		return common.Cancelled
	case !t.finish():
		return common.Cancelled
	default:
		return common.Completed
	}
	if !sent {
		return common.Cancelled
	}
	return common.Faulted
}

// finish ends a body in chunks. Other bodies end with their length or their connection.
func (t *transfer) finish() bool {
	switch {
	case t.trailers:
		return t.write([]byte("0;stub=1\r\nStub-Trailer: 1\r\n\r\n"))
	case t.chunked:
		return t.write([]byte("0\r\n\r\n"))
	}
	return true
}
