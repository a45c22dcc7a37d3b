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
	now           time.Time     // the same
	fan           *fan
	delays        common.Durations // of a follower
	events        int
	counted       int64 // events of the name that is counted
	first, latest time.Duration
	token         time.Duration // of the first token; 0: none yet
	itls          common.Durations
	ended         bool // the latest event begins as the last one should
}

func (s *stream) reset(want *request.Stream, of *fan) {
	s.reader.Reset()
	*s = stream{want: want, fan: of, reader: s.reader, itls: s.itls.Reset(), delays: s.delays.Reset()}
}

// Event counts an event. Whether it is the last one shows at the end.
func (s *stream) Event(data []byte) (last bool) {
	if s.events == 0 {
		s.first = s.at
	} else {
		s.itls.Add(s.at - s.latest)
	}
	s.events++
	switch {
	case s.want.Follows:
		s.delays.Add(s.fan.delay(data, s.now))
	case s.want.Followers > 0:
		s.fan.arrived(data, s.now)
	}
	if s.want.Count != "" && string(s.reader.Name()) == s.want.Count {
		s.counted++
	}
	if s.token == 0 && s.want.Token != "" && string(s.reader.Name()) == s.want.Token {
		s.token = s.at
	}
	s.latest, s.ended = s.at, s.want.Ends(data)
	return false
}

// fault says what a complete answer lacks; "" is nothing.
func (s *stream) fault() string { return s.want.Fault(s.events, s.ended) }
