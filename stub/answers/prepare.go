package answers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// A description is one answer in the list that POST /answers takes.
type description struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Base64  []byte            `json:"body_base64"` // instead of Body, for bytes that are not text
}

// A prepared is the bytes of an answer, with its body and without. The second answers HEAD.
type prepared struct{ whole, head []byte }

// parse reads a list of descriptions, and prepares their answers.
func parse(body []byte) ([]prepared, error) {
	var described []description
	in := json.NewDecoder(bytes.NewReader(body))
	in.DisallowUnknownFields()
	if err := in.Decode(&described); err != nil {
		return nil, fmt.Errorf("request body: %w; want a list of {\"status\", \"headers\", \"body\"}", err)
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, errors.New("request body: text after the list")
	}
	list := make([]prepared, len(described))
	for i, d := range described {
		if err := d.check(); err != nil {
			return nil, fmt.Errorf("answer %d: %w", i, err)
		}
		list[i] = d.prepare()
	}
	return list, nil
}

// Each of these would make the prepared bytes another answer than the one described.
var (
	headerName  = regexp.MustCompile("^[-!#$%&'*+.^_`|~0-9A-Za-z]+$")
	headerValue = regexp.MustCompile("^[^\x00-\x08\x0a-\x1f\x7f]*$")
	framing     = []string{"Content-Length", "Transfer-Encoding", "Connection"}
)

func (d description) check() error {
	if d.Status < 200 || d.Status > 599 {
		return fmt.Errorf("status %d: want 200 to 599", d.Status)
	}
	if d.Body != "" && d.Base64 != nil {
		return errors.New("body and body_base64: want one of them")
	}
	if d.bodyless() && d.Body+string(d.Base64) != "" {
		return fmt.Errorf("status %d: has no body; want \"\"", d.Status)
	}
	for name, value := range d.Headers {
		if !headerName.MatchString(name) {
			return fmt.Errorf("header %q: want letters, digits and hyphens", name)
		}
		if !headerValue.MatchString(value) {
			return fmt.Errorf("header %s: %q: want one line of text", name, value)
		}
		if slices.Contains(framing, http.CanonicalHeaderKey(name)) {
			return fmt.Errorf("header %s: the stub sets it", name)
		}
	}
	return nil
}

// bodyless reports whether HTTP allows the status neither a body nor a Content-Length.
func (d description) bodyless() bool {
	return d.Status == http.StatusNoContent || d.Status == http.StatusNotModified
}

// prepare renders the answer. Headers are in the order of their names.
func (d description) prepare() prepared {
	var text strings.Builder
	fmt.Fprintf(&text, "HTTP/1.1 %d %s\r\n", d.Status, http.StatusText(d.Status))
	for _, name := range slices.Sorted(maps.Keys(d.Headers)) {
		fmt.Fprintf(&text, "%s: %s\r\n", name, d.Headers[name])
	}
	body := d.Body + string(d.Base64)
	if !d.bodyless() {
		fmt.Fprintf(&text, "Content-Length: %d\r\n", len(body))
	}
	text.WriteString("\r\n")
	head := text.Len()
	text.WriteString(body)
	whole := []byte(text.String())
	return prepared{whole, whole[:head:head]}
}
