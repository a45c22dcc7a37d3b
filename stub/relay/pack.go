package relay

import "unicode/utf8"

// packing collects events into packets. A packet may have a fraction of an event.
type packing struct {
	pending []byte
	room    float64 // size of the current packet, in events
}

func (s *stream) pack(chunk []byte) bool {
	if s.packet == 0 {
		return s.write(chunk)
	}
	if s.room == 0 {
		s.room = s.packet
	}
	if s.room >= 1 {
		s.pending, s.room = append(s.pending, chunk...), s.room-1
		return s.room > 0 || s.flush()
	}
	at := middle(chunk)
	s.pending = append(s.pending, chunk[:at]...)
	ok := s.flush()
	s.pending, s.room = append(s.pending, chunk[at:]...), s.packet-0.5
	return ok
}

// middle returns where to split a chunk: inside the first multi-byte character that reaches into
// its second half, or else at half its bytes. It splits the chunk with its framing, or the bare
// event without framing.
func middle(chunk []byte) int {
	half := len(chunk) / 2
	for i, b := range chunk[half:] {
		if !utf8.RuneStart(b) {
			return half + i
		}
	}
	return half
}

// flush writes the collected packet.
func (s *stream) flush() bool {
	if len(s.pending) == 0 {
		return true
	}
	ok := s.write(s.pending)
	s.pending, s.room = s.pending[:0], 0
	return ok
}
