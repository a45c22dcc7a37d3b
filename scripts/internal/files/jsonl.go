package files

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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

// A SchemaError is a value of another version than this tool reads.
type SchemaError struct{ Seen, Read int }

func (e SchemaError) Error() string {
	return fmt.Sprintf("schema %d; this tool reads schema %d", e.Seen, e.Read)
}

// DecodeLine reads one JSON value strictly, and then calls check. Two readers read it alike: an unknown key, a key that
// is there twice or in other case, invalid UTF-8 and text after the value are errors. When a Versioned value has
// another schema, the error is a SchemaError, since the keys may differ too.
func DecodeLine[T any](line []byte, check func(T) error) (v T, err error) {
	if err = json.Unmarshal(line, &v, json.RejectUnknownMembers(true)); err == nil {
		return v, check(v)
	}
	if form, ok := any(v).(Versioned); ok {
		var of struct {
			Schema int `json:"schema"`
		}
		if json.Unmarshal(line, &of) == nil && of.Schema != form.Reads() {
			return v, SchemaError{of.Schema, form.Reads()}
		}
	}
	return v, explained(err)
}

// explained is an error of package json in words for people, without names of Go.
func explained(err error) error {
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		switch {
		case errors.Is(e.Err, jsontext.ErrDuplicateName):
			return fmt.Errorf("key %.60q is there twice", e.JSONPointer.LastToken())
		case strings.HasSuffix(e.Err.Error(), "after top-level value"):
			return errors.New("text after the JSON value")
		}
		return fmt.Errorf("no JSON: %s", strings.TrimPrefix(e.Error(), "jsontext: "))
	}
	e, ok := errors.AsType[*json.SemanticError](err)
	switch {
	case !ok:
		return err
	case e.Err == json.ErrUnknownName:
		return fmt.Errorf("unknown field %.60q", e.JSONPointer.LastToken())
	case e.Err != nil:
		return fmt.Errorf("key %.60q: %w", e.JSONPointer, e.Err)
	}
	where := "the value"
	if e.JSONPointer != "" {
		where = fmt.Sprintf("key %.60q", e.JSONPointer)
	}
	return fmt.Errorf("%s is a JSON %s; another kind belongs there", where, kinds[e.JSONKind])
}

var kinds = map[jsontext.Kind]string{'n': "null", 't': "boolean", 'f': "boolean", '"': "string", '0': "number", '{': "object", '[': "array"}

// CompleteLines returns the complete lines of a file that AppendLines writes. A crash or a full disk may leave a
// part of a line at the end.
func CompleteLines(text []byte) []byte { return text[:bytes.LastIndexByte(text, '\n')+1] }

// AppendLines adds lines after the last complete line of a file, and creates the file if needed. After an error it
// has added none. Several processes may append to one file; they take turns.
func AppendLines(path string, lines []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(add(f, lines), f.Close())
}

func add(f *os.File, lines []byte) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil { // Close unlocks
		return err
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	end := int64(len(CompleteLines(text)))
	if err := f.Truncate(end); err != nil {
		return err
	}
	_, err = f.WriteAt(lines, end)
	if err == nil {
		err = f.Sync() // some disks report that they are full only here
	}
	if err != nil {
		return errors.Join(err, f.Truncate(end))
	}
	return nil
}
