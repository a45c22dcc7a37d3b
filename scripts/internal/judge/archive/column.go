package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"fairstream/scripts/internal/judge/record"
)

// A column has the figures of one metric, one for each target of each k6 run, in order; nil is unknown. In
// JSON it is one string with the logarithm of each figure, in steps of 1/256, which is within 0.2 %. It
// stores the difference to the figure before of the same server and scenario. Most differences are one
// symbol. Git then needs less than a byte for a figure, and over two for four digits. A figure without a
// logarithm, such as 0, turns the column into a list of numbers. A column without any known figure is "".
type column struct {
	figures []*float64
	of      []kind
}

// A kind is the server and scenario of a figure. Figures of one kind are similar.
type kind struct {
	server   int
	scenario string
}

const steps = 256 // steps in a power of e

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
	var b []byte
	var before last
	known := false
	for i, v := range c.figures {
		if v == nil {
			b = append(b, unknown)
			continue
		}
		if !(*v > 0) || math.IsInf(*v, 0) {
			return "", false
		}
		k := int64(math.Round(steps * math.Log(*v)))
		known = true
		b = appendNumber(b, k-before.of(c.of[i]))
		before.is(c.of[i], k)
	}
	if !known {
		return "", true
	}
	return string(b), true
}

// A last remembers the newest logarithm of each kind.
type last struct {
	kinds    map[kind]int64
	scenario map[string]int64
	any      int64
}

// of returns the logarithm before a figure.
func (l *last) of(k kind) int64 {
	if v, ok := l.kinds[k]; ok {
		return v
	}
	if v, ok := l.scenario[k.scenario]; ok {
		return v
	}
	return l.any
}

func (l *last) is(k kind, v int64) {
	if l.kinds == nil {
		l.kinds, l.scenario = map[kind]int64{}, map[string]int64{}
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
	in := numbers{text}
	var before last
	for i := range figures {
		k, known, err := in.next()
		if err != nil {
			return nil, fmt.Errorf("figure %d: %w", i+1, err)
		}
		if !known {
			continue
		}
		k += before.of(of[i])
		before.is(of[i], k)
		v := record.LimitDigits(math.Exp(float64(k)/steps), 6)
		if math.IsInf(v, 0) || v == 0 {
			return nil, fmt.Errorf("figure %d is beyond all numbers", i+1)
		}
		figures[i] = &v
	}
	if in.text != "" {
		return nil, fmt.Errorf("%d symbols behind the last figure", len(in.text))
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
