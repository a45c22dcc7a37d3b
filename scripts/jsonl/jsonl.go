// Package jsonl reads JSON Lines strictly, for all whose files are such lines. It
// knows no form of them.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// maxLine is how long a line may be, in bytes, that Read reads.
const maxLine = 1 << 20

// Read reads a value from each line; an error names the line. what is called so
// when text stands behind it, and check is asked of each.
func Read[T any](r io.Reader, what string, check func(T) error) (all []T, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for number := 1; lines.Scan(); number++ {
		v, err := Decode(lines.Bytes(), what, check)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		all = append(all, v)
	}
	return all, lines.Err()
}

// A Versioned value has a key "schema", of which this tool reads one version.
type Versioned interface{ Reads() int }

// Decode reads one line. An unknown key, and text after the value, are errors; of a
// Versioned value another schema is the error that is told, for its keys may be
// others too.
func Decode[T any](line []byte, what string, check func(T) error) (v T, err error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err = dec.Decode(&v); err == nil {
		err = check(v)
	} else if form, ok := any(v).(Versioned); ok {
		var of struct{ Schema int }
		if json.Unmarshal(line, &of) == nil && of.Schema != form.Reads() {
			return v, fmt.Errorf("schema %d; this tool reads schema %d", of.Schema, form.Reads())
		}
	}
	if _, end := dec.Token(); err == nil && end != io.EOF {
		err = fmt.Errorf("text after %s", what)
	}
	return v, err
}
