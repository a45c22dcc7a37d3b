// Package strict decodes JSON that must be as its form says.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Decode reads one JSON value. An unknown key is an error, since a misspelt one would skip a check. So is text after
// the value. Numbers of type any keep their digits.
func Decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("text after the JSON value")
	}
	return nil
}
