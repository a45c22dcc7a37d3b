package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// checkKeys refuses what encoding/json accepts and another reader reads differently: a key that is there twice, and one
// in another case. data is JSON that was decoded before.
func checkKeys(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber() // a number may be larger than a float64
	return checkValue(dec, data, nil)
}

// checkValue reads one value. way has the keys on the way to it.
func checkValue(dec *json.Decoder, data []byte, way []string) error {
	begin, err := dec.Token()
	if err != nil || begin != json.Delim('{') && begin != json.Delim('[') {
		return err
	}
	known, seen := strings.Split(keysAt(way), ", "), map[string]bool{}
	for dec.More() {
		below := way
		if begin == json.Delim('{') {
			token, err := dec.Token()
			if err != nil {
				return err
			}
			key := token.(string) // of an object
			i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, key) })
			if i >= 0 && known[i] != key {
				return fmt.Errorf("line %d: key %q is unknown; want %q", line(data, dec.InputOffset()), key, known[i])
			}
			if seen[key] {
				return fmt.Errorf("line %d: key %q is there twice; want it once", line(data, dec.InputOffset()), key)
			}
			seen[key] = true
			below = append(way, key) // nobody keeps it
		}
		if err := checkValue(dec, data, below); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

// keysAt lists the keys of an object; "" if it may have any.
func keysAt(way []string) string {
	switch {
	case len(way) == 0:
		return keys + ", " + DeclaredKeys
	case way[0] == "requests":
		return KeysAt(way[1:])
	}
	return ""
}
