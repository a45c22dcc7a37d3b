package main

import (
	"fmt"
	"syscall"
)

// memory that is held and never given back. It is not Go's: a collector would
// let the heap grow by twice as much, and collect less often.
type memory struct {
	bytes, touched int64  // asked for; and there, in whole pages
	fresh          []byte // reserved, and not there yet
}

var pageBytes = int64(syscall.Getpagesize())

const reserveBytes = 64 << 20

// hold holds more bytes. What is held in all is exact to a page.
func (m *memory) hold(bytes int64) error {
	m.bytes += bytes
	for m.touched < m.bytes {
		if len(m.fresh) == 0 {
			reserved, err := syscall.Mmap(-1, 0, reserveBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
			if err != nil {
				return fmt.Errorf("mmap: %w", err)
			}
			// Else a first byte might bring 2 MiB. It fails where there are no huge pages.
			syscall.Madvise(reserved, syscall.MADV_NOHUGEPAGE)
			m.fresh = reserved
		}
		m.fresh[0] = 1
		m.fresh, m.touched = m.fresh[pageBytes:], m.touched+pageBytes
	}
	return nil
}
