package artifact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"unicode/utf8"
)

// keyForm allows lower case only. encoding/json treats "Round" and "round" as one key, and the last value
// wins.
var keyForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._/-]{0,63}$`)

// Limits of nested objects and lists. Metrics are the deepest of a record, seconds of a timeline those of details.
const (
	recordDepth  = 3
	detailsDepth = 6
)

// strict refuses JSON that two readers may read differently, although encoding/json accepts it: duplicate
// keys, keys in other case, invalid UTF-8, and numbers beyond float64.
func strict(line []byte, depth int) error {
	if !utf8.Valid(line) {
		return errors.New("invalid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber()
	if err := value(dec, depth); err == errDeep {
		return fmt.Errorf("nested more than %d deep", depth)
	} else if err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("text after it")
	}
	return nil
}

var errDeep = errors.New("nested too deep")

// value walks one JSON value of at most this depth.
func value(dec *json.Decoder, depth int) error {
	token, err := dec.Token()
	if err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	switch t := token.(type) {
	case json.Number:
		if f, err := strconv.ParseFloat(t.String(), 64); err != nil || f > 1<<64 || f < -1<<64 {
			return fmt.Errorf("number %q is out of range", bounded(t.String()))
		}
		return nil
	case json.Delim:
		if depth == 0 {
			return errDeep
		}
		keys := map[string]bool{}
		for dec.More() {
			if t == '{' {
				key, err := dec.Token()
				if err != nil {
					return fmt.Errorf("no JSON: %w", err)
				}
				name, _ := key.(string)
				if !keyForm.MatchString(name) {
					return fmt.Errorf("key %q: no record has it", bounded(name))
				}
				if keys[name] {
					return fmt.Errorf("key %q is there twice", name)
				}
				keys[name] = true
			}
			if err := value(dec, depth-1); err != nil {
				return err
			}
		}
		if _, err := dec.Token(); err != nil {
			return fmt.Errorf("no JSON: %w", err)
		}
	}
	return nil
}
