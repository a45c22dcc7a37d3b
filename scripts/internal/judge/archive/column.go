package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"fairstream/scripts/internal/judge/record"
)

// A column has the figures of one metric, one for each target of each k6 run, in order; nil is unknown. In
// JSON it is one string with the logarithm of each figure, in steps of 1/1024, which is within 0.05 %. It
// stores the difference to the figure before of the same server and scenario. Git then needs about one byte
// for a figure, and over two for four digits. A figure without a logarithm, such as 0, turns the column into
// a list of numbers. A column without any known figure is "".
type column struct {
	figures []*float64
	of      []kind
}

// A kind is the server and scenario of a figure. Figures of one kind are similar.
type kind struct {
	server   int
	scenario string
}

const (
	steps = 1024 // steps in a power of e
	// symbols are printable characters that JSON and HTML do not escape. The last one is an unknown figure.
	symbols = "!#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"
	// digits is the base of the second and third symbol of a number. A first symbol below ones is the number
	// itself. Below twos one symbol follows, and otherwise two.
	digits     = len(symbols) - 1
	ones, twos = 64, 80
	mostTwo    = ones + (twos-ones)*digits
	mostThree  = mostTwo + (digits-twos)*digits*digits
)

func (c column) MarshalJSON() ([]byte, error) {
	if text, ok := c.text(); ok {
		return json.Marshal(text)
	}
	var list []*float64
	for _, v := range c.figures {
		list = append(list, rounded(v, figureDigits))
	}
	return json.Marshal(list)
}

// text returns the column as a string. ok is false when a figure has no logarithm.
func (c column) text() (string, bool) {
	var b strings.Builder
	var before last
	known := false
	for i, v := range c.figures {
		if v == nil {
			b.WriteByte(symbols[digits])
			continue
		}
		if !(*v > 0) || math.IsInf(*v, 0) {
			return "", false
		}
		k := int(math.Round(steps * math.Log(*v)))
		z := k - before.of(c.of[i])
		if z = 2 * z; z < 0 {
			z = -z - 1
		}
		if z >= mostThree {
			return "", false
		}
		known = true
		before.is(c.of[i], k)
		switch rest := z - mostTwo; {
		case z < ones:
			b.WriteByte(symbols[z])
		case rest < 0:
			z -= ones
			b.Write([]byte{symbols[ones+z/digits], symbols[z%digits]})
		default:
			b.Write([]byte{symbols[twos+rest/(digits*digits)], symbols[rest/digits%digits], symbols[rest%digits]})
		}
	}
	if !known {
		return "", true
	}
	return b.String(), true
}

// A last remembers the newest logarithm of each kind.
type last struct {
	kinds    map[kind]int
	scenario map[string]int
	any      int
}

// of returns the logarithm before a figure.
func (l *last) of(k kind) int {
	if v, ok := l.kinds[k]; ok {
		return v
	}
	if v, ok := l.scenario[k.scenario]; ok {
		return v
	}
	return l.any
}

func (l *last) is(k kind, v int) {
	if l.kinds == nil {
		l.kinds, l.scenario = map[kind]int{}, map[string]int{}
	}
	l.kinds[k], l.scenario[k.scenario], l.any = v, v, v
}

// readColumn reads the output of MarshalJSON, for figures of these kinds.
func readColumn(data []byte, of []kind) ([]*float64, error) {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		var list []*float64
		if err := json.Unmarshal(data, &list); err != nil {
			return nil, errors.New("neither a string nor a list of numbers")
		}
		if len(list) != len(of) {
			return nil, fmt.Errorf("%d figures of %d", len(list), len(of))
		}
		return list, nil
	}
	figures := make([]*float64, len(of))
	if text == "" {
		return figures, nil
	}
	symbol := func() (s int, err error) {
		if text == "" {
			return 0, errors.New("it ends too early")
		}
		if s = strings.IndexByte(symbols, text[0]); s < 0 {
			return 0, fmt.Errorf("symbol %q", text[0])
		}
		text = text[1:]
		return s, nil
	}
	var before last
	for i := range figures {
		z, err := symbol()
		if z == digits && err == nil {
			continue
		}
		if first := z; err == nil && first >= ones {
			more := 1
			if z -= ones; first >= twos {
				z, more = first-twos, 2
			}
			for range more {
				s, e := symbol()
				if e == nil && s == digits {
					e = fmt.Errorf("symbol %q within a number", symbols[digits])
				}
				z, err = z*digits+s, errors.Join(err, e)
			}
			if z += ones; first >= twos {
				z += mostTwo - ones
			}
		}
		if err != nil {
			return nil, fmt.Errorf("figure %d: %w", i+1, err)
		}
		k := z / 2
		if z%2 == 1 {
			k = -k - 1
		}
		k += before.of(of[i])
		before.is(of[i], k)
		v := record.LimitDigits(math.Exp(float64(k)/steps), 6)
		if math.IsInf(v, 0) || v == 0 {
			return nil, fmt.Errorf("figure %d is beyond all numbers", i+1)
		}
		figures[i] = &v
	}
	if text != "" {
		return nil, fmt.Errorf("%d symbols behind the last figure", len(text))
	}
	return figures, nil
}

func rounded(v *float64, digits int) *float64 {
	if v == nil {
		return nil
	}
	short := record.LimitDigits(*v, digits)
	return &short
}
