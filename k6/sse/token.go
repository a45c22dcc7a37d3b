package sse

import "bytes"

// contentOf finds the text that a chat.completion.chunk adds, as JSON with its escapes; nil without
// one. It searches for the first member "content" whose value is a string. In JSON the bytes
// "content" with both quotes are always a whole string, since quotes within strings are escaped. So
// keys may have any order, with any white space. A full parse would be most of the cost.
func contentOf(data []byte) []byte {
	for {
		i := bytes.Index(data, []byte(`"content"`))
		if i < 0 {
			return nil
		}
		data = skipSpace(data[i+len(`"content"`):])
		if len(data) == 0 || data[0] != ':' {
			continue // a value and not a key
		}
		data = skipSpace(data[1:])
		if len(data) == 0 || data[0] != '"' {
			continue // null, or the content of another object, such as logprobs
		}
		data = data[1:]
		for end := 0; end < len(data); end++ {
			switch data[end] {
			case '\\':
				end++
			case '"':
				return data[:end]
			}
		}
		return nil // an unfinished string
	}
}

func skipSpace(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\n' || b[0] == '\t' || b[0] == '\r') {
		b = b[1:]
	}
	return b
}

// stampDigits is the number of base 36 digits of a time in Unix nanoseconds, from 1974 to 2120. It
// is fixed, since padding follows without a separator.
const stampDigits = 12

// stampOf reads what the stub writes into a token (stub/relay/event.go): its index in base 10 and its
// sending time in base 36, "INDEX:UNIXNANO".
func stampOf(content []byte) (index int, unixNS int64, ok bool) {
	i := 0
	for i < len(content) && i < 9 && content[i]-'0' <= 9 {
		index = index*10 + int(content[i]-'0')
		i++
	}
	if i == 0 || len(content) < i+1+stampDigits || content[i] != ':' {
		return 0, 0, false
	}
	for _, c := range content[i+1 : i+1+stampDigits] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c-'a' <= 'z'-'a':
			c -= 'a' - 10
		default:
			return 0, 0, false
		}
		unixNS = unixNS*36 + int64(c)
	}
	return index, unixNS, true
}
