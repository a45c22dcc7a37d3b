package server

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	tokenForm = regexp.MustCompile("^[0-9A-Za-z!#$%&'*+.^_`|~-]+$") // RFC 9110, 5.6.2
	control   = regexp.MustCompile(`[\x00-\x08\x0a-\x1f\x7f]`)      // a line may have a tab
)

// checkHeaders returns an error unless each header can be a line of its own, as every server reads it. values are the
// texts of one header.
func checkHeaders[V any](headers map[string]V, values func(V) []string) error {
	names := map[string]string{} // by lower case
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if !tokenForm.MatchString(name) {
			return fmt.Errorf("headers: %.80q is not the name of a header; "+
				"want letters, digits and any of !#$%%&'*+-.^_`|~", name)
		}
		lower := strings.ToLower(name)
		if other, ok := names[lower]; ok {
			return fmt.Errorf("headers: %q and %q are the same header; want it once", other, name)
		}
		names[lower] = name
		for _, value := range values(headers[name]) {
			if control.MatchString(value) {
				return fmt.Errorf("headers: %s: %.80q has a control character; want one line of text", name, value)
			}
		}
	}
	return nil
}
