package web

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"unicode/utf16"
)

// A number is written as it stands.
type number string

// numbers are forms of numbers that a double holds exactly enough: parsed and written again, they are equal.
var numbers = []number{
	"0", "-1", "1e2", "1E+2", "1.5e-7", "0.1", "-0.25", "1234567890123", "9007199254740991", "-9007199254740991", "1e21", "123456789.125", "2.2250738585072014e-308", "1.7976931348623157e308", "100.0", "3.0e0",
}

// object is a random JSON object with values inside each other. Its texts are ASCII, and its numbers have few
// digits; checks of their own have the others.
func object(depth int) map[string]any {
	o := map[string]any{}
	for range 2 + rand.IntN(4) {
		o[word()] = value(depth)
	}
	return o
}

func value(depth int) any {
	most := 7
	if depth == 0 {
		most = 5
	}
	switch rand.IntN(most) {
	case 0:
		return number(fmt.Sprint(float64(rand.IntN(2000)) / 4))
	case 1:
		return number(fmt.Sprint(rand.IntN(2_000_000) - 1_000_000))
	case 2:
		return rand.IntN(2) == 0
	case 3:
		return nil
	case 4:
		return word() + " \"\n\\/" + word()
	case 5:
		return object(depth - 1)
	}
	var array []any
	for range rand.IntN(4) {
		array = append(array, value(depth-1))
	}
	return array
}

// write is a value as JSON, with white space and escapes at random.
func write(v any) string {
	var b strings.Builder
	writeTo(&b, v)
	return b.String()
}

func writeTo(b *strings.Builder, v any) {
	space(b)
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		fmt.Fprint(b, v)
	case number:
		b.WriteString(string(v))
	case string:
		writeText(b, v)
	case []any:
		b.WriteByte('[')
		for i, each := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeTo(b, each)
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		comma := false
		for key, each := range v { // in random order
			if comma {
				b.WriteByte(',')
			}
			comma = true
			space(b)
			writeText(b, key)
			space(b)
			b.WriteByte(':')
			writeTo(b, each)
		}
		b.WriteByte('}')
	}
	space(b)
}

func space(b *strings.Builder) {
	b.WriteString([]string{"", "", " ", "  ", "\n", "\t", "\r\n  "}[rand.IntN(7)])
}

// writeText writes a text in quotes. Some characters are escaped that need not be.
func writeText(b *strings.Builder, text string) {
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\' || c == '/' && rand.IntN(2) == 0:
			b.WriteString(`\` + string(c))
		case c == '\n':
			b.WriteString(`\n`)
		case c >= 0x10000 && rand.IntN(2) == 0:
			high, low := utf16.EncodeRune(c)
			fmt.Fprintf(b, `\u%04x\u%04X`, high, low)
		case c < ' ' || c < 0x10000 && rand.IntN(4) == 0:
			fmt.Fprintf(b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
}

// same compares two texts as JSON values. Numbers are equal when they are the same double.
func same(sent, arrived string) error {
	var want, got any
	if err := json.Unmarshal([]byte(sent), &want); err != nil {
		return fmt.Errorf("the check sent invalid JSON: %w", err)
	}
	if err := json.Unmarshal([]byte(arrived), &got); err != nil {
		return fmt.Errorf("the answer is not JSON: %w: %.100q", err, arrived)
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Errorf("sent %.200q, arrived %.200q: another value", sent, arrived)
	}
	return nil
}
