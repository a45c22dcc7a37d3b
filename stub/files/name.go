package files

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"fairstream/stub/common"
)

// A script controls one answer. It comes from the name of the file: SIZE-SEED, and then directives,
// each after a comma. SIZE is a number of bytes; k is a thousand of them, m a million. SEED is a
// whole number from 1. So 8k-17 has 8,000 bytes, and 200k-3,id=v7,hold has 200,000 that are held.
//
// A directive alone means 1: hold is hold=1. These are the ones of this workload; package common has
// those of all. SIZE is as above.
//
//	piece=SIZE     bytes of a piece; each piece is an event, with a write of its own
//	pace=10ms      time from one piece to the next
//	type=png       Content-Type: see types
//	binary         bytes of every value, instead of hexadecimal digits
//	chunked        no Content-Length; each piece is a chunk
//	trailers       chunked, with chunk extensions and a trailer
//	close          no Content-Length and no chunks: the body ends with the connection
//	hangup         close the connection after the answer, though it said keep-alive
//	headers=1s     time from the request to the response's headers
//	status=500     answer with this status, 400 to 599, and a JSON error
//	refuse         close the connection without an answer
//	cut=SIZE       reset the connection after so many bytes, once the client's kernel has them
//	end=SIZE       close the connection after so many bytes, without a reset
//	stall=SIZE     send nothing more after so many bytes, until the client leaves
//
// Without piece, a body is one piece. The tally counts bytes of bodies.
type script struct {
	common.Script
	key
	piece    int
	pace     time.Duration
	chunked  bool
	trailers bool
	close    bool
	hangup   bool
	headers  time.Duration
	status   int
	refuse   bool
	cut      int
	end      int
	stall    int
}

// A key is what the bytes of an answer depend on.
type key struct {
	size   int
	seed   uint32
	kind   string // key of types
	binary bool
}

// never is a place that no body reaches.
const never = -1

// maxSize limits a file, in bytes. It catches mistakes, and not attackers.
const maxSize = 100_000_000

// types are the Content-Types by name. No server can know the last.
var types = map[string]string{
	"bytes":   "application/octet-stream",
	"html":    "text/html; charset=utf-8",
	"json":    "application/json",
	"png":     "image/png",
	"text":    "text/plain; charset=iso-8859-1",
	"unknown": `application/x-fairstream; part="a, b"`,
}

// directives lists all directives. The error for an unknown one names them.
var directives = common.Directives[script]{
	"piece":    func(s *script, v string) (err error) { s.piece, err = size(v); return },
	"pace":     func(s *script, v string) (err error) { s.pace, err = common.Wait(v); return },
	"type":     func(s *script, v string) (err error) { s.kind, err = common.OneOf(v, types); return },
	"binary":   func(s *script, v string) (err error) { s.binary, err = common.Yes(v); return },
	"chunked":  func(s *script, v string) (err error) { s.chunked, err = common.Yes(v); return },
	"trailers": func(s *script, v string) (err error) { s.trailers, err = common.Yes(v); return },
	"close":    func(s *script, v string) (err error) { s.close, err = common.Yes(v); return },
	"hangup":   func(s *script, v string) (err error) { s.hangup, err = common.Yes(v); return },
	"headers":  func(s *script, v string) (err error) { s.headers, err = common.Wait(v); return },
	"status":   func(s *script, v string) (err error) { s.status, err = common.Failing(v); return },
	"refuse":   func(s *script, v string) (err error) { s.refuse, err = common.Yes(v); return },
	"cut":      func(s *script, v string) (err error) { s.cut, err = size(v); return },
	"end":      func(s *script, v string) (err error) { s.end, err = size(v); return },
	"stall":    func(s *script, v string) (err error) { s.stall, err = size(v); return },
}.With(func(s *script) *common.Script { return &s.Script })

// parseName reads the name of a file.
func parseName(name string) (s script, err error) {
	s = script{key: key{kind: "bytes"}, cut: never, end: never, stall: never}
	first, rest, more := strings.Cut(name, ",")
	bytes, seed, _ := strings.Cut(first, "-")
	if s.size, err = size(bytes); err != nil {
		return s, fmt.Errorf("file %.200q: %w", name, err)
	}
	if s.seed, err = seedOf(seed); err != nil {
		return s, fmt.Errorf("file %.200q: %w", name, err)
	}
	for more {
		var word string
		word, rest, more = strings.Cut(rest, ",")
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			value = "1"
		}
		if err := directives.Set(&s, "", name, value); err != nil {
			return s, err
		}
	}
	return s, s.check()
}

// size reads a number of bytes.
func size(v string) (int, error) {
	digits, unit := v, 1
	if kilo, ok := strings.CutSuffix(v, "k"); ok {
		digits, unit = kilo, 1_000
	} else if mega, ok := strings.CutSuffix(v, "m"); ok {
		digits, unit = mega, 1_000_000
	}
	n, err := common.Count(digits, maxSize/unit)
	if err != nil {
		return 0, fmt.Errorf("want a size from 0 to 100m, such as 8000, 8k or 64m")
	}
	return n * unit, nil
}

func seedOf(v string) (uint32, error) {
	n, err := strconv.ParseUint(v, 10, 32)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("want SIZE-SEED, such as 8k-17, with a seed from 1 to %d", uint32(math.MaxUint32))
	}
	return uint32(n), nil
}

// check refuses combinations in which one directive would do nothing.
func (s *script) check() error {
	if err := s.Script.Check(""); err != nil {
		return err
	}
	s.chunked = s.chunked || s.trailers
	if s.chunked && s.close {
		return fmt.Errorf("directives chunked and close: want one of them")
	}
	if s.pace > 0 && s.piece == 0 {
		return fmt.Errorf("directive pace: needs piece, since one piece has no pace")
	}
	places := 0
	for _, at := range []int{s.cut, s.end, s.stall} {
		if at > s.size {
			return fmt.Errorf("a fault after %d bytes: the file has only %d", at, s.size)
		}
		if at != never {
			places++
		}
	}
	if places > 1 {
		return fmt.Errorf("directives cut, end and stall: want one of them")
	}
	return nil
}
