// Package content makes the bytes of the files that the stub answers. A size and a seed give every
// byte, so a checker and a load script know them without asking. content.js of k6/files/lib
// does the same. The tests of both read testdata/text.golden.
//
// The bytes come from xorshift32 (George Marsaglia, "Xorshift RNGs", 2003), which needs 32 bits
// alone, as JavaScript has them.
package content

// A source is the state of the generator. Its state is never 0, which would stay 0.
type source uint32

// newSource begins with a seed from 1. The factor is odd, so seeds from 1 give states from 1. It
// sets the beginnings of neighbouring seeds apart.
func newSource(seed uint32) source { return source(seed * 0x9e3779b1) }

func (s *source) next() uint32 {
	x := *s
	x ^= x << 13
	x ^= x >> 17
	x ^= x << 5
	*s = x
	return uint32(x)
}

// lineBytes are what one step of the generator makes of a text. With a step for each 8 bytes k6 took
// seconds to make the files of a load.
const lineBytes = 64

// Text returns size bytes, in lines of 64 without line ends: each step of the generator is 8
// hexadecimal digits, 8 times. They are ASCII, and need no escape in JSON or JavaScript.
func Text(size int, seed uint32) []byte {
	const digits = "0123456789abcdef"
	b, s := make([]byte, 0, size+lineBytes), newSource(seed)
	for len(b) < size {
		x := s.next()
		for shift := 28; shift >= 0; shift -= 4 {
			b = append(b, digits[x>>shift&15])
		}
		for range 3 { // 8, 16, 32, 64 bytes
			b = append(b, b[len(b)/lineBytes*lineBytes:]...)
		}
	}
	return b[:size]
}

// Binary returns size bytes of any value: each step of the generator is 4 bytes, the highest first.
// They are not UTF-8.
func Binary(size int, seed uint32) []byte {
	b, s := make([]byte, 0, size+3), newSource(seed)
	for len(b) < size {
		x := s.next()
		b = append(b, byte(x>>24), byte(x>>16), byte(x>>8), byte(x))
	}
	return b[:size]
}
