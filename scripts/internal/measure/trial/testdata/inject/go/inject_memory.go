package main

import (
	"fmt"
	"syscall"
)

// memory is held and never given back. It is outside of Go's heap: there the collector would let the heap grow by twice as
// much, and collect less often.
type memory struct {
	bytes, touched int64  // asked for, and touched in whole pages
	fresh          []byte // reserved, and not touched yet
}

var pageBytes = int64(syscall.Getpagesize())

const reserveBytes = 64 << 20

// hold holds more bytes. The sum is exact to a page.
func (m *memory) hold(bytes int64) error {
	m.bytes += bytes
	for m.touched < m.bytes {
		if len(m.fresh) == 0 {
			reserved, err := syscall.Mmap(-1, 0, reserveBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
			if err != nil {
				return fmt.Errorf("mmap: %w", err)
			}
			// With a huge page the first byte would bring 2 MiB. The call fails on systems without huge pages.
			syscall.Madvise(reserved, syscall.MADV_NOHUGEPAGE)
			m.fresh = reserved
		}
		m.fresh[0] = 1
		m.fresh, m.touched = m.fresh[pageBytes:], m.touched+pageBytes
	}
	return nil
}
