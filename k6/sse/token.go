package sse

import "bytes"

// contentOf finds the text that a chat.completion.chunk adds, as it stands in
// JSON, escapes and all; nil when there is none. It is a search for the first
// member called "content" whose value is a string, not a parse: in JSON the
// bytes "content" with both quotes can only be a string of its own, since a
// quote within a string is escaped. So keys may come in any order and with any
// white space. It parses nothing else because that would be most of the cost.
func contentOf(data []byte) []byte {
	for {
		i := bytes.Index(data, []byte(`"content"`))
		if i < 0 {
			return nil
		}
		data = skipSpace(data[i+len(`"content"`):])
		if len(data) == 0 || data[0] != ':' {
			continue // a value, not a key
		}
		data = skipSpace(data[1:])
		if len(data) == 0 || data[0] != '"' {
			continue // null, or the content of something else, such as logprobs
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
		return nil // the string does not end
	}
}

func skipSpace(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\n' || b[0] == '\t' || b[0] == '\r') {
		b = b[1:]
	}
	return b
}

// stampDigits is how many base 36 digits a time has in Unix nanoseconds, from
// 1974 to 2120. The number is given because padding follows without a mark.
const stampDigits = 12

// stampOf reads what the stub writes into a token (stub/event.go): its index
// and its time of sending, "INDEX:UNIXNANO" in base 10 and base 36.
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
