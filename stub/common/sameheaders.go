package common

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
)

// sameHeaders reads a request that differs from the last one in its first line alone, and has no
// body. It returns nil for every other. A client's headers are the same in each request, and what it
// asks for is not. Parsing headers again costs a fifth more CPU time for a file of 8 kB.
func (q *requests) sameHeaders(came []byte) *Request {
	if !q.simple {
		return nil
	}
	line, rest, _ := bytes.Cut(came, []byte("\r\n"))
	_, headers, _ := bytes.Cut(q.text, []byte("\r\n"))
	if !bytes.HasPrefix(rest, headers) {
		return nil
	}
	method, path, query, ok := readLine(string(line))
	if !ok {
		return nil
	}
	r := *q.last.Request
	r.Method, r.RequestURI = method, string(line[len(method)+1:len(line)-len(proto)])
	r.URL = &url.URL{Path: path, RawQuery: query}
	q.in.Discard(len(line) + len("\r\n") + len(headers)) // it is buffered
	q.text = append(append(append(q.text[:0], line...), "\r\n"...), rest[:len(headers)]...)
	q.last = &Request{Request: &r}
	return q.last
}

// isSimple reports whether the headers of a request mean the same after another first line. text is
// all of its bytes.
func isSimple(r *Request, text []byte, expects bool) bool {
	line := bytes.IndexByte(text, '\n') // net/http also takes it alone for the end of a line
	return line > 0 && text[line-1] == '\r' && bytes.HasSuffix(text, []byte("\r\n\r\n")) && !expects &&
		len(r.Body) == 0 && r.ContentLength == 0 && r.TransferEncoding == nil && r.Trailer == nil &&
		r.ProtoAtLeast(1, 1) && r.Method != http.MethodConnect && r.URL.Host == ""
}

const proto = " HTTP/1.1"

// readLine reads a first line without anything to decode. ok is false for every other.
func readLine(line string) (method, path, query string, ok bool) {
	uri, ok := strings.CutSuffix(line, proto)
	if !ok {
		return "", "", "", false
	}
	for _, method = range []string{http.MethodGet, http.MethodHead} {
		if uri, ok := strings.CutPrefix(uri, method+" "); ok && uri != "" && uri[0] == '/' && !strings.ContainsFunc(uri, decodes) {
			path, query, asks := strings.Cut(uri, "?")
			return method, path, query, !asks || query != "" && !strings.Contains(query, "?")
		}
	}
	return "", "", "", false
}

// decodes reports whether a character may mean something else in a URL, or is not allowed there.
func decodes(c rune) bool {
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/?&=,-_.~@", c))
}
