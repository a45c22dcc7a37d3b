package testfile

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// Elements are the names of the elements of a well-formed XML document, in its order.
func Elements(t *testing.T, text string) (names []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if e, ok := token.(xml.StartElement); ok {
			names = append(names, e.Name.Local)
		}
	}
}
