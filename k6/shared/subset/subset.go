// Package subset compares JSON values: a value fits a wanted one if it has all that the wanted one has.
package subset

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fairstream/k6/shared/strict"
)

// Decode reads one JSON value. Numbers keep their digits.
func Decode(text []byte) (value any, err error) {
	err = strict.Decode(text, &value)
	return value, err
}

// Missing names the first difference between two decoded values; "" without any. An object may have more keys
// than the wanted one. A list must be as long as the wanted list.
func Missing(want, got any) string { return missing("", want, got) }

func missing(at string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			value, there := got[key]
			if !there {
				return fmt.Sprintf("%s is missing", name(at, key))
			}
			if text := missing(name(at, key), want[key], value); text != "" {
				return text
			}
		}
		return ""
	case []any:
		got, ok := got.([]any)
		if !ok {
			break
		}
		if len(got) != len(want) {
			return fmt.Sprintf("%s has %d elements; want %d", called(at), len(got), len(want))
		}
		for i := range want {
			if text := missing(fmt.Sprintf("%s[%d]", at, i), want[i], got[i]); text != "" {
				return text
			}
		}
		return ""
	case json.Number:
		if got, ok := got.(json.Number); ok && sameNumber(string(want), string(got)) {
			return ""
		}
	default: // a text, a truth value, or null
		if want == got {
			return ""
		}
	}
	return fmt.Sprintf("%s is %s; want %s", called(at), short(got), short(want))
}

func name(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

func called(at string) string {
	if at == "" {
		return "the value"
	}
	return at
}

// sameNumber compares whole numbers by their digits, since a float has only 15 of them.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	if !strings.ContainsAny(a+b, ".eE") {
		return false
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// mostQuoted limits a value in a text, in bytes.
const mostQuoted = 60

func short(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "no JSON"
	}
	if len(text) > mostQuoted {
		return strings.ToValidUTF8(string(text[:mostQuoted]), "") + "..."
	}
	return string(text)
}
