package plain

import (
	"time"

	"fairstream/k6/common"
	"fairstream/k6/shared/events"
	"fairstream/k6/shared/request"
)

// A stream is what an answer with server-sent events shows. Their content may be any. Events of one read share its time.
type stream struct {
	want          *request.Stream
	reader        events.Reader
	at            time.Duration // of the current read
	events        int
	first, latest time.Duration
	itls          common.Durations
	ended         bool // the latest event begins as the last one should
}

func (s *stream) reset(want *request.Stream) {
	s.reader.Reset()
	*s = stream{want: want, reader: s.reader, itls: s.itls.Reset()}
}

// Event counts an event. Whether it is the last one shows at the end.
func (s *stream) Event(data []byte) (last bool) {
	if s.events == 0 {
		s.first = s.at
	} else {
		s.itls.Add(s.at - s.latest)
	}
	s.events++
	s.latest, s.ended = s.at, s.want.Ends(data)
	return false
}

// fault says what a complete answer lacks; "" is nothing.
func (s *stream) fault() string { return s.want.Fault(s.events, s.ended) }
