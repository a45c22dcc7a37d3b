// Package jsonl reads JSON and JSON Lines strictly, for all whose files are such. It
// knows no form of them.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxLine is how long a line may be, in bytes, that Read reads.
const maxLine = 1 << 20

// Strict reads the one value that data is, into what v points to. A key that v has
// not, and text after the value, are errors.
func Strict(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("text after the JSON")
	}
	return nil
}

// Read reads a value from each line, as Decode does; an error names the line.
func Read[T any](r io.Reader, check func(T) error) (all []T, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for number := 1; lines.Scan(); number++ {
		v, err := Decode(lines.Bytes(), check)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		all = append(all, v)
	}
	return all, lines.Err()
}

// A Versioned value has a key "schema", of which this tool reads one version.
type Versioned interface{ Reads() int }

// Decode reads one line as Strict does, and then asks check of the value. Of a Versioned
// value another schema is the error that is told, for its keys may be others too.
func Decode[T any](line []byte, check func(T) error) (v T, err error) {
	if err = Strict(line, &v); err == nil {
		return v, check(v)
	}
	if form, ok := any(v).(Versioned); ok {
		var of struct{ Schema int }
		if json.Unmarshal(line, &of) == nil && of.Schema != form.Reads() {
			return v, fmt.Errorf("schema %d; this tool reads schema %d", of.Schema, form.Reads())
		}
	}
	return v, err
}
