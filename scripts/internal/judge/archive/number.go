package archive

import (
	"errors"
	"fmt"
	"strings"
)

// A number is a short text of symbols, and a number near 0 is one symbol. A positive number is doubled. A
// negative one becomes odd. The last symbol has one of lasts values, and each symbol before it one of mores.
// Symbols are printable characters that JSON and HTML do not escape.
const (
	symbols = "!#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}"
	lasts   = 64
	mores   = len(symbols) - lasts
	unknown = '~' // stands for an unknown number
	longest = 14  // symbols of a number of 64 bits
)

// appendNumber appends a number to a text.
func appendNumber(text []byte, v int64) []byte {
	z := uint64(v) << 1
	if v < 0 {
		z = ^z
	}
	last := symbols[z%lasts]
	var before [longest]byte
	at := longest
	for z /= lasts; z > 0; z /= uint64(mores) {
		at--
		before[at] = symbols[lasts+z%uint64(mores)]
	}
	return append(append(text, before[at:]...), last)
}

// numbers reads a text of appendNumber.
type numbers struct{ text string }

// next returns the next number. known is false when it is unknown.
func (n *numbers) next() (v int64, known bool, err error) {
	if strings.HasPrefix(n.text, string(unknown)) {
		n.text = n.text[1:]
		return 0, false, nil
	}
	z := uint64(0)
	for at := range longest {
		if at == len(n.text) {
			return 0, false, errors.New("it ends too early")
		}
		s := strings.IndexByte(symbols, n.text[at])
		if s < 0 {
			return 0, false, fmt.Errorf("symbol %q", n.text[at])
		}
		if s < lasts {
			n.text = n.text[at+1:]
			z = z*lasts + uint64(s)
			if v = int64(z >> 1); z%2 == 1 {
				v = ^v
			}
			return v, true, nil
		}
		z = z*uint64(mores) + uint64(s-lasts)
	}
	return 0, false, fmt.Errorf("a number of more than %d symbols", longest)
}
