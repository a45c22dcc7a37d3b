package site

import (
	"encoding/json"
	"math"
	"strconv"
)

// Ints are integers of which some are unknown: Null, which is null in JSON. Pointers
// would take ten times the memory, for tens of millions of them.
type Ints []int64

// Null stands for what is unknown.
const Null = math.MinInt64

// exact is the greatest integer that JSON keeps for every reader.
const exact = 1 << 53

func (v Ints) MarshalJSON() ([]byte, error) {
	text := make([]byte, 0, 6*len(v)+2)
	text = append(text, '[')
	for i, n := range v {
		if i > 0 {
			text = append(text, ',')
		}
		if n == Null {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendInt(text, n, 10)
		}
	}
	return append(text, ']'), nil
}

func (v *Ints) UnmarshalJSON(text []byte) error {
	var all []*int64
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	*v = make(Ints, len(all))
	for i, n := range all {
		(*v)[i] = Null
		if n != nil {
			(*v)[i] = *n
		}
	}
	return nil
}

// nulls are n of them.
func nulls(n int) Ints {
	v := make(Ints, n)
	for i := range v {
		v[i] = Null
	}
	return v
}

// quantise is a value in quanta; Null when it is unknown or no integer holds it.
func quantise(v float32, quantum float64) int64 {
	// By the inverse, which is whole or nearly so where the quantum is a decimal.
	n := math.Round(float64(v) * (1 / quantum))
	if math.IsNaN(n) || math.Abs(n) > exact {
		return Null
	}
	return int64(n)
}
