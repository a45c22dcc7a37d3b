package files

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"fairstream/k6/shared/strict"
)

// maxLine limits a line of ReadLines, in bytes.
const maxLine = 1 << 20

// ReadLines reads a value from each line as DecodeLine does. An error names the line.
func ReadLines[T any](r io.Reader, check func(T) error) (all []T, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for number := 1; lines.Scan(); number++ {
		v, err := DecodeLine(lines.Bytes(), check)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		all = append(all, v)
	}
	return all, lines.Err()
}

// A Versioned value has a key "schema". Reads is the version that this tool reads.
type Versioned interface{ Reads() int }

// DecodeLine reads one line as strict.Decode does, and then calls check. When a Versioned value has another schema, the
// error names it, since the keys may differ too.
func DecodeLine[T any](line []byte, check func(T) error) (v T, err error) {
	if err = strict.Decode(line, &v); err == nil {
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
