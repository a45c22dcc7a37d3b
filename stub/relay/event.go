package relay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// An encoder renders the events of one answer, each as one HTTP chunk. The returned slice is valid
// until the next call.
//
// The format is that of the OpenAI API's streaming chat completions. Every event has the same id,
// created and model. The first has the role and empty content. "usage" stands in all chunks or in
// none.
type encoder struct {
	f     faults
	head  []byte // from "data: " up to the choices
	usage string // text after the choices
	chunk []byte // sizeRoom bytes, then the event
	again template
}

// A template is the token that chunk holds. Most tokens differ from the one before in index and
// sending time alone, so those are written over it.
type template struct {
	framed  []byte // nil: chunk holds no token
	content []byte // within framed
	until   int    // the first index with more digits
}

// sizeRoom bytes stay free before an event for the line with its size, which is known last.
const sizeRoom = len("ffffffff;stub=1\r\n")

// begin begins an answer.
func (e *encoder) begin(id, model string, created time.Time, includeUsage bool, f faults) {
	quoted, _ := json.Marshal(model) // a string always marshals
	e.f, e.usage, e.again = f, "", template{}
	e.head = fmt.Appendf(e.head[:0],
		`data: {"id":"chatcmpl-%s","object":"chat.completion.chunk","created":%d,"model":%s,"system_fingerprint":"fp_stub","choices":[`,
		id, created.Unix(), quoted)
	if includeUsage {
		e.usage = `,"usage":null`
	}
	if e.chunk == nil {
		e.chunk = make([]byte, sizeRoom, 1024)
	}
}

// rendered is the last event, without its framing.
func (e *encoder) rendered() []byte { return e.chunk[sizeRoom:] }

// open begins a chunk, up to the begin of its choices.
func (e *encoder) open(choices string) {
	e.chunk = append(e.chunk[:sizeRoom], e.head...)
	e.chunk = append(e.chunk, choices...)
}

// shut ends the chunk of open, after its choices.
func (e *encoder) shut(choices, usage string) []byte {
	e.chunk = append(e.chunk, choices...)
	e.chunk = append(e.chunk, usage...)
	e.chunk = append(e.chunk, "}\n\n"...)
	return e.frame()
}

// role is the first event: the role and empty content.
func (e *encoder) role() []byte {
	e.open(`{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]`)
	return e.shut("", e.usage)
}

// token is content event number i, with its sending time. Indices come in order.
func (e *encoder) token(i, size int, now time.Time) []byte {
	if i < e.again.until {
		appendStamp(e.again.content[:0], i, now)
		return e.again.framed
	}
	e.open(`{"index":0,"delta":{"content":"`)
	from := len(e.chunk)
	e.chunk = appendToken(e.chunk, i, size, now, texts[e.f.text])
	framed := e.shut(`"},"logprobs":null,"finish_reason":null}]`, e.usage)
	if !e.f.comments && e.f.lines == "lf" { // else the content is elsewhere
		e.again = template{framed, e.chunk[from:], 10}
		for e.again.until <= i {
			e.again.until *= 10
		}
	}
	return framed
}

// finish is the event that ends the content.
func (e *encoder) finish() []byte {
	e.open(`{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]`)
	return e.shut("", e.usage)
}

// total is the usage event, without choices.
func (e *encoder) total(prompt, completion int) []byte {
	e.open("]")
	return e.shut("", fmt.Sprintf(`,"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`,
		prompt, completion, prompt+completion))
}

// done is the last event.
func (e *encoder) done() []byte {
	e.chunk = append(e.chunk[:sizeRoom], "data: [DONE]\n\n"...)
	return e.frame()
}

// failure is an event that reports an error within a stream, in the form of the OpenAI API.
func (e *encoder) failure(message string) []byte {
	e.chunk = fmt.Appendf(e.chunk[:sizeRoom], `data: {"error":{"message":%q,"type":"server_error","param":null,"code":null}}`+"\n\n", message)
	return e.frame()
}

// frame wraps the event into one chunk of chunked coding.
func (e *encoder) frame() []byte {
	if e.f.comments {
		e.chunk = slices.Insert(e.chunk, sizeRoom, []byte(": ping\n\n")...)
	}
	if e.f.lines != "lf" {
		ends := bytes.ReplaceAll(e.rendered(), []byte("\n"), []byte(lineEnds[e.f.lines]))
		e.chunk = append(e.chunk[:sizeRoom], ends...)
	}
	if e.f.close {
		return e.rendered()
	}
	var room [sizeRoom]byte
	size := strconv.AppendInt(room[:0], int64(len(e.rendered())), 16)
	if e.f.trailers {
		size = append(size, ";stub=1"...)
	}
	size = append(size, "\r\n"...)
	from := sizeRoom - len(size)
	copy(e.chunk[from:], size)
	framed := append(e.chunk, "\r\n"...)
	e.chunk = framed[:len(framed)-2]
	return framed[from:]
}

// appendToken appends the content of token i: its index, a colon, its sending time in Unix
// nanoseconds in base 36, padding up to size bytes, and a space. The stamp is in the content, since
// servers may change everything else. Base 36 keeps a token within 16 bytes, the default of size.
func appendToken(b []byte, i, size int, now time.Time, padding string) []byte {
	start := len(b)
	b = appendStamp(b, i, now)
	for len(b)-start < size-1 {
		b = append(b, padding...)
	}
	return append(b, ' ')
}

func appendStamp(b []byte, i int, now time.Time) []byte {
	b = strconv.AppendInt(b, int64(i), 10)
	b = append(b, ':')
	var digits [13]byte // of 2^63
	at := len(digits)
	for ns := uint64(now.UnixNano()); ; ns /= 36 { // strconv divides by a variable, which takes longer
		at--
		digits[at] = "0123456789abcdefghijklmnopqrstuvwxyz"[ns%36]
		if ns < 36 {
			return append(b, digits[at:]...)
		}
	}
}
