package files

import (
	"fmt"
	"sync"

	"fairstream/stub/files/content"
)

// A file is an answer that is ready to be sent. The head has a length, and stands before the body in
// the same memory. So the usual answer is one write of ready bytes, and nothing is made for it.
type file struct {
	whole []byte // head and body
	body  []byte // the end of whole
}

// A shelf keeps files that were made. It is bounded, since names are endless. The oldest goes first.
type shelf struct {
	mu    sync.RWMutex
	files map[key]*file
	order []key
	bytes int
	most  int // bytes
}

// maxReady is more than the files of any load: 128 of 8 kB and 128 of 200 kB are 27 MB.
const maxReady = 256_000_000

var ready = &shelf{files: map[key]*file{}, most: maxReady}

func (s *shelf) get(k key) *file {
	s.mu.RLock()
	f := s.files[k]
	s.mu.RUnlock()
	if f != nil {
		return f
	}
	f = k.make() // nobody else waits for it; two may make the same
	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.files[k]; other != nil {
		return other
	}
	s.files[k], s.order, s.bytes = f, append(s.order, k), s.bytes+len(f.whole)
	for s.bytes > s.most && len(s.order) > 1 {
		oldest := s.order[0]
		s.bytes -= len(s.files[oldest].whole)
		delete(s.files, oldest)
		s.order = s.order[1:]
	}
	return f
}

func (k key) make() *file {
	head := fmt.Sprintf("%sContent-Length: %d\r\n\r\n", k.head(), k.size)
	body := content.Text
	if k.binary {
		body = content.Binary
	}
	f := &file{whole: append([]byte(head), body(k.size, k.seed)...)}
	f.body = f.whole[len(head):]
	return f
}

// head is what all heads of a file begin with.
func (k key) head() string {
	return "HTTP/1.1 200 OK\r\nContent-Type: " + types[k.kind] + "\r\n"
}
